/**
 * All heads of a map as thumbnails, in rows of eight, with the largest absolute value of each
 * block.
 */
import type { Draw } from "../../../controls/scene-view.js";
import { type Palette, signedColours, weightColours } from "../../../drawing/colour.js";
import type { Grid, Mark } from "../../../drawing/scene.js";
import type { HeadNumbers } from "../data/numbers.js";
import type { ZoomWords } from "../maps/map-words.js";
import { caption } from "./captions.js";

export const headsInRow = 8;
const side = 16;
/** Maximum cells on a side of a block that are read: the thumbnail is a sketch. */
const looked = 4;

/**
 * Returns the number with the largest absolute value in each of side × side blocks, of cells spread
 * over the block.
 */
export function sketch(
  { rows, columns, values }: Pick<HeadNumbers, "rows" | "columns" | "values">,
  head: number,
  max = side,
): Float32Array {
  const [down, across] = [Math.min(max, rows), Math.min(max, columns)];
  const from = head * rows * columns;
  return Float32Array.from({ length: down * across }, (_, part) => {
    const [top, below] = [0, 1].map((by) =>
      Math.floor(((Math.floor(part / across) + by) * rows) / down),
    );
    const [left, right] = [0, 1].map((by) =>
      Math.floor((((part % across) + by) * columns) / across),
    );
    const stepDown = Math.max(1, Math.floor((below! - top!) / looked));
    const stepAcross = Math.max(1, Math.floor((right! - left!) / looked));
    let largest = Number.NaN;
    for (let row = top!; row < below!; row += stepDown)
      for (let column = left!; column < right!; column += stepAcross) {
        const value = values[from + row * columns + column]!;
        if (!Number.isNaN(value) && !(Math.abs(value) <= Math.abs(largest))) largest = value;
      }
    return largest;
  });
}

/** Returns a function for the colours of all of these numbers on one scale; NaN has none. */
export function coloursOf(
  lists: readonly ArrayLike<number>[],
  palette: Palette,
): (value: number) => string | undefined {
  let [limit, isSigned] = [1e-9, false];
  for (const list of lists)
    for (let at = 0; at < list.length; at++) {
      const value = list[at]!;
      if (Number.isNaN(value)) continue;
      limit = Math.max(limit, Math.abs(value));
      isSigned ||= value < 0;
    }
  const colour = (isSigned ? signedColours : weightColours)(palette, limit);
  return (value) => (Number.isNaN(value) ? undefined : colour(value));
}

const sketches = new WeakMap<Float32Array, Float32Array[]>();

export const drawHeads =
  (numbers: HeadNumbers, chosen: number, words: Pick<ZoomWords, "heads" | "headName">): Draw =>
  (width, palette) => {
    const { heads, rows, columns, values } = numbers;
    const all =
      sketches.get(values) ?? Array.from({ length: heads }, (_, head) => sketch(numbers, head));
    sketches.set(values, all);
    const inRow = Math.min(headsInRow, heads);
    const gap = 10;
    const cellsAcross = Math.min(side, columns);
    const cellsDown = Math.min(side, rows);
    const cell = Math.max(1, Math.min(5, Math.floor(((width + gap) / inRow - gap) / cellsAcross)));
    const stepX = cellsAcross * cell + gap;
    const stepY = cellsDown * cell + gap + 16;
    const colour = coloursOf(all, palette);
    const marks: Mark[] = all.flatMap((list, head): Mark[] => {
      const x = (head % inRow) * stepX;
      const y = Math.floor(head / inRow) * stepY + 16;
      const isChosen = head === chosen;
      const frame = { x: x - 0.5, y: y - 0.5, width: stepX - gap + 1, height: stepY - gap - 15 };
      const stroke = isChosen ? palette.ink : palette.hair;
      return [
        caption(palette, x, y - 5, String(head + 1)),
        {
          kind: "cells",
          x,
          y,
          cell,
          gap: 0,
          rows: cellsDown,
          columns: cellsAcross,
          colours: Array.from(list, colour),
        },
        { kind: "rect", ...frame, stroke, lineWidth: isChosen ? 2 : 1 },
      ];
    });
    const gridRows = Math.ceil(heads / inRow);
    const grid: Grid = {
      id: "heads",
      label: words.heads,
      x: 0,
      y: 0,
      cellWidth: stepX,
      cellHeight: stepY,
      rows: gridRows,
      columns: inRow,
      describe: (row, column) => words.headName(Math.min(heads, row * inRow + column + 1)),
    };
    return { width, height: gridRows * stepY + 6, marks, grids: [grid] };
  };
