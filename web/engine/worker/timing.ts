/**
 * Times two functions side by side, with clocks of limited resolution and on devices whose speed
 * changes.
 */
import type { Job } from "whereformer/requests";
import { yieldToUrgent } from "./job.js";

/** Duration of a sample, far longer than the resolution of the browser's clock. */
const sampleMilliseconds = 8;
const stepsInSample = 40;
const maxRounds = 5;
const minRounds = 3;
/** Short work is easily interrupted by other work: the minimum of this many samples counts. */
const passesOfRound = 3;
const budgetMilliseconds = 400;
/** Returns the clock's resolution in milliseconds. */
function clockStep(): number {
  let min = Number.POSITIVE_INFINITY;
  for (let again = 0; again < 3; again++) {
    const start = performance.now();
    let step = 0;
    while (step === 0) step = performance.now() - start;
    min = Math.min(min, step);
  }
  return min;
}

/** Returns the milliseconds of one call, from as many calls as fill a sample. */
export function timeOf(run: () => void, sample: number): number {
  const start = performance.now();
  let calls = 0;
  let passed = 0;
  do {
    run();
    calls++;
    passed = performance.now() - start;
  } while (passed < sample);
  return passed / calls;
}

/** Returns the quantile at `share`, with linear interpolation. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (at - below) * (sorted[above]! - sorted[below]!);
}

/**
 * Returns the interquartile range, on which a round interrupted by other work has little effect.
 */
export const middleHalf = (values: readonly number[]): readonly [number, number] => [
  quantile(values, 0.25),
  quantile(values, 0.75),
];

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export interface Pair {
  base: number[];
  compared: number[];
}

/** Returns the milliseconds that a sample must last with this clock. */
export const sampleLength = (): number => Math.max(sampleMilliseconds, stepsInSample * clockStep());

/** Times both functions in rounds, alternating which of them is first. */
export async function timePair(base: () => void, compared: () => void, job: Job): Promise<Pair> {
  const sample = sampleLength();
  const times: Pair = { base: [], compared: [] };
  // The first call allocates memory and triggers compilation.
  for (const run of [base, compared]) run();
  const began = performance.now();
  for (let round = 0; round < maxRounds; round++) {
    if (round >= minRounds && performance.now() - began > budgetMilliseconds) break;
    const min = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
    for (let pass = 0; pass < passesOfRound; pass++) {
      await yieldToUrgent(job);
      for (const which of (round + pass) % 2 ? ([1, 0] as const) : ([0, 1] as const))
        min[which] = Math.min(min[which], timeOf(which ? compared : base, sample));
      // A call much longer than a sample averages over interruptions by itself.
      if (Math.min(...min) > 4 * sample) break;
    }
    times.base.push(min[0]);
    times.compared.push(min[1]);
  }
  return times;
}
