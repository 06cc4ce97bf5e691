/**
 * Questions of the figure about pair layouts: which channels form a pair, and the worker's answers.
 */
import type { Language } from "../../defaults.js";

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

declare module "../../engine/both/messages.js" {
  interface Questions {
    layouts: [LayoutsQuestion, LayoutsAnswer];
    mixed: [MixedQuestion, MixedAnswer];
  }
}
