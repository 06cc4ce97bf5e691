/** Question of the figure about positions in pictures, and the worker's answer. */
import type { GridWindow } from "../../defaults.js";

/** The attention of one cell of a grid to the others under one scheme, in a trained model. */
export interface GridQuestion {
  /** Folder of the models of pictures. */
  folder: string;
  scheme: string;
  /** Row of the query's cell, in a picture of the model's own size. */
  row: number;
  column: number;
  head: number;
  /**
   * Cells on a side of the grid to which a learned table is stretched; the own size for a scheme
   * without one.
   */
  side: number;
  /** Division of the picture into windows, for a scheme whose attention stays within a window. */
  window: GridWindow;
}

/** The window around the query's cell, and the head's table. */
export interface WindowAnswer {
  /** First row or column of each window, from 0; rows and columns have the same. */
  begins: readonly number[];
  /** First and last row and column that are visible to the query. */
  rows: readonly [number, number];
  columns: readonly [number, number];
  /**
   * A number for each offset from the query's cell, rows down and columns to the right, [n, n],
   * with offset zero in the middle.
   */
  table: Float32Array;
  tableSide: number;
  /** Offsets on a side of the table's inner part, which occur in some window. */
  usedSide: number;
  /** Cells on a side of the training's window. */
  trained: number;
}

export interface GridAnswer extends Omit<GridQuestion, "folder"> {
  numHeads: number;
  /** Effect of positions: vectors that are added, pairs that are rotated, or a bias on logits. */
  kind: "added" | "rotated" | "bias";
  /** The query's cell, in the stretched grid. */
  at: { row: number; column: number };
  /**
   * For each cell of the grid [side, side]: the cosine between the two added vectors; or the logit
   * of equal vectors, as a share of the logit without rotation; or the bias. Less the mean over all
   * visible cells, which the softmax cancels; NaN for hidden cells.
   */
  position: Float32Array;
  /** Undefined for a scheme without windows. */
  windowed?: WindowAnswer;
  /** Weights of the last layer's head over the picture [own, own], or over the window alone. */
  weights: Float32Array;
  /** Cells on a side of the picture that the model reads. */
  pictureSide: number;
}

declare module "../../engine/both/messages.js" {
  interface Questions {
    grid: [GridQuestion, GridAnswer];
  }
}
