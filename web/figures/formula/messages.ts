/** Question of the figure about a formula, and the worker's answer. */
import type { FormulaOptions } from "whereformer";

export interface FormulaQuestion {
  options: FormulaOptions;
}

/** Attention among equal words: what differs between them is their position. */
export interface FormulaAnswer {
  numHeads: number;
  tokens: number;
  /** Cells on a side if tokens are those of a grid, row by row; none of them is masked. */
  side?: number;
  /** [heads, tokens, tokens]; in a text keys after the query are masked. */
  weights: Float32Array;
  /** What the formula adds to each logit, in the same shape; -Infinity hides a key. */
  added: Float32Array;
  /** Each logit's named terms, [heads, tokens, tokens] each. */
  terms: Record<string, Float32Array>;
  /**
   * Radians by which each pair is rotated, [heads, pairs, dials], if it rotates: at the first
   * positions of a text, in the first cells of a grid.
   */
  angles?: Float32Array;
  /** Rows that are added to token vectors, [tokens, channels]. */
  vectors?: Float32Array;
}

declare module "../../engine/both/messages.js" {
  interface Questions {
    formula: [FormulaQuestion, FormulaAnswer];
  }
}
