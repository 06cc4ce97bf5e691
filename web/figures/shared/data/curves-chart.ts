/** Curves over one axis: up to five are distinguished by their dashes; of more, one is marked. */
import type { Draw } from "../../../controls/scene-view.js";
import { axisMarks, type Frame, heightOf, roundUp } from "../../../drawing/axes.js";
import type { Palette } from "../../../drawing/colour.js";
import { type Look, lineColour, lineKey, lineStyles } from "../../../drawing/curve.js";
import { type KeyEntry, keyMarks } from "../../../drawing/key.js";
import type { Grid, Mark, Measure } from "../../../drawing/scene.js";
import { grouped } from "../../../text/numbers.js";
import { caption } from "../pictures/captions.js";
import { bandOpacity, pathThrough, ringPath, trainedMarks } from "../pictures/length-chart.js";
import type { Curve, Curves } from "./given-curves.js";

export interface ChartView {
  curves: Curves;
  /** Returns the name of a curve without one. */
  nameOf: (line: Curve, at: number) => string;
  /** The curves' looks, if they are of schemes. */
  looks?: readonly Look[] | undefined;
  /** Names of the axes. */
  x: string;
  y: string;
  /** Index of the curve drawn over the others, if there are many. */
  marked: number;
  /** Names in the key, if there are many curves. */
  many: { marked: string; others: string };
  /** Points at even distances, each labelled with its value, for lengths that double. */
  isEven: boolean;
  /** The vertical axis begins at the smallest value, not at zero. */
  isFree: boolean;
  /** A point of the axis with a name, as a dashed line. */
  mark?: { at: number; name: string } | undefined;
  label: string;
  describe: (line: number, index: number) => string;
}

const height = 260;

/** Returns round limits of the vertical axis. */
function endsOf({ lines }: Curves, isFree: boolean): { minY: number; maxY: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { values, low: below = values, high: above = values } of lines)
    for (const list of [values, below, above])
      for (const value of list)
        if (!Number.isNaN(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) return { minY: 0, maxY: 1 };
  if (isFree && low > 0) {
    const step = roundUp((high - low || high) / 4);
    return { minY: Math.floor(low / step) * step, maxY: Math.ceil(high / step) * step };
  }
  return {
    minY: low < 0 ? -roundUp(-low) : 0,
    maxY: high > 0 || low === 0 ? roundUp(high || 1) : 0,
  };
}

const isMany = ({ curves }: ChartView): boolean => curves.lines.length > lineStyles.length;

function keyOf(view: ChartView, palette: Palette): KeyEntry[] {
  const { curves, nameOf, many } = view;
  const { lines } = curves;
  if (lines.length === 1 && !lines[0]!.name) return [];
  if (!isMany(view))
    return lineKey(lines.map(nameOf), palette, (at) => colourOf(view, at, palette));
  const entry = (name: string, stroke: string, width: number): KeyEntry => ({
    name,
    sample: (x, y) => ({ kind: "path", d: `M${x} ${y - 4}h26`, stroke, width }),
  });
  return [entry(many.marked, palette.position, 2.6), entry(many.others, palette.soft, 1)];
}

/** A single curve is drawn in ink; of many, one is marked. */
function colourOf(view: ChartView, at: number, palette: Palette): string {
  if (isMany(view)) return at === view.marked ? palette.position : palette.soft;
  return view.curves.lines.length > 1 ? lineColour(view.looks?.[at] ?? at, palette) : palette.ink;
}

interface Field {
  view: ChartView;
  frame: Frame;
  /** Returns the x of a point. */
  xOf: (index: number) => number;
}

const pointsOf = ({ frame, xOf }: Field, list: readonly number[]) =>
  list.map((value, index) =>
    Number.isNaN(value) ? undefined : ([xOf(index), heightOf(frame, value)] as const),
  );

/** Draws a curve's band, if it has both ends. */
function bandMarks(field: Field, { low, high }: Curve, fill: string): Mark[] {
  if (!low || !high) return [];
  const isBoth = (_: unknown, at: number) => !Number.isNaN(low[at]!) && !Number.isNaN(high[at]!);
  const edge = (list: readonly number[]) =>
    pointsOf(field, list)
      .filter(isBoth)
      .map((point) => `${point![0].toFixed(1)} ${point![1].toFixed(1)}`);
  const below = edge(low);
  if (below.length < 2) return [];
  const d = `M${edge(high).join("L")}L${below.reverse().join("L")}Z`;
  return [{ kind: "path", d, stroke: fill, width: 0, fill, fillOpacity: bandOpacity }];
}

