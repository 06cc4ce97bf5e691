// `npm run length`: train short, test long. Three seeds of a reduced model for every scheme that a
// decoder can use, scored in windows longer than any in training.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { say } from "../setup/progress.mjs";
import { corpusFolder, corpusHashes, ensureCorpus } from "./corpus-files.mjs";
import { Results, smallRun, spreadText, table } from "./experiments.mjs";
import { bits, charactersOf, heldOutTexts, languages, rounded, textOptions } from "./held-out.mjs";
import { modelOptions, runTrainer, trainingOptions } from "./native-trainer.mjs";
import { modelsFolder, readJson } from "./recipe.mjs";

/** The schemes of a model in this experiment: tables end at the training length. */
function schemesOf(recipe, id) {
  return recipe.schemes[id].map((scheme) => ({
    ...scheme,
    options: { ...scheme.options, ...recipe.length.options[scheme.id] },
  }));
}

export function lengthPlan(recipe) {
  const names = Object.keys(recipe.length.training.streams);
  return {
    schemes: Object.fromEntries(
      Object.keys(recipe.schemes).map((id) => [id, schemesOf(recipe, id)]),
    ),
    small: recipe.small,
    length: recipe.length,
    corpus: corpusHashes([...names, ...languages.map((name) => `heldout.${name}.bin`)]),
  };
}

const resultsOf = (recipe) =>
  new Results("length", { command: "npm run length", plan: lengthPlan(recipe), depth: 2 });

async function trainOne(recipe, id, seed, threads) {
  const vocabulary = Object.keys(readJson(join(modelsFolder, "tokenizer.json")).model.vocab).length;
  const run = smallRun(recipe, {
    schemes: schemesOf(recipe, id),
    vocabulary,
    isCausal: true,
    training: recipe.length.training,
    seed,
  });
  const folder = join(root, "build", "length", `${id}-${seed}`);
  mkdirSync(folder, { recursive: true });
  const weights = join(folder, "model.safetensors");
  ensureCorpus(Object.keys(run.training.streams));
  await runTrainer(
    "train",
    [
      ...modelOptions(run.config),
      ...trainingOptions(run.training),
      ["task", "language_model"],
      ...Object.entries(run.training.streams).map(([name, weight]) => [
        "stream",
        `${join(corpusFolder, name)}:${weight}`,
      ]),
      ["threads", threads],
      ["state", join(folder, "state.safetensors")],
      ["weights", weights],
      ["save-every", 200],
      ["report-every", 200],
    ],
    () => {},
  );
  const texts = await heldOutTexts();
  const longest = run.training.length * Math.max(...recipe.length.multiples);
  const result = Object.fromEntries(languages.map((language) => [language, []]));
  await runTrainer(
    "lengths",
    [
      ...modelOptions(run.config),
      ["weights", weights],
      ["threads", threads],
      ["length", run.training.length],
      ...recipe.length.multiples.map((multiple) => ["multiple", multiple]),
      ...textOptions(texts),
    ],
    (event) => {
      const text = texts[event.text];
      const counted = Math.floor((text.ids.length - 1) / longest) * longest;
      const isDefined = event.undefined === undefined;
      result[event.text].push(
        isDefined ? rounded(bits(event.nats) / charactersOf(text, counted)) : null,
      );
    },
  );
  rmSync(folder, { recursive: true, force: true });
  const shown = languages.map((language) => `${language} ${result[language].join(" ")}`);
  return { result, summary: shown.join(", ") };
}

/** Trains the models without a result; `ids` are the schemes, empty for all. */
export async function measureLength(recipe, ids, threads) {
  const asked = ids.length > 0 ? ids : Object.keys(recipe.schemes);
  // Seed by seed, so that after an interruption every scheme has the same number of seeds.
  const paths = recipe.small.seeds.flatMap((seed) => asked.map((id) => [id, String(seed)]));
  await resultsOf(recipe).complete(paths, ([id, seed]) =>
    trainOne(recipe, id, Number(seed), threads),
  );
}

export function printLength(recipe) {
  const results = resultsOf(recipe).read();
  const { multiples, training } = recipe.length;
  if (Object.keys(results).length === 0) return;
  for (const language of languages) {
    say(
      `Held-out bits per character, ${language}, in windows longer than in training; seeds: ` +
        "mean ± deviation\n",
    );
    table([
      ["scheme", ...multiples.map((multiple) => String(multiple * training.length))],
      ...Object.entries(results).map(([id, seeds]) => [
        id,
        ...multiples.map((_, i) =>
          spreadText(
            Object.values(seeds).map((scores) => scores[language][i]),
            3,
          ),
        ),
      ]),
    ]);
  }
}
