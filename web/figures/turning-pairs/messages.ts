/**
 * Question of the figure about rotation: pairs of channels as clock hands, and the worker's answer.
 */

/** A query and a key with (1, 0) in every pair, rotated to their positions. */
export interface RotationQuestion {
  theta: number;
  query: number;
  key: number;
}

/** A query and a key that consist of one pair (1, 0), rotated to their positions. */
export interface RotatedHands {
  at: readonly [query: number, key: number];
  query: readonly [number, number];
  key: readonly [number, number];
  product: number;
}

/** The question as it was answered, with the numbers. */
export interface RotationAnswer extends RotationQuestion {
  /** One pair by itself: at the positions of the question, and at others with the same distance. */
  hands: RotatedHands;
  shiftedHands: RotatedHands[];
  /** Radians per position, by pair. */
  frequencies: Float32Array;
  /** Part of each pair in the logit; their sum is the logit. */
  pairs: Float32Array;
  score: number;
  /** The logit by distance from 0, and the part of each pair in it [distances, pairs]. */
  scores: Float32Array;
  shares: Float32Array;
  /** RoFormer's upper bound of the logit by distance. */
  bounds: Float32Array;
  /** The logit by distance if pairs also decay with the distance, as in xPos. */
  fading: Float32Array;
}

declare module "../../engine/both/messages.js" {
  interface Questions {
    rotation: [RotationQuestion, RotationAnswer];
  }
}
