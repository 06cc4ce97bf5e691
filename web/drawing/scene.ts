/**
 * A picture as data: a list of marks, and the regions of it that can be walked cell by cell.
 * Figures build one; paint.ts puts it on a canvas, svg.ts writes it as a vector file. Lengths in
 * CSS pixels.
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
  /** Radians, clockwise, about (x, y). */
  turn?: number;
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
  /** Hatched both ways: nothing is defined there, which is not to be masked. */
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
  /** Of the fill, so that what lies under it is seen; default 1. */
  fillOpacity?: number;
}

/** Evenly spaced cells, row-major colours; `undefined` is left as paper. */
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

/** Pixels, where cells are too many to be marks; square ones, never smoothed. */
export interface ImageMark {
  kind: "image";
  x: number;
  y: number;
  width: number;
  height: number;
  image: HTMLCanvasElement;
}

export type Mark = TextMark | RectMark | PathMark | CellsMark | ImageMark;

/** A part of the picture that keyboard, pointer and screen reader walk cell by cell. */
export interface Grid {
  id: string;
  /** What the grid is, for a screen reader. */
  label: string;
  x: number;
  y: number;
  cellWidth: number;
  cellHeight: number;
  rows: number;
  columns: number;
  /** Text of a cell: where it stands and its value. */
  describe: (row: number, column: number) => string;
}

/** What depends on the cell that is marked: drawn over the rest, walked after the rest. */
export interface Over {
  marks: readonly Mark[];
  grids?: readonly Grid[];
}

export interface Picture {
  width: number;
  height: number;
  /** Room above the point from which marks are measured, in a picture that is taken away. */
  above?: number;
  marks: Mark[];
  grids: Grid[];
  /** Takes no more room than the picture has, whichever cell is marked. */
  over?: (active: Cell | undefined) => Over;
  /** Faces of its texts, as CSS lists them; the system's where it names none. */
  faces?: string;
}

export interface Cell {
  row: number;
  column: number;
}

export interface CellAddress extends Cell {
  grid: string;
}

/** Gives the width of a text in CSS pixels; the one thing a layout has to ask of the screen. */
export type Measure = (text: string, size: number) => number;
