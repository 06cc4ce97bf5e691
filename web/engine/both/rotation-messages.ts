/** Messages of the figures about rotation: hands that turn, and which channels make a pair. */
import type { Language } from "../../defaults.js";

/** A query and a key with (1, 0) in every pair, turned to their positions. */
export interface TurningQuestion {
  theta: number;
  query: number;
  key: number;
}

/** The question, with what came of it. */
export interface TurningAnswer extends TurningQuestion {
  /** Radians for one position, by pair. */
  frequencies: Float32Array;
  /** What each pair adds to the score; they sum to it. */
  pairs: Float32Array;
  score: number;
  /** The score by distance from 0 on. */
  scores: Float32Array;
  /** RoFormer's bound of the score by distance. */
  bounds: Float32Array;
  /** The score by distance where pairs also fade with it, as in xPos. */
  fading: Float32Array;
}

export interface LayoutsQuestion {
  distance: number;
}

/** The rotation by a distance as a matrix [size, size], in either layout. */
export interface LayoutsAnswer extends LayoutsQuestion {
  size: number;
  neighbours: Float32Array;
  halves: Float32Array;
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
