/** Questions about rotation: pairs of channels as clock hands, and which channels form a pair. */
import type { Language } from "../../defaults.js";

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

export interface LayoutsQuestion {
  distance: number;
}

export const pairLayoutNames = ["neighbours", "halves"] as const;
export type PairLayout = (typeof pairLayoutNames)[number];

/** A vector rotated without a matrix: x · cosines + exchanged · sines, element by element. */
export interface RotatedRows {
  x: Float32Array;
  cosines: Float32Array;
  /** The vector with the two channels of each pair exchanged, and the first one negated. */
  exchanged: Float32Array;
  sines: Float32Array;
  sum: Float32Array;
  /** The matrix times the vector, which equals that sum. */
  product: Float32Array;
}

/** The rotation as a matrix [size, size] in either pair layout, and its product with a vector. */
export interface LayoutsAnswer extends LayoutsQuestion, Record<PairLayout, Float32Array> {
  size: number;
  rows: Record<PairLayout, RotatedRows>;
}

/**
 * A trained model read in its own pair layout, in the other, and in the other with reordered rows.
 */
export const readAs = ["trained", "mixed", "reordered"] as const;
export type ReadAs = (typeof readAs)[number];

export interface MixedQuestion {
  folder: string;
}

export interface MixedAnswer {
  /** Bits per character of held-out text. */
  losses: Readonly<Record<ReadAs, Readonly<Record<Language, number>>>>;
  /** Held-out tokens that were predicted. */
  scored: number;
}
