/** Messages of the figures about rotation: hands that turn, and which channels make a pair. */
import type { Language } from "../../defaults.js";

/** A query and a key with (1, 0) in every pair, turned to their positions. */
export interface TurningQuestion {
  theta: number;
  query: number;
  key: number;
}

/** A query and a key that are (1, 0) alone, turned to their positions. */
export interface TurnedHands {
  at: readonly [query: number, key: number];
  query: readonly [number, number];
  key: readonly [number, number];
  product: number;
}

/** The question, with what came of it. */
export interface TurningAnswer extends TurningQuestion {
  /** One pair by itself: where it is asked for, and as far apart at other places. */
  hands: TurnedHands;
  places: TurnedHands[];
  /** Radians for one position, by pair. */
  frequencies: Float32Array;
  /** What each pair adds to the score; they sum to it. */
  pairs: Float32Array;
  score: number;
  /** The score by distance from 0 on, and what each pair adds to it [distances, pairs]. */
  scores: Float32Array;
  shares: Float32Array;
  /** RoFormer's bound of the score by distance. */
  bounds: Float32Array;
  /** The score by distance where pairs also fade with it, as in xPos. */
  fading: Float32Array;
}

export interface LayoutsQuestion {
  distance: number;
}

export const pairLayoutNames = ["neighbours", "halves"] as const;
export type PairLayout = (typeof pairLayoutNames)[number];

/** A vector turned without a matrix, number by number: x · cosines + exchanged · sines. */
export interface TurnedRows {
  x: Float32Array;
  cosines: Float32Array;
  /** The vector with the two of each pair exchanged, the first of them negated. */
  exchanged: Float32Array;
  sines: Float32Array;
  sum: Float32Array;
  /** The matrix times the vector, which is the same. */
  product: Float32Array;
}

/** The rotation as a matrix [size, size], in either layout, and what it makes of a vector. */
export interface LayoutsAnswer extends LayoutsQuestion, Record<PairLayout, Float32Array> {
  size: number;
  rows: Record<PairLayout, TurnedRows>;
}

/** A trained model read in its own layout, in the other, and in the other with reordered rows. */
export const readAs = ["own", "mixed", "reordered"] as const;
export type ReadAs = (typeof readAs)[number];

export interface MixedQuestion {
  folder: string;
}

export interface MixedAnswer {
  /** Bits a character of held-out text. */
  losses: Readonly<Record<ReadAs, Readonly<Record<Language, number>>>>;
  /** Held-out tokens that were predicted. */
  scored: number;
}
