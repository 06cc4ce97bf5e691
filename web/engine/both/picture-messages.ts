/** Messages of the figure about positions in pictures. */
import type { GridWindow } from "../../defaults.js";

/** How a cell of a grid sees the others through one scheme, as a trained model has it. */
export interface GridQuestion {
  /** Where the models of pictures lie. */
  folder: string;
  scheme: string;
  /** The cell that looks, of a picture of the model's own size. */
  row: number;
  column: number;
  head: number;
  /** Cells of a side to which a learned table is stretched; its own where a scheme has none. */
  side: number;
  /** How the picture is cut, for a scheme that sees no further than its window. */
  window: GridWindow;
}

/** The window around the cell that looks, and the head's table. */
export interface WindowAnswer {
  /** Row or column, from 0, with which each window begins; the same for both. */
  begins: readonly number[];
  /** First and last row and column that the cell sees. */
  rows: readonly [number, number];
  columns: readonly [number, number];
  /**
   * A number for each step from the cell that looks, rows down and columns to the right, [n, n]
   * with no step in the middle.
   */
  table: Float32Array;
  tableSide: number;
  /** Steps of a side that occur in any window: the inner part of the table. */
  usedSide: number;
  /** Cells of a side of the window that was trained with. */
  trained: number;
}

export interface GridAnswer extends Omit<GridQuestion, "folder"> {
  numHeads: number;
  /** What positions do: vectors that are added, hands that are turned, a bias of scores. */
  kind: "added" | "turned" | "bias";
  /** The cell that looks, in the stretched grid. */
  at: { row: number; column: number };
  /**
   * For each cell of the grid [side, side]: the cosine between the two added vectors; the score of
   * equal vectors as a share of the score without a turn; or the bias. Less the mean of all cells
   * that are seen, which softmax would cancel; not a number for the others.
   */
  position: Float32Array;
  /** Of a scheme with windows. */
  windowed?: WindowAnswer;
  /** Attention of the last layer's head over the picture [own, own], or over the window alone. */
  weights: Float32Array;
  /** Cells of a side of the picture that the model reads. */
  own: number;
}
