/**
 * The effect of a scaling on rotary pairs: kept, blended or divided, and whether angles are new.
 */

export const pairKinds = ["kept", "blended", "divided"] as const;
export type PairKind = (typeof pairKinds)[number];

export interface StretchedPair {
  /** Radians per position, in training and after stretching. */
  before: number;
  after: number;
  kind: PairKind;
  /** Makes at least one full rotation within the trained length. */
  hasRotated: boolean;
  /** Reaches angles at the end of the longer text that did not occur in training. */
  isNew: boolean;
}

/** Tolerance for rounding of float32 and for the two decimals of LongRoPE's list. */
const rounding = 0.002;

/** Returns the tokens for one full rotation. */
export const wavelength = (radians: number): number => (2 * Math.PI) / radians;

function kindOf(divisor: number, factor: number): PairKind {
  if (divisor < 1 + rounding) return "kept";
  return divisor > factor * (1 - rounding) ? "divided" : "blended";
}

/**
 * Classifies pairs by their radians per position before and after, for a model trained on `length`
 * tokens that reads `factor` times as many. `whole` is the divisor of a pair that the method
 * divides in full.
 */
export function stretchedPairs(
  plain: ArrayLike<number>,
  stretched: ArrayLike<number>,
  length: number,
  factor: number,
  whole = factor,
): StretchedPair[] {
  return Array.from(plain, (before, pair): StretchedPair => {
    const after = stretched[pair]!;
    const hasRotated = length * before >= 2 * Math.PI;
    const seen = (length - 1) * before;
    const reached = (factor * length - 1) * after;
    // In a text n times as long, the last position is less than n times as large.
    const isNew = !hasRotated && reached > seen * (1 + 1 / length + rounding);
    return { before, after, hasRotated, isNew, kind: kindOf(before / after, whole) };
  });
}
