/**
 * A picture as data: a list of marks, and the regions of it that a reader can move through cell by
 * cell. Figures create pictures; paint.ts draws them on a canvas, svg.ts writes them as vector
 * files. Lengths are in CSS pixels.
 */

export interface TextMark {
  kind: "text";
  x: number;
  y: number;
  text: string;
  fill: string;
  size: number;
  align?: "left" | "center" | "right";
  weight?: number;
  /** Angle in radians, clockwise, about (x, y). */
  rotation?: number;
}

export interface RectMark {
  kind: "rect";
  x: number;
  y: number;
  width: number;
  height: number;
  fill?: string;
  stroke?: string;
  lineWidth?: number;
  /** Diagonal hatching in this colour: masked, not zero. */
  hatch?: string;
  /** Hatched in both directions: undefined, as distinct from masked. */
  isCrossed?: boolean;
}

export interface PathMark {
  kind: "path";
  /** SVG path data. */
  d: string;
  stroke: string;
  width: number;
  dash?: readonly number[];
  fill?: string;
  /** Opacity of the fill; default 1. */
  fillOpacity?: number;
}

/** Evenly spaced cells with row-major colours; `undefined` is left blank. */
export interface CellsMark {
  kind: "cells";
  x: number;
  y: number;
  cell: number;
  gap: number;
  rows: number;
  columns: number;
  colours: readonly (string | undefined)[];
}

/** Pixels, for cells too many to be marks; square, never smoothed. */
export interface ImageMark {
  kind: "image";
  x: number;
  y: number;
  width: number;
  height: number;
  image: HTMLCanvasElement;
}

export type Mark = TextMark | RectMark | PathMark | CellsMark | ImageMark;

/** A region of the picture through which keyboard, pointer and screen reader move cell by cell. */
export interface Grid {
  id: string;
  /** Description of the grid, for a screen reader. */
  label: string;
  x: number;
  y: number;
  cellWidth: number;
  cellHeight: number;
  rows: number;
  columns: number;
  /** Middles of the cells of a single row that are not evenly spaced. */
  points?: readonly { x: number; y: number }[];
  /** Returns the text of a cell: its row and column, and its value. */
  describe: (row: number, column: number) => string;
}

/**
 * The part that depends on the marked cell: drawn over the rest, and after it in the order of keys.
 */
export interface Over {
  marks: readonly Mark[];
  grids?: readonly Grid[];
}

export interface Picture {
  width: number;
  height: number;
  /** Space above the origin of the marks, in a picture that is saved. */
  above?: number;
  marks: Mark[];
  grids: Grid[];
  /** Returns the part for a marked cell, which stays within the picture's size. */
  over?: (active: Cell | undefined) => Over;
  /** Fonts of its texts, as a CSS list; by default the system's. */
  faces?: string;
}

export interface Cell {
  row: number;
  column: number;
}

export interface CellAddress extends Cell {
  grid: string;
}

/**
 * Returns the width of a text in CSS pixels; the only function of the screen that a layout needs.
 */
export type Measure = (text: string, size: number) => number;
