// `npm run probes`: tasks that depend on position, learned by a reduced model with every scheme.

import { say } from "../setup/progress.mjs";
import { Results, smallRun, spreadText, table } from "./experiments.mjs";
import { rounded } from "./held-out.mjs";
import { modelOptions, runTrainer, trainingOptions } from "./native-trainer.mjs";

/** Models by name: each causal scheme, and `none`, which reads tokens without positions. */
export function probedModels(recipe, task) {
  const { length } = recipe.probes.tasks[task];
  const causal = Object.entries(recipe.schemes).map(([id, schemes]) => [
    id,
    {
      isCausal: true,
      // Tables are as long as these sequences.
      schemes: schemes.map((scheme) => ({
        ...scheme,
        options: {
          ...scheme.options,
          ...(scheme.options.maxPositions === undefined ? {} : { maxPositions: length }),
        },
      })),
    },
  ]);
  return Object.fromEntries([
    ...causal,
    ["none", { isCausal: false, schemes: recipe.schemes.nope }],
  ]);
}

export const probesPlan = (recipe) => ({
  schemes: recipe.schemes,
  small: recipe.small,
  probes: recipe.probes,
});

const resultsOf = (recipe) =>
  new Results("probes", { command: "npm run probes", plan: probesPlan(recipe), depth: 3 });

/** Trains one model on one task; resolves to the share of new targets predicted correctly. */
export async function probe(recipe, id, task, seed, threads) {
  const { tasks, scoring } = recipe.probes;
  const { vocab_size, sequences, ...sizes } = tasks[task];
  const model = probedModels(recipe, task)[id];
  const run = smallRun(recipe, {
    ...model,
    vocabulary: vocab_size,
    training: { ...recipe.probes.training, ...sizes },
    seed,
  });
  let accuracy = 0;
  await runTrainer(
    "learn",
    [
      ...modelOptions(run.config),
      ...trainingOptions(run.training),
      ["task", task],
      ["evaluate", task],
      ["sequences", sequences ?? scoring.sequences],
      ["evaluation-seed", scoring.seed],
      ["threads", threads],
    ],
    (event) => {
      if (event.event === "accuracy") accuracy = rounded(event.correct / event.targets);
    },
  );
  return { result: accuracy, summary: `${(100 * accuracy).toFixed(1)} %` };
}

export async function measureProbes(recipe, ids, threads) {
  const paths = [];
  for (const seed of recipe.small.seeds) {
    for (const task of Object.keys(recipe.probes.tasks)) {
      for (const id of Object.keys(probedModels(recipe, task))) {
        if (ids.length === 0 || ids.includes(id)) paths.push([id, task, String(seed)]);
      }
    }
  }
  await resultsOf(recipe).complete(paths, ([id, task, seed]) =>
    probe(recipe, id, task, Number(seed), threads),
  );
}

export function printProbes(recipe) {
  const results = resultsOf(recipe).read();
  if (Object.keys(results).length === 0) return;
  const tasks = Object.keys(recipe.probes.tasks);
  const percent = (seeds) =>
    spreadText(
      Object.values(seeds ?? {}).map((share) => 100 * share),
      1,
    );
  say("Correct targets in percent, on sequences that were not trained; seeds: mean ± deviation\n");
  table([
    ["scheme", ...tasks],
    ...Object.entries(results).map(([id, scores]) => [
      id,
      ...tasks.map((task) => (scores[task] ? percent(scores[task]) : "")),
    ]),
  ]);
}
