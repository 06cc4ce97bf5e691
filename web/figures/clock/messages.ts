/** Question of the clock: the pairs of a head, and a score at every distance. */

/** The clock is always that of the same head. */
export type ClockQuestion = Record<never, never>;

/** A query and a key with (1, 0) in every pair, rotated to their positions. */
export interface ClockAnswer {
  /** Radians per position, by pair. */
  frequencies: Float32Array;
  /** The logit by distance from 0, and the part of each pair in it [distances, pairs]. */
  scores: Float32Array;
  shares: Float32Array;
}

declare module "../../engine/both/messages.js" {
  interface Questions {
    clock: [ClockQuestion, ClockAnswer];
  }
}
