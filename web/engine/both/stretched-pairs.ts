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

const fullCircle = 2 * Math.PI;

/** Tolerance for rounding of float32 and for the two decimals of LongRoPE's list. */
const rounding = 0.002;

/** Returns the tokens for one full rotation. */
export const wavelength = (radians: number): number => fullCircle / radians;

function kindOf(divisor: number, factor: number): PairKind {
  if (divisor < 1 + rounding) return "kept";
  return divisor > factor * (1 - rounding) ? "divided" : "blended";
}

/**
 * Returns whether a pair reaches angles in a text of `factor` times the trained length that did not
 * occur in training.
 */
export function reachesNew(
  { before, after }: Pick<StretchedPair, "before" | "after">,
  length: number,
  factor: number,
): boolean {
  const seen = (length - 1) * before;
  const reached = (factor * length - 1) * after;
  // In a text n times as long, the last position is less than n times as large.
  return length * before < fullCircle && reached > seen * (1 + 1 / length + rounding);
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
    const hasRotated = length * before >= fullCircle;
    const isNew = reachesNew({ before, after }, length, factor);
    return { before, after, hasRotated, isNew, kind: kindOf(before / after, whole) };
  });
}
