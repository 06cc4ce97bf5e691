// `npm run image`: two questions about pictures, learned by a reduced model with every scheme that
// reads a grid, and by one without positions. The models of the first seed are kept.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { say } from "../setup/progress.mjs";
import { Results, smallRun, spreadText, table } from "./experiments.mjs";
import { rounded } from "./held-out.mjs";
import { modelOptions, runTrainer, trainingOptions } from "./native-trainer.mjs";
import { modelsFolder, sha256 } from "./recipe.mjs";

export const imagePlan = (recipe) => ({ small: recipe.small, image: recipe.image });

const resultsOf = (recipe) =>
  new Results("image", { command: "npm run image", plan: imagePlan(recipe), depth: 2 });

export const imageRun = (recipe, id, seed) =>
  smallRun(recipe, {
    schemes: recipe.image.schemes[id],
    vocabulary: recipe.image.vocab_size,
    isCausal: false,
    training: recipe.image.training,
    seed,
  });

async function trainOne(recipe, id, seed, threads) {
  const { task, questions, scoring } = recipe.image;
  const run = imageRun(recipe, id, seed);
  const folder = join(root, "build", "image", `${id}-${seed}`);
  mkdirSync(folder, { recursive: true });
  const weights = join(folder, "model.safetensors");
  const result = {};
  await runTrainer(
    "learn",
    [
      ...modelOptions(run.config),
      ...trainingOptions(run.training),
      ["task", task],
      ...questions.map((question) => ["evaluate", question]),
      ["sequences", scoring.sequences],
      ["evaluation-seed", scoring.seed],
      ["threads", threads],
      ["weights", weights],
    ],
    (event) => {
      if (event.event === "accuracy") result[event.task] = rounded(event.correct / event.targets);
    },
  );
  if (seed === recipe.small.seeds[0]) {
    const target = join(modelsFolder, "image", id);
    mkdirSync(target, { recursive: true });
    copyFileSync(weights, join(target, "model.safetensors"));
    writeFileSync(join(target, "config.json"), `${JSON.stringify(run.config, null, 2)}\n`);
    result.weightsSha256 = sha256(readFileSync(weights));
  }
  const shown = questions.map((question) => `${question} ${(100 * result[question]).toFixed(1)} %`);
  return { result, summary: shown.join(", ") };
}

export async function measureImage(recipe, ids, threads) {
  const asked = ids.length > 0 ? ids : Object.keys(recipe.image.schemes);
  const paths = recipe.small.seeds.flatMap((seed) => asked.map((id) => [id, String(seed)]));
  await resultsOf(recipe).complete(paths, ([id, seed]) =>
    trainOne(recipe, id, Number(seed), threads),
  );
}

export function printImage(recipe) {
  const results = resultsOf(recipe).read();
  if (Object.keys(results).length === 0) return;
  say("Correct answers to questions about pictures, in percent; seeds: mean ± deviation\n");
  table([
    ["scheme", ...recipe.image.questions],
    ...Object.entries(results).map(([id, seeds]) => [
      id,
      ...recipe.image.questions.map((question) =>
        spreadText(
          Object.values(seeds).map((scores) => 100 * scores[question]),
          1,
        ),
      ),
    ]),
  ]);
}
