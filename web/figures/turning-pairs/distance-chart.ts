/** The logit at every distance, with RoFormer's bound and xPos if requested. */
import { type Frame, heightOf } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { curveMarks } from "../../drawing/curve.js";
import { dialRim } from "../../drawing/dial.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { caption, linesOf } from "../shared/pictures/captions.js";
import type { RotationAnswer } from "./messages.js";
import type { Area, Panel } from "./panel.js";
import type { RotationWords } from "./words.js";

const chartHeight = 260;

/** Returns the two distances between which the logit rises most. */
export function swing(scores: ArrayLike<number>): { low: number; high: number } {
  let min = 0;
  let found = { low: 0, high: 0 };
  const rise = (low: number, high: number) => scores[high]! - scores[low]!;
  for (let at = 1; at < scores.length; at++) {
    if (scores[at]! < scores[min]!) min = at;
    if (rise(min, at) > rise(found.low, found.high)) found = { low: min, high: at };
  }
  return found;
}

/** Draws the two distances of the rise, each in a circle with its number. */
function swingMarks(values: ArrayLike<number>, frame: Frame, palette: Palette): Mark[] {
  const { low, high } = swing(values);
  return [low, high].flatMap((at): Mark[] => {
    const x = frame.left + (at / frame.maxX) * frame.width;
    const y = heightOf(frame, values[at]!);
    const text = caption(palette, x, y + (at === low ? 20 : -11), String(at), "center");
    return [
      { kind: "path", d: dialRim(x, y, 4), stroke: palette.ink, width: 1.5 },
      { ...text, fill: palette.ink },
    ];
  });
}

export function distanceChart(
  shown: RotationAnswer,
  { x, y, width }: Area,
  hasBound: boolean,
  words: RotationWords,
  palette: Palette,
  measure: Measure,
): Panel {
  const { scores, bounds, fading, query, key } = shown;
  const shares = (values: Float32Array) => values.map((value) => value / scores[0]!);
  const [relative, bound, faded] = [shares(scores), shares(bounds), shares(fading)];
  const label = hasBound ? words.curve : words.scoreCurve;
  const lines = linesOf(label, width, measure);
  const frame: Frame = {
    left: x + 38,
    top: y + 20 + lines.length * 16 + 26,
    width: width - 46,
    height: chartHeight,
    maxX: relative.length - 1,
    maxY: hasBound ? Math.ceil(Math.max(...bound)) : 1,
    minY: -1,
    keyTop: y + lines.length * 16 + 4,
  };
  const distance = Math.abs(query - key);
  const others = [
    { name: words.bound, values: bound },
    { name: words.fading, values: faded },
  ];
  const marks: Mark[] = [
    ...lines.map((line, i) => caption(palette, x, y + 12 + 16 * i, line)),
    ...curveMarks(
      [{ name: words.score, values: relative }, ...(hasBound ? others : [])],
      frame,
      palette,
      measure,
      { x: words.distance, y: "" },
      { x: distance, name: words.here(distance) },
    ),
  ];
  if (!hasBound) marks.push(...swingMarks(relative, frame, palette));
  const grid: Grid = {
    id: "distances",
    label,
    x: frame.left,
    y: frame.top,
    cellWidth: frame.width / relative.length,
    cellHeight: frame.height,
    rows: 1,
    columns: relative.length,
    describe: (_, at) =>
      hasBound
        ? words.point(at, relative[at]!, bound[at]!, faded[at]!)
        : words.scorePoint(at, relative[at]!),
  };
  return { marks, grids: [grid], bottom: frame.top + frame.height + 44 };
}
