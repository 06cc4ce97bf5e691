/** Question of the figure about a text that is being written, and the worker's answer. */

/**
 * A trained model continues a text by at most `count` tokens, and its rows for one head are
 * recorded as it writes. The same seed gives the same tokens, however many.
 */
export interface WritingQuestion {
  folder: string;
  scheme: string;
  text: string;
  /** Maximum tokens of `text`. */
  longest: number;
  count: number;
  layer: number;
  head: number;
  seed: number;
}

/** How tokens are drawn. */
export const drawn = { temperature: 0.6, topK: 20 };

/** A generated token's row, over all tokens up to itself. */
export interface WrittenRow {
  weights: Float32Array;
  /** Terms by name; their sum is the score of each token. */
  terms: Record<string, Float32Array>;
}

export interface WritingAnswer extends Omit<WritingQuestion, "folder" | "text" | "longest"> {
  /** Texts of all tokens: those of the beginning, then the generated ones. */
  tokens: string[];
  /** Tokens of the beginning. */
  promptTokens: number;
  /** Ids of the generated ones. */
  written: number[];
  /** Of each generated token. */
  rows: WrittenRow[];
  numLayers: number;
  numHeads: number;
  /** Whether the text has ended, so that nothing comes after it. */
  isEnded: boolean;
}

declare module "../../engine/both/messages.js" {
  interface Questions {
    writing: [WritingQuestion, WritingAnswer];
  }
}
