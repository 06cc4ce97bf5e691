/** The sum of all pairs against distance, far beyond the positions of the clock. */
import { axisMarks, type Frame, heightOf, rule } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { pathOf } from "../../drawing/curve.js";
import { dialRim } from "../../drawing/dial.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { caption, linesOf } from "../shared/pictures/captions.js";
import type { Shown } from "./face.js";
import type { ClockWords } from "./words.js";

const chartHeight = 140;
/** Space for the axis's numbers. */
const numbers = 30;

/** Draws the curve and the distance that the hands show. */
export function sumChart(
  { answer, query, key }: Shown,
  { y, width }: { y: number; width: number },
  words: ClockWords,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; grid: Grid; bottom: number } {
  const { scores, frequencies } = answer;
  const farthest = scores.length - 1;
  const title = words.sumByDistance(frequencies.length, farthest);
  const lines = linesOf(title, width, measure);
  const frame: Frame = {
    left: numbers,
    top: y + 16 * lines.length + 14,
    width: width - numbers - 16,
    height: chartHeight,
    maxX: farthest,
    maxY: frequencies.length,
    minY: Math.floor(Math.min(...scores)),
  };
  const distance = Math.round(Math.abs(query - key));
  const [x, at] = [
    frame.left + (distance / farthest) * frame.width,
    heightOf(frame, scores[distance]!),
  ];
  const bottom = frame.top + chartHeight;
  const marks: Mark[] = [
    ...lines.map((line, row) => caption(palette, 0, y + 12 + 16 * row, line)),
    ...axisMarks(frame, palette, { x: words.distance, y: "" }),
    rule(x, frame.top, x, bottom, palette.position),
    { kind: "path", d: pathOf({ name: "", values: scores }, frame), stroke: palette.ink, width: 1 },
    {
      kind: "path",
      d: dialRim(x, at, 4),
      stroke: palette.position,
      width: 2,
      fill: palette.paper,
    },
    {
      ...caption(palette, x + 8, frame.top + 10, words.here(distance)),
      fill: palette.position,
    },
  ];
  const grid: Grid = {
    id: "distances",
    label: title,
    x: frame.left,
    y: frame.top,
    cellWidth: frame.width / scores.length,
    cellHeight: chartHeight,
    rows: 1,
    columns: scores.length,
    describe: (_, column) => words.sumAt(column, scores[column]!),
  };
  return { marks, grid, bottom: bottom + 44 };
}
