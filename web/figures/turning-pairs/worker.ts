/** A query and a key whose pairs all have one direction, rotated to their positions. */

import type { Engine } from "whereformer";
import { fadingDistance, fadingScheme, sightedScheme } from "../../defaults.js";
import { oneHand, rotatedHead } from "../../engine/both/rotated-heads.js";
import { count } from "../../engine/worker/configured-scheme.js";
import type { Handlers } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import { upright as uprightOf } from "../../engine/worker/upright.js";
import type { RotatedHands, RotationAnswer, RotationQuestion } from "./messages.js";

const { headDim, farthest } = rotatedHead;

const upright = (rows: number, channels: number = headDim) => uprightOf(rows, channels);

/**
 * Returns RoFormer's bound of the logit (section 3.4.3, equation 37): the sum over pairs j of
 * |S_j|, where S_j is the sum of the first j hands' directions, times the largest step from one
 * pair's product to the next, which is 1 here: all products are 1, and the one after the last
 * counts as 0.
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

/** Reverses an array of keys, the farthest first, into rows from the nearest to the farthest. */
const byDistance = (data: Float32Array, row: number): Float32Array =>
  Float32Array.from(
    data,
    (_, at) => data[data.length - row * (1 + Math.floor(at / row)) + (at % row)]!,
  );

/**
 * Returns the logit of the last query with every key before it, by distance, and the part of each
 * pair in it.
 */
function scoresOf(wf: Engine, id: string, options: object) {
  const shape = { numHeads: 1, headDim };
  const scheme = wf.scheme(id, { ...shape, ...options });
  const attention = wf.attention({ ...shape, scheme, scale: 1, isCausal: true });
  try {
    const far = attention.run({
      q: upright(1),
      k: upright(farthest + 1),
      v: upright(farthest + 1),
      positions: [farthest],
      record: ["logits", "pairs"],
    });
    return {
      scores: byDistance(far.logits!.data, 1),
      shares: byDistance(far.pairs!.data, headDim / 2),
    };
  } finally {
    attention.dispose();
    scheme.dispose();
  }
}

/**
 * Rotates one pair alone to some positions; the scaling factor makes the first pair rotate by theta
 * per position.
 */
function rotatedHands(wf: Engine, at: readonly (readonly [number, number])[]): RotatedHands[] {
  const shape = { numHeads: 1, headDim: 2 };
  const ropeScaling = { ropeType: "linear" as const, factor: 1 / oneHand.theta };
  const options = { ...shape, interleaved: true, ropeScaling };
  const scheme = wf.scheme(sightedScheme, options);
  const attention = wf.attention({ ...shape, scheme, scale: 1 });
  const [positions, keyPositions] = [at.map(([query]) => query), at.map(([, key]) => key)];
  const x = upright(at.length, 2);
  try {
    const [queries, keys] = [positions, keyPositions].map((of) => scheme.rotate(x, of).data);
    const run = { q: x, k: x, v: x, positions, keyPositions, record: ["logits" as const] };
    const products = attention.run(run).logits!.data;
    return at.map((positionsOfBoth, index) => ({
      at: positionsOfBoth,
      query: [queries![2 * index]!, queries![2 * index + 1]!],
      key: [keys![2 * index]!, keys![2 * index + 1]!],
      product: products[index * at.length + index]!,
    }));
  } finally {
    attention.dispose();
    scheme.dispose();
  }
}

function rotatedPairs(wf: Engine, { theta, query, key }: RotationQuestion): RotationAnswer {
  const shape = { numHeads: 1, headDim };
  const options = { ropeTheta: theta, interleaved: true };
  const scheme = wf.scheme(sightedScheme, { ...shape, ...options });
  const attention = wf.attention({ ...shape, scheme, scale: 1 });
  const first = Math.min(query, key);
  const positionFrom = (from: number) => [query - first + from, key - first + from] as const;
  try {
    const { inverseFrequencies: frequencies } = scheme.frequencies();
    const at = attention.run({
      q: upright(1),
      k: upright(1),
      v: upright(1),
      positions: [query],
      keyPositions: [key],
      record: ["logits", "pairs"],
    });
    const [hands, ...shiftedHands] = rotatedHands(wf, [
      [query, key],
      ...oneHand.firstPositions.map(positionFrom),
    ]);
    return {
      theta,
      query,
      key,
      frequencies,
      hands: hands!,
      shiftedHands,
      pairs: at.pairs!.data.slice(),
      score: at.logits!.data[0]!,
      ...scoresOf(wf, sightedScheme, options),
      fading: scoresOf(wf, fadingScheme, { ...options, scaleBase: fadingDistance }).scores,
      bounds: Float32Array.from(count(farthest + 1), (distance) => boundAt(distance, frequencies)),
    };
  } finally {
    attention.dispose();
    scheme.dispose();
  }
}

export const answers = (store: ModelStore): Pick<Handlers, "rotation"> => ({
  rotation: async (question) => rotatedPairs(await store.engine(), question),
});
