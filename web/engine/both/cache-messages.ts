/** Questions about the KV cache, and the worker's answers. */

/** Sizes for which a cache is computed. */
export interface CacheQuestion {
  numHeads: number;
  /** Key and value heads under grouped-query attention. */
  groups: number;
  headDim: number;
  /** Channels of the latent vector, and of the slice of a query or key that is rotated. */
  rank: number;
  slice: number;
}

export const cacheKinds = ["mha", "gqa", "mqa", "latent"] as const;
export type CacheKind = (typeof cacheKinds)[number];

export interface CacheBytesAnswer extends CacheQuestion {
  /** Numbers that each kind of cache keeps for one token in one layer. */
  numbers: Record<CacheKind, number>;
}

/** A query and a key at this distance, in a head with a rotation and in one without. */
export interface AbsorbQuestion {
  distance: number;
}

export interface AbsorbAnswer extends AbsorbQuestion {
  /** W_UQᵀ R W_UK, [rank,rank]: with the rotation R of this distance, and without R. */
  rotated: Float32Array;
  plain: Float32Array;
  /** Largest change of an entry, compared with distance 0. */
  change: number;
  /** The two parts of a latent head's logit, by distance from 0. */
  content: Float32Array;
  position: Float32Array;
}

/** Asks how long one token takes to decode with this many tokens in the cache. */
export interface FormsQuestion {
  tokens: number;
}

export const decodingForms = ["expanded", "absorbed", "remade"] as const;
export type DecodingForm = (typeof decodingForms)[number];

export interface MeasuredForm {
  form: DecodingForm;
  microseconds: number;
  /** First and third quartile of the time in microseconds, over all rounds. */
  quartiles: readonly [number, number];
  /** Numbers that the cache keeps for one token. */
  cached: number;
  /** Multiplications and additions for one token. */
  operations: number;
}

export interface FormsAnswer extends FormsQuestion {
  forms: MeasuredForm[];
  /** Largest difference between the outputs of the forms, and the typical size of an entry. */
  difference: number;
  size: number;
  variant: string;
}
