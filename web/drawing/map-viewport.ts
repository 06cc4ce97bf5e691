/**
 * The part of a map in view, in cells of the map, and its movements, as pure functions. A box is
 * the map's size on the screen, in CSS pixels.
 */
import type { Cell } from "./scene.js";

export interface Viewport {
  /** Column and row at the corner; may be fractions. */
  left: number;
  top: number;
  /** Columns over the width of the box. */
  across: number;
}

export interface MapSize {
  rows: number;
  columns: number;
}

export interface Box {
  width: number;
  height: number;
}

/** Minimum columns in view; fewer would show nothing more. */
const fewestAcross = 4;

/** Returns the side of a cell in CSS pixels. */
export const cellSide = ({ across }: Viewport, { width }: Box): number => width / across;

/** The whole map. */
export const wholeMap = ({ rows, columns }: MapSize, { width, height }: Box): Viewport => ({
  left: 0,
  top: 0,
  across: Math.max(1, columns, (rows * width) / height),
});

const between = (value: number, min: number, max: number): number =>
  Math.min(Math.max(value, min), Math.max(min, max));

/** Returns the nearest view inside the map. */
export function insideMap(view: Viewport, size: MapSize, box: Box): Viewport {
  const whole = wholeMap(size, box).across;
  const across = between(view.across, Math.min(fewestAcross, whole), whole);
  const down = (across * box.height) / box.width;
  return {
    left: between(view.left, 0, size.columns - across),
    top: between(view.top, 0, size.rows - down),
    across,
  };
}

export const isWhole = (view: Viewport, size: MapSize, box: Box): boolean =>
  view.across >= wholeMap(size, box).across - 1e-6;

/** Zooms in by `factor` about the point (x, y) of the box. */
export function zoomed(
  view: Viewport,
  factor: number,
  { x, y }: { x: number; y: number },
  size: MapSize,
  box: Box,
): Viewport {
  const before = cellSide(view, box);
  const { across } = insideMap({ ...view, across: view.across / factor }, size, box);
  const after = box.width / across;
  const left = view.left + x / before - x / after;
  const top = view.top + y / before - y / after;
  return insideMap({ left, top, across }, size, box);
}

/** Moves the view by a drag of this many CSS pixels. */
export function panned(view: Viewport, dx: number, dy: number, size: MapSize, box: Box): Viewport {
  const side = cellSide(view, box);
  return insideMap({ ...view, left: view.left - dx / side, top: view.top - dy / side }, size, box);
}

/** Moves the view just far enough to show the cell. */
export function revealing(view: Viewport, cell: Cell, size: MapSize, box: Box): Viewport {
  const down = (view.across * box.height) / box.width;
  return insideMap(
    {
      ...view,
      left: between(view.left, cell.column + 1 - view.across, cell.column),
      top: between(view.top, cell.row + 1 - down, cell.row),
    },
    size,
    box,
  );
}

/** Returns the view of a selected rectangle, from one corner to the other, in cells. */
export function brushed(
  from: { x: number; y: number },
  to: { x: number; y: number },
  size: MapSize,
  box: Box,
): Viewport {
  const down = Math.abs(to.y - from.y);
  const across = Math.max(Math.abs(to.x - from.x), (down * box.width) / box.height);
  return insideMap(
    { left: Math.min(from.x, to.x), top: Math.min(from.y, to.y), across },
    size,
    box,
  );
}

/** Returns the cell at a point of the box. */
export function cellAtPoint(
  view: Viewport,
  { x, y }: { x: number; y: number },
  size: MapSize,
  box: Box,
): Cell | undefined {
  const side = cellSide(view, box);
  const column = Math.floor(view.left + x / side);
  const row = Math.floor(view.top + y / side);
  const isInside =
    x >= 0 && y >= 0 && x < box.width && y < box.height && row < size.rows && column < size.columns;
  return isInside ? { row, column } : undefined;
}
