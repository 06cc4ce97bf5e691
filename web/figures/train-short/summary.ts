/**
 * What the runs of an experiment say together: a line for each scheme, and how far a guess was off.
 */
import { lengthRecipe } from "../../defaults.js";
import type { Run } from "../../engine/page/experiment.js";
import type { Spread } from "../../engine/page/length-results.js";
import type { Tested } from "../shared/pictures/length-chart.js";

export interface Line {
  /** Of the scheme, and where a saved model was trained on, of its steps. */
  key: string;
  scheme: string;
  steps: number;
  firstStep: number;
  runs: Run[];
  tested: Tested;
}

const { multiples, steps: plainSteps } = lengthRecipe;

/** Mean and range over seeds; `undefined` where the scheme is not defined. */
function testedBy(runs: readonly Run[]): (Spread | undefined)[] {
  const done = runs.filter(({ tested }) => tested.length > 0);
  if (!done.length) return [];
  return multiples.map((_, column) => {
    const values = done.flatMap(({ tested }) => tested[column] ?? []);
    if (!values.length) return undefined;
    const mean = values.reduce((a, b) => a + b) / values.length;
    return { mean, least: Math.min(...values), most: Math.max(...values), count: values.length };
  });
}

/** Runs by scheme and length of training, in the order in which they were asked for. */
export function linesOfRuns(runs: readonly Run[]): Line[] {
  const lines = new Map<string, Line>();
  for (const run of runs) {
    const key = run.firstStep ? `${run.scheme}+${run.steps}` : run.scheme;
    const { scheme, steps, firstStep } = run;
    const line = lines.get(key) ?? { key, scheme, steps, firstStep, runs: [], tested: [] };
    line.runs.push(run);
    lines.set(key, line);
  }
  return [...lines.values()].map((line) => ({ ...line, tested: testedBy(line.runs) }));
}

export const isContinued = ({ steps }: Line): boolean => steps !== plainSteps;

/**
 * How far a guess was from the truth, in bits: on average, and where most; nothing before there is
 * a truth.
 */
export function distanceOf(
  guess: readonly number[],
  tested: Tested,
): { mean: number; most: number; multiple: number } | undefined {
  const off = tested.flatMap((one, column) =>
    one ? [{ off: Math.abs(guess[column]! - one.mean), multiple: multiples[column]! }] : [],
  );
  if (!off.length) return undefined;
  const worst = off.reduce((a, b) => (b.off > a.off ? b : a));
  return {
    mean: off.reduce((sum, one) => sum + one.off, 0) / off.length,
    most: worst.off,
    multiple: worst.multiple,
  };
}
