/** One head of a small model on a text far longer than in its training, and the answer. */
import type { GhostView, Language } from "../../defaults.js";

export interface GhostQuestion {
  /** Folder of the trained models and of the tokenizer. */
  folder: string;
  language: Language;
  view: GhostView;
}

/** A pair of channels, as it contributes to the logits of this head, by distance. */
export interface PairWave {
  /** Tokens for one full rotation. */
  period: number;
  /** The mean contribution is about amplitude · cos(2π (distance − crest) / period). */
  amplitude: number;
  /** Distance at which the contribution is largest; from −period/2 to period/2. */
  crest: number;
}

export interface GhostAnswer extends Omit<GhostQuestion, "folder"> {
  tokens: string[];
  /** Weights of each query for the keys up to it, query after query: 1, 2, 3 … numbers. */
  weights: Float32Array;
  /** Mean weight by distance, over the queries that have a key so far back. */
  byDistance: Float32Array;
  /** Longest text in the training, in tokens. */
  trained: number;
  /** One for each pair of channels, the fastest first; empty if the scheme rotates none. */
  pairs: PairWave[];
  /**
   * The pair with the largest amplitude among those that come round in a text of this length but
   * did not in the training: its index, and its tokens for a rotation in training. Undefined if the
   * scheme rotates none.
   */
  returning?: { pair: number; period: number };
}

/** Index of the first weight of a query. */
export const rowStart = (query: number): number => (query * (query + 1)) / 2;

/**
 * Returns the pair with the largest amplitude among those that come round within `tokens`, but not
 * within the training.
 */
export function returningPair(
  pairs: readonly PairWave[],
  trained: number,
  tokens: number,
): number | undefined {
  const isNew = ({ period }: PairWave) => period > trained && period <= tokens;
  const [first] = pairs.filter(isNew).sort((a, b) => b.amplitude - a.amplitude);
  return first && pairs.indexOf(first);
}

/** Returns the distances at which a pair has come round to its crest: once, twice, … */
export function crestsOf({ period, crest }: PairWave, tokens: number): number[] {
  const distances: number[] = [];
  for (let at = crest + period; at < tokens; at += period) distances.push(at);
  return distances;
}

/** Returns the distance of the largest mean weight within a quarter of a rotation of a crest. */
export function ghostNear(byDistance: ArrayLike<number>, crest: number, period: number): number {
  const from = Math.max(1, Math.ceil(crest - period / 4));
  const to = Math.min(byDistance.length - 1, Math.floor(crest + period / 4));
  let best = from;
  for (let at = from; at <= to; at++) if (byDistance[at]! > byDistance[best]!) best = at;
  return best;
}

/** Fits amplitude and crest of a wave of known frequency to values at 0, 1, 2 …, about a mean. */
export function fitWave(values: ArrayLike<number>, radians: number): PairWave {
  // Normal equations of the terms 1, cos and sin.
  const sums = Array.from({ length: 3 }, () => [0, 0, 0, 0]);
  for (let at = 0; at < values.length; at++) {
    const terms = [1, Math.cos(radians * at), Math.sin(radians * at), values[at]!];
    for (let row = 0; row < 3; row++)
      for (let column = 0; column < 4; column++)
        sums[row]![column]! += terms[row]! * terms[column]!;
  }
  for (let row = 0; row < 3; row++)
    for (let other = 0; other < 3; other++) {
      if (other === row) continue;
      const share = sums[other]![row]! / sums[row]![row]!;
      for (let column = row; column < 4; column++)
        sums[other]![column]! -= share * sums[row]![column]!;
    }
  const [, cosine, sine] = sums.map((row, index) => row[3]! / row[index]!);
  const period = (2 * Math.PI) / radians;
  return {
    period,
    amplitude: Math.hypot(cosine!, sine!),
    crest: Math.atan2(sine!, cosine!) / radians,
  };
}
