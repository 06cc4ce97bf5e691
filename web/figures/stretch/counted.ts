/** Counts of pairs: those that have reached all angles, are kept, or reach new angles. */

import { type PairKind, pairKinds, type StretchedPair } from "../../engine/both/stretched-pairs.js";
import type { StretchAnswer } from "./messages.js";
import type { Counted } from "./words.js";

export function countPairs({ pairs, factor }: StretchAnswer): Counted {
  const count = (has: (pair: StretchedPair) => boolean) => pairs.filter(has).length;
  const kinds = Object.fromEntries(
    pairKinds.map((kind) => [kind, count((pair) => pair.kind === kind)]),
  ) as Record<PairKind, number>;
  return {
    pairs: pairs.length,
    kinds,
    rotated: count(({ hasRotated }) => hasRotated),
    isNew: count(({ isNew }) => isNew),
    wouldBeNew: factor > 1 ? count(({ hasRotated }) => !hasRotated) : 0,
  };
}

/** Returns some of the pairs, evenly spread, with the first and the last. */
export const spread = (pairs: number, wanted: number): number[] =>
  pairs <= wanted
    ? Array.from({ length: pairs }, (_, index) => index)
    : Array.from({ length: wanted }, (_, index) =>
        Math.round((index * (pairs - 1)) / (wanted - 1)),
      );
