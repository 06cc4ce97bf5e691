/** The ghosts of a map, and the shares of attention that the caption names. */
import {
  crestsOf,
  type GhostAnswer,
  ghostNear,
  type PairWave,
  rowStart,
} from "../../engine/both/ghost-messages.js";

/** A distance at which a pair of channels has come round. */
export interface Ghost {
  /** Distance of the largest mean weight, in tokens. */
  distance: number;
  /** Distance at which the pair's contribution is largest. */
  crest: number;
  /** Rotations of the pair up to that distance. */
  rotations: number;
  /** Mean weight at that distance. */
  weight: number;
}

/** Mean weight from which on a distance counts as a ghost: four equal shares of 2,048 tokens. */
export const faintest = 0.002;

/** Returns the ghosts of the pair that comes round, the nearest first. */
export function ghostsOf(answer: GhostAnswer, tokens: number): Ghost[] {
  const { returning, pairs, byDistance, view } = answer;
  if (!returning || view === "without") return [];
  const wave = pairs[returning.pair]!;
  return crestsOf(wave, tokens)
    .map((crest): Ghost => {
      const distance = ghostNear(byDistance, crest, wave.period);
      const rotations = distance / wave.period;
      return { distance, crest, rotations, weight: byDistance[distance]! };
    })
    .filter(({ distance, weight }) => distance < tokens && weight >= faintest);
}

/** Returns the mean share of a query's attention to keys at these distances. */
function shareOf(
  weights: Float32Array,
  queries: readonly [from: number, to: number],
  distances: readonly [from: number, to: number],
): number {
  const [from, to] = queries;
  let sum = 0;
  for (let query = from; query < to; query++) {
    const start = rowStart(query);
    const last = Math.min(query, distances[1]);
    for (let distance = distances[0]; distance <= last; distance++)
      sum += weights[start + query - distance]!;
  }
  return sum / (to - from);
}

/**
 * Share of what goes farther back than in training that lies within an eighth of a rotation of the
 * pair's crests, which is a quarter of all distances; from the mean weights by distance.
 */
export function bandShare(
  { byDistance, trained }: GhostAnswer,
  { period, crest }: PairWave,
  tokens: number,
): number {
  let [within, all] = [0, 0];
  for (let distance = trained; distance < tokens; distance++) {
    const weight = byDistance[distance]!;
    const rotations = (distance - crest) / period;
    all += weight;
    if (Math.abs(rotations - Math.round(rotations)) <= 1 / 8) within += weight;
  }
  return within / all;
}

/** Distance up to which a token is near, in tokens. */
export const nearDistance = 4;

/** Share of attention that stays near in a text as long as in training. */
export const nearShare = ({ weights, trained }: GhostAnswer): number =>
  shareOf(weights, [nearDistance, trained], [0, nearDistance]);

/**
 * Share of attention of the last half of a text beyond every distance of the training; 0 if the
 * text is no longer than that.
 */
export function farShare({ weights, trained }: GhostAnswer, tokens: number): number {
  if (tokens <= trained) return 0;
  return shareOf(weights, [Math.max(trained, Math.floor(tokens / 2)), tokens], [trained, tokens]);
}
