/** Where a position can enter a layer: at the word, at query and key, at the score. */
export const sockets = ["word", "rotation", "bias"] as const;
export type Socket = (typeof sockets)[number];

/** A scheme with its properties and its costs, at the sizes of docs/table.en.md. */

export interface CatalogueRow {
  scheme: string;
  /** none, absolute, relative, rotary, latent, grid */
  family: string;
  /** Axes of a position: 1 for text, 2 for a grid, 3 for video, 0 for any number. */
  positionAxes: number;
  /** The sockets that it uses with its default options. */
  sockets: readonly Socket[];
  isShiftInvariant: boolean;
  /** Works in attention without a causal mask. */
  isBidirectional: boolean;
  decodes: boolean;
  /** There is a largest position or distance. */
  ends: boolean;
  /** The largest position is that of a table as long as the training. */
  hasTable: boolean;
  /**
   * Longest of the offered texts for which the scheme is defined; Infinity without a limit, or if
   * the limit is the length of its table.
   */
  reach: number;
  /** Trained parameters in the whole model. */
  parameters: number;
  /** Operations in a layer, as a share of those of q·k and of weights × values. */
  share: number;
  /** Bytes of a KV cache for each token and layer. */
  cacheBytes: number;
}
