/** Windows over a square of cells, the cells outside one window, and the table of offsets. */
import { rule } from "../../drawing/axes.js";
import { type Palette, signedColour } from "../../drawing/colour.js";
import type { Grid, Mark, Measure, RectMark } from "../../drawing/scene.js";
import { limitOf, signedLegend } from "../shared/pictures/signed-legend.js";
import type { GridAnswer, WindowAnswer } from "./messages.js";
import type { GridWords } from "./words.js";

export interface Square {
  x: number;
  top: number;
  cell: number;
  /** Cells on a side. */
  side: number;
}

/** Returns the cells from one row and column to another, both included. */
function rectOf(
  { x, top, cell }: Square,
  rows: readonly [number, number],
  columns: readonly [number, number],
): Pick<RectMark, "x" | "y" | "width" | "height"> {
  return {
    x: x + columns[0] * cell,
    y: top + rows[0] * cell,
    width: (columns[1] - columns[0] + 1) * cell,
    height: (rows[1] - rows[0] + 1) * cell,
  };
}

/** Draws lines between windows, and a frame around the window of the query's cell. */
export function borderMarks(square: Square, windowed: WindowAnswer, palette: Palette): Mark[] {
  const { x, top, cell, side } = square;
  const { begins, rows, columns } = windowed;
  const whole = side * cell;
  const lines = begins.slice(1).flatMap((begin): Mark[] => {
    const at = begin * cell;
    return [
      rule(x, top + at, x + whole, top + at, palette.ink, 1.4),
      rule(x + at, top, x + at, top + whole, palette.ink, 1.4),
    ];
  });
  const frame = rectOf(square, rows, columns);
  return [...lines, { kind: "rect", ...frame, stroke: palette.position, lineWidth: 2.5 }];
}

/** Draws hatching over hidden cells. */
export const hatchMarks = (
  { x, top, cell, side }: Square,
  values: ArrayLike<number>,
  palette: Palette,
): Mark[] =>
  Array.from(values).flatMap((value, at): Mark[] =>
    Number.isNaN(value)
      ? [
          {
            kind: "rect",
            x: x + (at % side) * cell,
            y: top + Math.floor(at / side) * cell,
            width: cell - 1,
            height: cell - 1,
            hatch: palette.hair,
          },
        ]
      : [],
  );

/** Draws the head's number for each offset, with the offsets of this window framed. */
export function tableBlock(
  { windowed, row, column }: GridAnswer & { windowed: WindowAnswer },
  area: { x: number; top: number; width: number },
  words: GridWords,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; grid: Grid } {
  const { table, tableSide, usedSide, rows, columns } = windowed;
  const { x, top, width } = area;
  const cell = width / tableSide;
  const middle = (tableSide - 1) / 2;
  const reach = (usedSide - 1) / 2;
  const square: Square = { x, top, cell, side: tableSide };
  const limit = limitOf(table);
  const used = [middle - reach, middle + reach] as const;
  const steps = ([from, to]: readonly [number, number], at: number) =>
    [middle + from - at, middle + to - at] as const;
  const colours = Array.from(table, (value) => signedColour(palette, value, limit));
  const sides = { rows: tableSide, columns: tableSide };
  const frames: Mark[] = [
    { kind: "rect", ...rectOf(square, used, used), stroke: palette.ink, lineWidth: 1.4 },
    {
      kind: "rect",
      ...rectOf(square, steps(rows, row), steps(columns, column)),
      stroke: palette.position,
      lineWidth: 2.5,
    },
    {
      kind: "rect",
      ...rectOf(square, [middle, middle], [middle, middle]),
      stroke: palette.query,
      lineWidth: 2.5,
    },
  ];
  const legend = signedLegend("", limit, { x, y: top + width + 8, width }, palette, measure);
  return {
    marks: [
      { kind: "cells", x, y: top, cell, gap: cell > 12 ? 1 : 0, ...sides, colours },
      ...frames,
      ...legend.marks,
    ],
    grid: {
      id: "steps",
      label: words.table,
      x,
      y: top,
      ...sides,
      cellWidth: cell,
      cellHeight: cell,
      describe: (down, along) =>
        words.step(down - middle, along - middle, table[down * tableSide + along]!),
    },
  };
}
