/** Positions of a text that contains pictures. */
/** Tokens of a picture, row by row, or of a video, frame by frame. */
export interface PictureBlock {
  /** Index of its first token. */
  first: number;
  /** Default 1: a picture. */
  frames?: number;
  /** Rows of tokens, after patches were merged. */
  rows: number;
  columns: number;
  /** Positions from one frame to the next, rounded down; default 1. */
  timeStep?: number;
}

export interface PicturePositions {
  /** `[3,T]`: times, rows, columns; equal on all axes for tokens of text. */
  positions: { data: Int32Array; shape: number[] };
  /** A token generated with index n (from 0) has position n + delta on all axes. */
  delta: number;
}
