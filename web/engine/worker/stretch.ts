/** Pairs of channels that turn, before and after a method of stretching. */
import type { Engine } from "whereformer";
import { asScheme, longropeFactor, sightedScheme, stretchHeads } from "../../defaults.js";
import type {
  PairKind,
  StretchAnswer,
  StretchedPair,
  StretchQuestion,
} from "../both/stretch-messages.js";
import { phiLongFactor, scalingOf } from "./stretched-scheme.js";

/** Rounding of float32, and the two decimals of LongRoPE's list. */
const rounding = 0.002;

function kindOf(divisor: number, factor: number): PairKind {
  if (divisor < 1 + rounding) return "kept";
  return divisor > factor * (1 - rounding) ? "divided" : "blended";
}

export function stretch(wf: Engine, question: StretchQuestion): StretchAnswer {
  const isSearched = question.method === "longrope";
  const head = isSearched ? "phi" : question.head;
  const { headDim, length, theta } = stretchHeads[head];
  const factor = isSearched ? longropeFactor : question.factor;
  const frequenciesOf = (options: object) => {
    const given = { numHeads: 1, headDim, ropeTheta: theta, ...options };
    const scheme = wf.scheme(asScheme(sightedScheme) as never, given as never);
    try {
      return scheme.frequencies(factor * length);
    } finally {
      scheme.dispose();
    }
  };
  const plain = frequenciesOf({}).inverseFrequencies;
  const { method, ramp } = question;
  const { inverseFrequencies: stretched, attentionFactor } = frequenciesOf(
    scalingOf({ method, factor, length, ramp }),
  );
  const pairs = Array.from(plain, (before, pair): StretchedPair => {
    const after = stretched[pair]!;
    const hasTurned = length * before >= 2 * Math.PI;
    const seen = (length - 1) * before;
    const reached = (factor * length - 1) * after;
    // The last token of a text n times as long stands less than n times as far.
    const isNew = !hasTurned && reached > seen * (1 + 1 / length + rounding);
    return { before, after, hasTurned, isNew, kind: kindOf(before / after, factor) };
  });
  return {
    ...{ method, factor, head, ramp, headDim, length, theta, pairs, attentionFactor },
    ...(isSearched && { longFactor: phiLongFactor }),
  };
}
