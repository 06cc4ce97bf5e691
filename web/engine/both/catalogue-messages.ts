/** All schemes with what they claim and what they cost, at the sizes of the project's table. */

export interface CatalogueRow {
  scheme: string;
  /** none, absolute, relative, rotary, latent, grid */
  family: string;
  /** 1 for a text, 2 for a grid, 3 for a video, 0 for any. */
  positionAxes: number;
  isShiftInvariant: boolean;
  /** Works where a token sees those after it, too. */
  isBidirectional: boolean;
  decodes: boolean;
  /** Positions or distances end somewhere. */
  ends: boolean;
  /** They end with a table that is as long as the training. */
  hasTable: boolean;
  /**
   * The longest text of those to choose from at which it is defined; Infinity where it ends nowhere
   * or with its table.
   */
  reach: number;
  /** Trained numbers in the whole model. */
  parameters: number;
  /** Operations in a layer, as a share of attention's own two products. */
  share: number;
  /** Of a KV cache, for each token and layer. */
  cacheBytes: number;
}
