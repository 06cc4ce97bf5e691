/** What the figures about the cache ask, and what they are answered. */

/** Sizes for which a cache is counted. */
export interface CacheQuestion {
  numHeads: number;
  /** Heads of keys and values where groups of queries share them. */
  groups: number;
  headDim: number;
  /** Channels of the latent vector, and of the slice that turns. */
  rank: number;
  slice: number;
}

export const cacheKinds = ["mha", "gqa", "mqa", "latent"] as const;
export type CacheKind = (typeof cacheKinds)[number];

export interface CacheBytesAnswer extends CacheQuestion {
  /** Numbers that each keeps for a token and layer. */
  numbers: Record<CacheKind, number>;
}

/** A query and a key so far apart, in a head that is turned and in one that is not. */
export interface AbsorbQuestion {
  distance: number;
}

export interface AbsorbAnswer extends AbsorbQuestion {
  /** W_UQᵀ R W_UK at this distance and without R, [rank,rank]. */
  turned: Float32Array;
  plain: Float32Array;
  /** Largest change of an entry from distance 0. */
  change: number;
  /** By distance from 0 on: the two parts of a latent head's score. */
  content: Float32Array;
  position: Float32Array;
}

/** How long one token takes to decode, with so many in the cache. */
export interface FormsQuestion {
  tokens: number;
}

export const decodingForms = ["expanded", "absorbed", "remade"] as const;
export type DecodingForm = (typeof decodingForms)[number];

export interface MeasuredForm {
  form: DecodingForm;
  microseconds: number;
  /** Of its time in microseconds, over all rounds. */
  quartiles: readonly [number, number];
  /** Numbers that it keeps for a token. */
  cached: number;
  /** Multiplications and additions for one token. */
  operations: number;
}

export interface FormsAnswer extends FormsQuestion {
  forms: MeasuredForm[];
  /** Between the outputs of the forms, and the typical size of an entry. */
  difference: number;
  size: number;
  variant: string;
}
