/** A row for each scheme that fits: its loss at the training length and far beyond. */
import type { Draw } from "../../controls/scene-view.js";
import { rule, ticks } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { caption, linesOf, roomForNames, rowName } from "../shared/pictures/captions.js";
import { ringPath } from "../shared/pictures/length-chart.js";
import type { ChooserWords } from "./words.js";

export interface RangeRow {
  name: string;
  first: number;
  /** Undefined if the scheme is not defined there. */
  far: number | undefined;
}

/**
 * Returns the end of the scale: the largest loss, unless that dot alone would squeeze all others.
 */
function scaleEnd(low: number, rows: readonly RangeRow[]): number {
  const losses = rows.flatMap(({ first, far }) => [first, far ?? first]).sort((a, b) => b - a);
  const [largest = low, next = largest] = losses;
  const isDot = rows.every(({ first }) => first < largest);
  return isDot && next > low && largest - low > 2 * (next - low) ? next : largest;
}

interface Field {
  /** Right edge and maximum width of names, and the width of the picture. */
  left: number;
  room: number;
  width: number;
  at: (loss: number) => number;
  /** End of the scale. */
  max: number;
  ended: string;
}

/** Draws words on a background, so that no line of the scale crosses them. */
function wordsAt(
  palette: Palette,
  { x, y }: { x: number; y: number },
  text: string,
  side: "left" | "right",
  measure: Measure,
): Mark[] {
  const width = measure(text, 12) + 4;
  const left = side === "left" ? x - 2 : x + 2 - width;
  const ground = { x: left, y: y - 8, width, height: 16, fill: palette.paper };
  return [{ kind: "rect", ...ground }, caption(palette, x, y + 4, text, side)];
}

/** Draws a name, its ring, and a line to its dot, or to the number of a dot beyond the scale. */
function marksOf(
  { name, first, far }: RangeRow,
  y: number,
  { left, room, width, at, max, ended }: Field,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const dot = (x: number, fill: string): Mark => ({
    kind: "path",
    d: ringPath(x, y, 4),
    stroke: palette.query,
    width: 1.5,
    fill,
  });
  const line = (end: number) => rule(at(first), y, end, y, palette.query, 2);
  const start = rowName(palette, { x: left - 10, y, room }, name, measure);
  const ring = dot(at(first), palette.paper);
  if (far === undefined) {
    const isRight = at(first) + 10 + measure(ended, 12) <= width;
    const side = isRight ? ([10, "left"] as const) : ([-10, "right"] as const);
    return [
      ...start,
      ring,
      ...wordsAt(palette, { x: at(first) + side[0], y }, ended, side[1], measure),
    ];
  }
  if (far <= max) return [...start, line(at(far)), dot(at(far), palette.query), ring];
  const number = `→ ${far.toFixed(2)}`;
  const end = width - measure(number, 12) - 6;
  return [
    ...start,
    line(end),
    ring,
    ...wordsAt(palette, { x: width, y }, number, "right", measure),
  ];
}

export const drawRanges =
  (rows: readonly RangeRow[], words: ChooserWords, multiple: number): Draw =>
  (width, palette, measure) => {
    const lines = linesOf(words.chart(multiple), width, measure);
    const top = lines.length * 16 + 18;
    const names = rows.map(({ name }) => name);
    const { room, pitch } = roomForNames(names, { width, pitch: 24 }, measure);
    const height = Math.max(1, rows.length) * pitch;
    const left = room + 12;
    const low = Math.min(...rows.flatMap(({ first, far }) => [first, far ?? first]));
    const high = scaleEnd(low, rows);
    const step = ticks(Math.max(high - low, 0.01), width > 600 ? 6 : 3)[1]!;
    const min = Math.floor(low / step) * step;
    const max = Math.ceil(high / step + 1e-9) * step;
    const chartWidth = width - left - 14;
    const at = (value: number) => left + ((value - min) / (max - min)) * chartWidth;
    const count = Math.round((max - min) / step);
    const stops = Array.from({ length: count + 1 }, (_, index) => min + index * step);
    const field = { left, room, width, at, max, ended: words.ended };
    const rowMarks = rows.flatMap((row, index) =>
      marksOf(row, top + (index + 0.5) * pitch, field, palette, measure),
    );
    const grid: Grid = {
      id: "ranges",
      label: words.gridLabel,
      x: 0,
      y: top,
      cellWidth: width,
      cellHeight: pitch,
      rows: rows.length,
      columns: 1,
      describe: (row) => {
        const { name, first, far } = rows[row]!;
        return words.range(name, first.toFixed(2), far?.toFixed(2) ?? words.unknown);
      },
    };
    const marks: Mark[] = [
      ...lines.map((line, index) => caption(palette, 0, 12 + 16 * index, line)),
      ...stops.map((stop) => rule(at(stop), top, at(stop), top + height, palette.hair)),
      ...stops.map((stop) =>
        caption(
          palette,
          at(stop),
          top + height + 16,
          String(Number(stop.toPrecision(6))),
          "center",
        ),
      ),
      ...rowMarks,
    ];
    return { width, height: top + height + 26, marks, grids: [grid] };
  };
