/** What the elements for any page ask of schemes, and what they are answered. */

/** A scheme by its id, with options written `key:value;key:value`. */
export interface SchemeQuestion {
  scheme: string;
  options: string;
}

/** What a scheme adds to token vectors of so many channels at the first positions. */
export interface EncodingQuestion extends SchemeQuestion {
  length: number;
  channels: number;
}

export interface EncodingAnswer extends EncodingQuestion {
  /** [length, channels] */
  values: Float32Array;
  /** The rows are trained: these are the ones that training would begin with. */
  isInitial: boolean;
}

/** What a scheme adds to a score at each distance, in each head. */
export interface BiasQuestion extends SchemeQuestion {
  heads: number;
  length: number;
}

export interface BiasAnswer extends BiasQuestion {
  /** [heads, length], by distance 0, 1, 2 … tokens back. */
  curves: Float32Array;
}

/** The pairs of a rotary scheme, as a model's config.json has it. */
export interface PairsQuestion {
  config: Record<string, unknown>;
  /** Tokens of the text that is read; 0 takes what the config has been stretched to. */
  length: number;
}

export interface PairsAnswer {
  config: Record<string, unknown>;
  /** Radians for one position: without and with the scaling of the config. */
  before: Float32Array;
  after: Float32Array;
  /** On cosine and sine. */
  attentionFactor: number;
  /** Tokens of the training, as the config says, and of the text. */
  trained: number;
  length: number;
}

/** Of initial rows. */
export const encodingSeed = 5;

export interface ElementQuestions {
  encoding: [EncodingQuestion, EncodingAnswer];
  bias: [BiasQuestion, BiasAnswer];
  pairs: [PairsQuestion, PairsAnswer];
}
