/** Results of this figure's own training, recorded once (scripts/train-short.mjs). */
import { type LengthTask, lengthRecipe } from "../../defaults.js";
import type { Run } from "../../engine/page/experiment.js";
import results from "./recorded.json";

/** By task and scheme, a row for each seed; null if the scheme is not defined at a length. */
type Results = Record<
  LengthTask,
  Readonly<Record<string, readonly (readonly (number | null)[])[]>>
>;

const { seeds, steps } = lengthRecipe;

/** Returns the recorded runs of these schemes; those of a scheme without a record have no test. */
export const recordedRuns = (task: LengthTask, schemes: readonly string[]): Run[] =>
  schemes.flatMap((scheme) =>
    seeds.map((seed, at): Run => {
      const row = (results as Results)[task][scheme]?.[at] ?? [];
      return {
        scheme,
        seed,
        stage: "done",
        steps,
        firstStep: 0,
        losses: [],
        tested: row.map((value) => value ?? undefined),
        memoryBytes: 0,
        file: undefined,
        failure: undefined,
      };
    }),
  );
