/** Scores by distance that follow from the pairs of a head, and the largest of them far away. */
import { ghostSizes } from "../../defaults.js";
import type { HeadPair, HeadScoreAnswer } from "./messages.js";
import type { PairChoice } from "./state.js";

/** Distances from 0 to the longest. */
const distances = ghostSizes.tokens + 1;

const waveAt = ({ period, strength, start }: HeadPair, distance: number): number =>
  strength * Math.cos(2 * Math.PI * (distance / period - start));

export const sumOf = (pairs: readonly HeadPair[]): Float32Array =>
  Float32Array.from({ length: distances }, (_, distance) =>
    pairs.reduce((sum, pair) => sum + waveAt(pair, distance), 0),
  );

/** Returns the difference between the largest and the smallest of a pair's parts of the score. */
export function swingOf(pair: HeadPair): number {
  const values = sumOf([pair]);
  return Math.max(...values) - Math.min(...values);
}

/** Returns the distance of the largest score between two distances. */
export function peakOf(scores: Float32Array, from: number, to: number): number {
  let best = from;
  for (let at = from; at <= to; at++) if (scores[at]! > scores[best]!) best = at;
  return best;
}

export interface Scores {
  /** Scores of the chosen pairs, less the largest within the training's texts. */
  head: Float32Array;
  /** The part of the pair that comes round. */
  alone: Float32Array;
  /** By how much each pair changes the score. */
  swings: number[];
  /** Distances of the largest scores, one for each time that the pair comes round. */
  peaks: number[];
}

export function scoresOf(
  { pairs, returning, trained }: HeadScoreAnswer,
  choice: PairChoice,
): Scores {
  const chosen = pairs.filter((_, pair) => choice === "all" || pair !== returning);
  const sum = sumOf(chosen);
  const near = sum[peakOf(sum, 0, trained - 1)]!;
  const head = sum.map((value) => value - near);
  const { period, start } = pairs[returning]!;
  const crests: number[] = [];
  for (let at = start * period; at < distances; at += period) if (at > trained) crests.push(at);
  const quarter = period / 4;
  const peaks = crests.map((crest) =>
    peakOf(head, Math.round(crest - quarter), Math.min(distances - 1, Math.round(crest + quarter))),
  );
  return {
    head,
    alone: sumOf([pairs[returning]!]),
    swings: pairs.map(swingOf),
    peaks: choice === "all" ? peaks : [],
  };
}
