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
