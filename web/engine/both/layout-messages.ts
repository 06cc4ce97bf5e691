/** Messages of the figure about which channels make a pair. */
import type { Language } from "../../defaults.js";

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
