/** Messages of the figure about positions in pictures. */

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
}

export interface GridAnswer extends Omit<GridQuestion, "folder"> {
  numHeads: number;
  /** What positions do: vectors that are added, hands that are turned, a bias of scores. */
  kind: "added" | "turned" | "bias";
  /** The cell that looks, in the stretched grid. */
  at: { row: number; column: number };
  /**
   * For each cell of the grid [side, side]: the cosine between the two added vectors; the score of
   * equal vectors as a share of the score without a turn; or the bias. Less the mean of all cells,
   * which softmax would cancel.
   */
  position: Float32Array;
  /** Attention of the last layer's head over the picture [own, own]. */
  weights: Float32Array;
  /** Cells of a side of the picture that the model reads. */
  own: number;
}
