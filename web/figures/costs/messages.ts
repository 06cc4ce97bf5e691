/** Question of the figure about costs, and the worker's answer. */

/** Sizes of the attention layer that is timed. */
export interface CostSizes {
  tokens: number;
  headDim: number;
  numHeads: number;
}

/** Medians over interleaved rounds. */
export interface MeasuredScheme {
  scheme: string;
  /** Time of the layer without positions, times the ratio. */
  microseconds: number;
  /** Ratio of the time to that of the layer without positions, computed within each round. */
  ratio: number;
  /** Interquartile range of the rounds' ratios, of which `ratio` is the median. */
  range: readonly [number, number];
  /** Ratio of the operations to those of the layer without positions, by formula. */
  formula: number;
  rounds: number;
  /** Trained parameters that the scheme adds to one layer, with those of the whole model. */
  parameters: number;
  /** Bytes of a KV cache for each token and layer. */
  cacheBytes: number;
}

export interface SchemeCostsAnswer {
  sizes: CostSizes;
  /** The layer without positions. */
  base: MeasuredScheme;
  /** Quartiles of the time in microseconds, over all rounds; far apart if the device is busy. */
  quartiles: readonly [number, number];
  /** All other schemes, in the order of their formula, the cheapest first. */
  rows: MeasuredScheme[];
  /** Operations of the layer without positions, in one pass. */
  operations: number;
  variant: string;
}

declare module "../../engine/both/messages.js" {
  interface Questions {
    costs: [CostSizes, SchemeCostsAnswer];
  }
}
