/**
 * Times of two pieces of work beside each other, on clocks that go in steps and devices that change
 * speed.
 */
import { type Job, pause } from "./job.js";

/** What is timed at once lasts so long, and by far longer than a step of the browser's clock. */
const sampleMilliseconds = 8;
const stepsInSample = 40;
const mostRounds = 5;
const leastRounds = 3;
/** Short work is easily cut in two by other work: of so many samples the least counts. */
const passesOfRound = 3;
const budgetMilliseconds = 400;
/** The steps in which this clock goes, in milliseconds. */
function clockStep(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let again = 0; again < 3; again++) {
    const start = performance.now();
    let step = 0;
    while (step === 0) step = performance.now() - start;
    least = Math.min(least, step);
  }
  return least;
}

/** Milliseconds of one call, of as many as fill a sample. */
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

/** The value that this share of the others lies below, between neighbours in a straight line. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (at - below) * (sorted[above]! - sorted[below]!);
}

/** Between which their middle half lies: a round that other work cut in two moves it little. */
export const middleHalf = (values: readonly number[]): readonly [number, number] => [
  quantile(values, 0.25),
  quantile(values, 0.75),
];

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export interface Pair {
  base: number[];
  own: number[];
}

/** Milliseconds that a sample must last on this clock. */
export const sampleLength = (): number => Math.max(sampleMilliseconds, stepsInSample * clockStep());

/** Rounds in which both are timed, now the one first, now the other. */
export async function timePair(base: () => void, own: () => void, job: Job): Promise<Pair> {
  const sample = sampleLength();
  const times: Pair = { base: [], own: [] };
  // The first call takes memory and wakes the compiler.
  for (const run of [base, own]) run();
  const began = performance.now();
  for (let round = 0; round < mostRounds; round++) {
    if (round >= leastRounds && performance.now() - began > budgetMilliseconds) break;
    const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
    for (let pass = 0; pass < passesOfRound; pass++) {
      await pause(job);
      for (const which of (round + pass) % 2 ? ([1, 0] as const) : ([0, 1] as const))
        least[which] = Math.min(least[which], timeOf(which ? own : base, sample));
      // What is much longer than a sample takes its own mean over interruptions.
      if (Math.min(...least) > 4 * sample) break;
    }
    times.base.push(least[0]);
    times.own.push(least[1]);
  }
  return times;
}
