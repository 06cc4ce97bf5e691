/** Movement through the cells of a picture by key and by pointer. */
import type { Grid } from "./scene.js";

export interface Standing {
  row: number;
  column: number;
}

type Size = Pick<Grid, "rows" | "columns">;

const clamp = (value: number, max: number) => Math.min(Math.max(value, 0), max);

/** Returns the nearest cell inside the grid. */
export const within = ({ rows, columns }: Size, { row, column }: Standing): Standing => ({
  row: clamp(row, rows - 1),
  column: clamp(column, columns - 1),
});

const steps: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Enter: [0, 0],
  " ": [0, 0],
};

export interface Key {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/**
 * Returns the cell to which a key leads: arrows move one step, Home and End along the row, with
 * Control to the corners; Enter and Space stay. Undefined for other keys.
 */
export function walk(
  size: Size,
  from: Standing,
  { key, ctrlKey, altKey, metaKey }: Key,
): Standing | undefined {
  if (altKey || metaKey) return undefined;
  const step = steps[key];
  if (step) return within(size, { row: from.row + step[0], column: from.column + step[1] });
  if (key === "Home") return { row: ctrlKey ? 0 : from.row, column: 0 };
  if (key === "End") return { row: ctrlKey ? size.rows - 1 : from.row, column: size.columns - 1 };
  return undefined;
}

/** Returns the left upper corner of a cell. */
export function cornerOf(grid: Grid, { row, column }: Standing): { x: number; y: number } {
  const { x, y, cellWidth, cellHeight, points } = grid;
  const middle = points?.[column];
  return middle
    ? { x: middle.x - cellWidth / 2, y: middle.y - cellHeight / 2 }
    : { x: x + column * cellWidth, y: y + row * cellHeight };
}

/** Returns the nearest of the points whose cell contains (x, y). */
function pointUnder(
  { points = [], cellWidth, cellHeight }: Grid,
  x: number,
  y: number,
): number | undefined {
  const distances = points.map((point) => {
    const isInside =
      Math.abs(point.x - x) <= cellWidth / 2 && Math.abs(point.y - y) <= cellHeight / 2;
    return isInside ? Math.hypot(point.x - x, point.y - y) : Number.POSITIVE_INFINITY;
  });
  const nearest = Math.min(...distances);
  return Number.isFinite(nearest) ? distances.indexOf(nearest) : undefined;
}

/** Returns the cell at a point of the picture, in CSS pixels. */
export function cellUnder(
  grids: readonly Grid[],
  x: number,
  y: number,
): ({ grid: Grid } & Standing) | undefined {
  for (const grid of grids) {
    if (grid.points) {
      const column = pointUnder(grid, x, y);
      if (column !== undefined) return { grid, row: 0, column };
      continue;
    }
    const column = Math.floor((x - grid.x) / grid.cellWidth);
    const row = Math.floor((y - grid.y) / grid.cellHeight);
    const isInside = row >= 0 && column >= 0 && row < grid.rows && column < grid.columns;
    if (isInside) return { grid, row, column };
  }
  return undefined;
}
