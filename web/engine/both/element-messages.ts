/** Questions of the elements for any page about schemes, and the worker's answers. */

/** A scheme by its id, with options written `key:value;key:value`. */
export interface SchemeQuestion {
  scheme: string;
  options: string;
}

/** Rows that a scheme adds to token vectors of this many channels, from position 0. */
export interface EncodingQuestion extends SchemeQuestion {
  length: number;
  channels: number;
}

export interface EncodingAnswer extends EncodingQuestion {
  /** [length, channels] */
  values: Float32Array;
  /** The rows are trained parameters, shown with their initial values. */
  isInitial: boolean;
}

/** Bias that a scheme adds to a logit at each distance, in each head. */
export interface BiasQuestion extends SchemeQuestion {
  heads: number;
  length: number;
}

export interface BiasAnswer extends BiasQuestion {
  /** [heads, length], by distance 0, 1, 2 … tokens back. */
  curves: Float32Array;
}

/** Rotary pairs of a scheme as a model's config.json sets it. */
export interface PairsQuestion {
  config: Record<string, unknown>;
  /** Tokens of the text that is read; 0 for the length to which the config extends the model. */
  length: number;
}

export interface PairsAnswer {
  config: Record<string, unknown>;
  /** Radians per position: without and with the scaling of the config. */
  before: Float32Array;
  after: Float32Array;
  /** Factor of cosine and sine. */
  attentionFactor: number;
  /** Tokens of a training window, from the config, and of the text. */
  trained: number;
  length: number;
}

/** Seed of the initial rows. */
export const encodingSeed = 5;

export interface ElementQuestions {
  encoding: [EncodingQuestion, EncodingAnswer];
  bias: [BiasQuestion, BiasAnswer];
  pairs: [PairsQuestion, PairsAnswer];
}
