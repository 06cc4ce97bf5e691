/** Summary of an experiment's runs: a curve for each scheme, and the error of a guess. */
import { lengthRecipe } from "../../defaults.js";
import type { Run } from "../../engine/page/experiment.js";
import type { Spread } from "../../engine/page/length-results.js";
import type { Tested } from "../shared/pictures/length-chart.js";

export interface Line {
  /** Key of the scheme and, if a saved model was trained further, of its steps. */
  key: string;
  scheme: string;
  steps: number;
  firstStep: number;
  runs: Run[];
  tested: Tested;
}

const { multiples, steps: plainSteps } = lengthRecipe;

/** Returns mean and range over seeds; `undefined` if the scheme is not defined. */
function testedBy(runs: readonly Run[]): (Spread | undefined)[] {
  const done = runs.filter(({ tested }) => tested.length > 0);
  if (!done.length) return [];
  return multiples.map((_, column) => {
    const values = done.flatMap(({ tested }) => tested[column] ?? []);
    if (!values.length) return undefined;
    const mean = values.reduce((a, b) => a + b) / values.length;
    return { mean, min: Math.min(...values), max: Math.max(...values), count: values.length };
  });
}

/** Returns runs by scheme and length of training, in the order in which they were requested. */
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

/** Returns the error of a guess in bits, on average and at most; undefined without a result. */
export function distanceOf(
  guess: readonly number[],
  tested: Tested,
): { mean: number; max: number; multiple: number } | undefined {
  const off = tested.flatMap((one, column) =>
    one ? [{ off: Math.abs(guess[column]! - one.mean), multiple: multiples[column]! }] : [],
  );
  if (!off.length) return undefined;
  const worst = off.reduce((a, b) => (b.off > a.off ? b : a));
  return {
    mean: off.reduce((sum, one) => sum + one.off, 0) / off.length,
    max: worst.off,
    multiple: worst.multiple,
  };
}
