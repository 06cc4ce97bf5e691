/** Questions of the figure about vectors that are added to words, and the worker's answers. */

/** Vectors that a scheme adds to token vectors, in a trained model. */
export interface AddedQuestion {
  folder: string;
  scheme: string;
  /** Base of the sinusoids. */
  base: number;
}

/** The question as it was answered, with the numbers. */
export interface AddedAnswer extends Omit<AddedQuestion, "folder"> {
  /** Number of shown positions for which the scheme is defined, from 0. */
  positions: number;
  channels: number;
  /** [positions, channels] */
  values: Float32Array;
  /** Radians per position, by pair of channels; only for sinusoids. */
  frequencies?: Float32Array;
  /** Dot products of the rows of some positions with those before them, [queries, distances]. */
  products: Float32Array;
  /** The engine's error for the first position past the end. */
  refusal?: string;
}

/** Products of rows through W_q and W_k of a head, in a model's first layer. */
export interface ProjectedQuestion {
  folder: string;
  scheme: string;
  head: number;
}

export interface ProjectedAnswer extends Omit<ProjectedQuestion, "folder"> {
  numHeads: number;
  /** [queries, distances] */
  products: Float32Array;
}

declare module "../../engine/both/messages.js" {
  interface Questions {
    added: [AddedQuestion, AddedAnswer];
    projected: [ProjectedQuestion, ProjectedAnswer];
  }
}
