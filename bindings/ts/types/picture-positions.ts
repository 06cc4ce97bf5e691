/** Positions of a text with pictures in it. */
/** Tokens that are cells of a picture, row by row, or of a video, frame by frame. */
export interface PictureBlock {
  /** Index of its first token. */
  first: number;
  /** Default 1: a picture. */
  frames?: number;
  /** Of tokens, after patches were merged. */
  rows: number;
  columns: number;
  /** Positions from frame to frame, fractions of a time dropped; default 1. */
  timeStep?: number;
}

export interface PicturePositions {
  /** `[3,T]`: times, rows, columns; a text's token has the same in all. */
  positions: { data: Int32Array; shape: number[] };
  /** A token decoded as number n (from 0) has position n + delta on all axes. */
  delta: number;
}
