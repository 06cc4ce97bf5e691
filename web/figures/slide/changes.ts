/** What has changed in the maps of a sentence that has moved on. */
import type { SlideAnswer, SlidScheme } from "./messages.js";

/** Differences below this are rounding: the engine computes in single precision. */
const rounding = 1e-5;

export interface Change {
  scheme: string;
  /** The maps before and after, [queries, keys]. */
  before: Float32Array;
  after: Float32Array;
  /** Largest change of a weight. */
  largest: number;
  isChanged: boolean;
}

function changeOf({ scheme, weights }: SlidScheme, shift: number, tokens: number): Change {
  const mapAt = (at: number) => weights.subarray(at * tokens ** 2, (at + 1) * tokens ** 2);
  const [before, after] = [mapAt(0), mapAt(shift)];
  const largest = before.reduce(
    (max, value, index) => Math.max(max, Math.abs(value - after[index]!)),
    0,
  );
  return { scheme, before, after, largest, isChanged: largest > rounding };
}

export const changesOf = ({ ids, schemes }: SlideAnswer, shift: number): Change[] =>
  schemes.map((one) => changeOf(one, shift, ids.length));
