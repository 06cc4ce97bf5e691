/**
 * Loss against the length of the test in each language, with the chosen schemes as curves over all
 * others.
 */
import type { Draw } from "../../controls/scene-view.js";
import { axisMarks, type Frame, heightOf, rule, ticks } from "../../drawing/axes.js";
import { mix, type Palette } from "../../drawing/colour.js";
import type { Look } from "../../drawing/curve.js";
import { keyRowHeight } from "../../drawing/key.js";
import type { Mark, Measure } from "../../drawing/scene.js";
import type { Curve } from "../../engine/page/length-results.js";
import { caption, heading } from "../shared/pictures/captions.js";
import { endLabels, labelGap, labelRoom } from "../shared/pictures/end-labels.js";
import {
  bandOf,
  chartGrid,
  columnX,
  endsOf,
  meanMarks,
  pathThrough,
  trainedMarks,
} from "../shared/pictures/length-chart.js";

export interface CurvesChart {
  id: string;
  title: string;
  /** Curves of schemes with names, in their order, and of the others. */
  named: readonly Curve[];
  others: readonly Curve[];
}

export interface CurvesView {
  charts: readonly CurvesChart[];
  names: readonly string[];
  looks: readonly Look[];
  length: number;
  multiples: readonly number[];
  words: { x: string; y: string; trained: string; others: string; gridLabel: string };
  notDefined: (name: string) => string;
  describe: (chart: CurvesChart, row: number, column: number) => string;
}

/** Returns round limits of an axis for the chosen curves; other curves are clipped. */
export function scaleOf(curves: readonly Curve[]): { minY: number; maxY: number } {
  const known = curves.flatMap((curve) => curve.flatMap((one) => one ?? []));
  if (!known.length) return { minY: 0, maxY: 1 };
  const low = Math.min(...known.map(({ min }) => min));
  const high = Math.max(...known.map(({ max }) => max), low + 0.1);
  const step = ticks(high - low, 4)[1]!;
  const round = (value: number) => Number(value.toPrecision(12));
  return {
    minY: round(Math.floor(low / step) * step),
    maxY: round(Math.ceil(high / step) * step),
  };
}

type Point = readonly [number, number];

/** Returns a curve through means, clipped to the frame. */
export function clippedPath(curve: Curve, frame: Frame): string {
  const { minY = 0, maxY } = frame;
  const isInside = (value: number) => value >= minY && value <= maxY;
  const at = (column: number, value: number): Point => [
    columnX(frame, column),
    heightOf(frame, value),
  ];
  const points: (Point | undefined)[] = [];
  curve.forEach((one, column) => {
    const before = curve[column - 1];
    if (one && before && isInside(one.mean) !== isInside(before.mean)) {
      const [inner, outer] = isInside(one.mean) ? [one.mean, before.mean] : [before.mean, one.mean];
      const edge = outer > maxY ? maxY : minY;
      const part = (edge - before.mean) / (one.mean - before.mean);
      if (inner !== edge) points.push(at(column - 1 + part, edge));
    }
    points.push(one && isInside(one.mean) ? at(column, one.mean) : undefined);
  });
  return pathThrough(points);
}

const faint = (palette: Palette): string => mix(palette.paper, palette.ink, 0.2);

/** A chart: its frame, and the maximum width of names beside it. */
interface Area {
  frame: Frame;
  room: number;
}

function chartMarks(
  chart: CurvesChart,
  { frame, room }: Area,
  view: CurvesView,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const { words, multiples, length, names, looks } = view;
  const columns = multiples.map((multiple, at) => ({ at, text: String(multiple * length) }));
  const axes = { x: words.x, y: words.y, left: frame.left - 40, columns };
  const lines = chart.named.map((tested, index) => ({
    name: names[index]!,
    look: looks[index]!,
    tested,
  }));
  const ends = endsOf(lines, frame, view.notDefined);
  const { left, top, width, height } = frame;
  const beside = { edge: left + width, room, top: top - 6, bottom: top + height + 6 };
  return [
    heading(palette, left - 40, top - 36, chart.title),
    ...chart.named.flatMap((tested, index) => bandOf(tested, looks[index]!, frame, palette)),
    ...axisMarks(frame, palette, axes),
    ...chart.others.map((curve): Mark => {
      const d = clippedPath(curve, frame);
      return { kind: "path", d, stroke: faint(palette), width: 1 };
    }),
    ...trainedMarks(frame, multiples.indexOf(1), words.trained, palette),
    ...chart.named.flatMap((curve, index) => meanMarks(curve, looks[index]!, frame, palette)),
    ...endLabels(ends, beside, palette, measure),
  ];
}

/** Returns the name of the faint curves. */
function othersKey(name: string, y: number, palette: Palette): Mark[] {
  const line = { ...rule(0, y + 8, 26, y + 8, faint(palette)) };
  return [line, { ...caption(palette, 33, y + 12, name), size: 13 }];
}

/**
 * Draws the charts side by side if there is space; each has its own scale, because texts differ in
 * bits per character.
 */
export const drawCurves =
  (view: CurvesView): Draw =>
  (width, palette, measure) => {
    const { charts, names, multiples, words } = view;
    const isWide = width >= 640;
    const hasOthers = charts.some(({ others }) => others.length > 0);
    const top = (hasOthers ? keyRowHeight : 0) + 54;
    const height = isWide ? 260 : 240;
    const wholes = charts.flatMap(({ named }) =>
      names.map((name, index) => (named[index]!.at(-1) ? name : view.notDefined(name))),
    );
    const room = labelRoom(wholes, isWide ? 120 : 100, measure);
    const step = isWide ? (width + 30) / charts.length : width;
    const stepY = height + 44 + 62;
    const frameOf = (index: number): Frame => ({
      left: (isWide ? index * step : 0) + 40,
      top: top + (isWide ? 0 : index * stepY),
      width: (isWide ? step - 30 : width) - 40 - labelGap - room,
      height,
      maxX: multiples.length - 1,
      ...scaleOf(charts[index]!.named),
    });
    const size = { rows: names.length, columns: multiples.length };
    return {
      width,
      height: frameOf(charts.length - 1).top + height + 44,
      marks: [
        ...(hasOthers ? othersKey(words.others, 0, palette) : []),
        ...charts.flatMap((chart, index) =>
          chartMarks(chart, { frame: frameOf(index), room }, view, palette, measure),
        ),
      ],
      grids: charts.map((chart, index) =>
        chartGrid(frameOf(index), size, {
          id: `curves-${chart.id}`,
          label: `${words.gridLabel}: ${chart.title}`,
          describe: (row, column) => view.describe(chart, row, column),
        }),
      ),
    };
  };