/** A dot at each point: a curve with one point would be invisible. */
const dotMarks = (points: ReturnType<typeof pointsOf>, colour: string): Mark[] =>
  points.flatMap((point): Mark[] =>
    point
      ? [{ kind: "path", d: ringPath(...point, 2.5), stroke: colour, width: 1, fill: colour }]
      : [],
  );

function lineMarks(field: Field, palette: Palette): Mark[] {
  const { view } = field;
  const { lines } = view.curves;
  const order = lines.map((_, at) => at);
  if (isMany(view)) order.push(...order.splice(view.marked, 1));
  return order.flatMap((at): Mark | Mark[] => {
    const points = pointsOf(field, lines[at]!.values);
    const d = pathThrough(points);
    const stroke = colourOf(view, at, palette);
    if (!isMany(view)) {
      const line: Mark = { kind: "path", d, stroke, ...lineStyles[at]! };
      return view.isEven ? [line, ...dotMarks(points, stroke)] : line;
    }
    return { kind: "path", d, stroke, width: at === view.marked ? 2.6 : 1 };
  });
}

/** Returns the labels of points at even distances; every second or fourth if there are many. */
function columnsOf({ x }: Curves, width: number, measure: Measure) {
  const widest = Math.max(...x.map((value) => measure(grouped(value), 13))) + 12;
  const step = Math.max(1, Math.ceil((widest * x.length) / width));
  return x.flatMap((value, at) => (at % step ? [] : [{ at, text: grouped(value) }]));
}

function gridOf({ view, frame, xOf }: Field): Grid {
  const { curves, label, describe } = view;
  const count = curves.x.length;
  const across = count > 1 ? (xOf(count - 1) - xOf(0)) / (count - 1) : frame.width;
  const rows = curves.lines.length;
  return {
    id: "curves",
    label,
    x: xOf(0) - across / 2,
    y: frame.top,
    rows,
    columns: count,
    cellWidth: across,
    cellHeight: frame.height / rows,
    describe,
  };
}

export const drawCurves =
  (view: ChartView): Draw =>
  (width, palette, measure) => {
    const { curves, x: across, y: upward, isEven, isFree, mark } = view;
    const { x } = curves;
    const entries = keyOf(view, palette);
    const key = keyMarks(entries, { width }, palette, measure);
    const ends = endsOf(curves, isFree);
    const wide = Math.max(
      ...[ends.minY, ends.maxY].map((end) => measure(String(Number(end.toPrecision(3))), 13)),
    );
    const left = Math.max(34, wide + 12);
    const top = (entries.length ? key.baseline + 18 : 0) + 26;
    const maxX = isEven ? x.length - 1 : x.at(-1)!;
    // The last number of the axis is centred at its end.
    const right = Math.max(12, measure(grouped(x.at(-1)!), 13) / 2 + 2);
    const frame: Frame = { left, top, width: width - left - right, height, maxX, ...ends };
    const xOf = (index: number) =>
      left + (maxX ? (isEven ? index : x[index]!) / maxX : 0) * frame.width;
    const field: Field = { view, frame, xOf };
    const columns = isEven ? { columns: columnsOf(curves, frame.width, measure) } : {};
    const at = mark && (isEven ? x.indexOf(mark.at) : mark.at);
    const isShown = at !== undefined && at >= 0 && at <= maxX;
    return {
      width,
      height: top + height + 44,
      marks: [
        ...(entries.length ? key.marks : []),
        ...curves.lines.flatMap((line, at) => bandMarks(field, line, colourOf(view, at, palette))),
        ...axisMarks(frame, palette, { x: across, y: "", ...columns }),
        caption(palette, 0, top - 14, upward),
        ...(isShown ? trainedMarks(frame, at, mark!.name, palette) : []),
        ...lineMarks(field, palette),
      ],
      grids: [gridOf(field)],
    };
  };
