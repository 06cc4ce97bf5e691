/** A query and a key whose pairs all point the same way, turned to their positions. */
import type { Engine } from "whereformer";
import {
  asScheme,
  fadingDistance,
  fadingScheme,
  sightedScheme,
  turnedHead,
} from "../../defaults.js";
import type { TurningAnswer, TurningQuestion } from "../both/rotation-messages.js";
import { count } from "./configured-scheme.js";

const { headDim, farthest } = turnedHead;

/** (1, 0) in every pair, for so many tokens. */
const upright = (rows: number) => ({
  data: Float32Array.from({ length: rows * headDim }, (_, i) => 1 - (i % 2)),
  shape: [1, rows, headDim],
});

/**
 * What RoFormer bounds a score by (section 3.4.3, equation 37): the sum over pairs j of |S_j|,
 * where S_j is the sum of the first j hands' directions, times the largest step from one pair's
 * product to the next, which is 1 here: all products are 1, and after the last comes 0.
 */
function boundAt(distance: number, frequencies: Float32Array): number {
  let [x, y, sum] = [0, 0, 0];
  for (const frequency of frequencies) {
    x += Math.cos(distance * frequency);
    y += Math.sin(distance * frequency);
    sum += Math.hypot(x, y);
  }
  return sum;
}

/** The score of the upright query at the far end for every key before it, by distance. */
function scoresOf(wf: Engine, id: string, options: object): Float32Array {
  const shape = { numHeads: 1, headDim };
  const scheme = wf.scheme(asScheme(id) as never, { ...shape, ...options } as never);
  const attention = wf.attention({ ...shape, scheme, scale: 1, isCausal: true });
  try {
    const far = attention.run({
      ...{ q: upright(1), k: upright(farthest + 1), v: upright(farthest + 1) },
      positions: [farthest],
      record: ["logits"],
    });
    return far.logits!.data.slice().reverse();
  } finally {
    attention.dispose();
    scheme.dispose();
  }
}

export function turningPairs(wf: Engine, { theta, query, key }: TurningQuestion): TurningAnswer {
  const shape = { numHeads: 1, headDim };
  const options = { ropeTheta: theta, interleaved: true };
  const scheme = wf.scheme(asScheme(sightedScheme) as never, { ...shape, ...options } as never);
  const attention = wf.attention({ ...shape, scheme, scale: 1 });
  try {
    const { inverseFrequencies: frequencies } = scheme.frequencies();
    const at = attention.run({
      ...{ q: upright(1), k: upright(1), v: upright(1) },
      ...{ positions: [query], keyPositions: [key] },
      record: ["logits", "pairs"],
    });
    return {
      ...{ theta, query, key, frequencies },
      pairs: at.pairs!.data.slice(),
      score: at.logits!.data[0]!,
      scores: scoresOf(wf, sightedScheme, options),
      fading: scoresOf(wf, fadingScheme, { ...options, scaleBase: fadingDistance }),
      bounds: Float32Array.from(count(farthest + 1), (distance) => boundAt(distance, frequencies)),
    };
  } finally {
    attention.dispose();
    scheme.dispose();
  }
}
