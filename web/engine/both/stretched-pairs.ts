/** What a scaling does to pairs that turn: kept, blended or divided, and what is new to them. */
import type { PairKind, StretchedPair } from "./stretch-messages.js";

/** Rounding of float32, and the two decimals of LongRoPE's list. */
const rounding = 0.002;

/** Tokens for one turn. */
export const wavelength = (radians: number): number => (2 * Math.PI) / radians;

function kindOf(divisor: number, factor: number): PairKind {
  if (divisor < 1 + rounding) return "kept";
  return divisor > factor * (1 - rounding) ? "divided" : "blended";
}

/**
 * Radians for one position before and after, trained on `length` tokens, read `factor` as many;
 * `whole` is what the method divides by where it divides by all of it.
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
    const hasTurned = length * before >= 2 * Math.PI;
    const seen = (length - 1) * before;
    const reached = (factor * length - 1) * after;
    // The last token of a text n times as long stands less than n times as far.
    const isNew = !hasTurned && reached > seen * (1 + 1 / length + rounding);
    return { before, after, hasTurned, isNew, kind: kindOf(before / after, whole) };
  });
}
