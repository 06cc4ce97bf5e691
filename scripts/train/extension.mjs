// `npm run extension`: contexts longer than in training, without retraining. The committed rotary
// model reads held-out text in long windows, with its frequencies changed by each method.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "../setup/progress.mjs";
import { Results, table } from "./experiments.mjs";
import { bits, heldOutTexts, languages, rounded, textOptions } from "./held-out.mjs";
import { modelOptions, runTrainer } from "./native-trainer.mjs";
import { modelFolder, readJson, sha256 } from "./recipe.mjs";

const folderOf = (recipe) => modelFolder("causal", recipe.extension.model);
const configOf = (recipe) => readJson(join(folderOf(recipe), "config.json"));

export const extensionPlan = (recipe) => ({
  extension: recipe.extension,
  config: configOf(recipe),
  weightsSha256: sha256(readFileSync(join(folderOf(recipe), "model.safetensors"))),
});

const resultsOf = (recipe) =>
  new Results("extension", { command: "npm run extension", plan: extensionPlan(recipe), depth: 2 });

/** The model's config with the frequencies of a method. */
export function extendedConfig(recipe, method, factor) {
  const config = configOf(recipe);
  const ropeType = recipe.extension.methods[method];
  if (ropeType === null) return config;
  const [scheme] = config.schemes;
  const length = config.max_training_length;
  const options = {
    ...scheme.options,
    maxPositionEmbeddings: length,
    "ropeScaling.ropeType": ropeType,
    "ropeScaling.factor": factor,
    "ropeScaling.originalMaxPositionEmbeddings": length,
  };
  return { ...config, schemes: [{ ...scheme, options }] };
}

/** Bits per token in windows `multiple` times as long as in training, overall and by position. */
async function readLong(recipe, method, multiple, threads) {
  const config = extendedConfig(recipe, method, multiple);
  const longest = Math.max(...recipe.extension.multiples);
  const result = {};
  await runTrainer(
    "lengths",
    [
      ...modelOptions(config),
      ["weights", join(folderOf(recipe), "model.safetensors")],
      ["threads", threads],
      ["length", config.max_training_length],
      ["bucket", config.max_training_length],
      ["longest", longest],
      ["multiple", multiple],
      ...textOptions(await heldOutTexts()),
    ],
    (event) => {
      result[event.text] = {
        bitsPerToken: rounded(bits(event.nats) / event.tokens),
        byPosition: event.buckets.map(({ tokens, nats }) => rounded(bits(nats) / tokens, 3)),
      };
    },
  );
  const shown = languages.map((language) => `${language} ${result[language].bitsPerToken}`);
  return { result, summary: shown.join(", ") };
}

/**
 * For each pair of channels that rotates: radians per token, and full rotations within the training
 * length. Beyond that length, a pair with less than one meets angles that are new to the model.
 */
export function rotationsInTraining(config) {
  const theta = config.schemes[0].options.ropeTheta ?? 10000;
  const pairs = config.head_dim / 2;
  return Array.from({ length: pairs }, (_, pair) => {
    const frequency = theta ** (-pair / pairs);
    return { frequency, rotations: (frequency * config.max_training_length) / (2 * Math.PI) };
  });
}

export async function measureExtension(recipe, threads) {
  const { methods, multiples } = recipe.extension;
  const paths = multiples.flatMap((multiple) =>
    Object.keys(methods).map((method) => [method, String(multiple)]),
  );
  const results = resultsOf(recipe);
  results.set(["none", "1"], (await readLong(recipe, "none", 1, threads)).result);
  await results.complete(paths, ([method, multiple]) =>
    readLong(recipe, method, Number(multiple), threads),
  );
}

export function printExtension(recipe) {
  const results = resultsOf(recipe).read();
  if (!results.none) return;
  const config = configOf(recipe);
  const { multiples } = recipe.extension;
  const length = config.max_training_length;
  for (const language of languages) {
    say(
      `Held-out bits per token, ${language}, without retraining; at ${length}: ` +
        `${results.none["1"][language].bitsPerToken.toFixed(3)}\n`,
    );
    table([
      ["method", ...multiples.map((multiple) => String(multiple * length))],
      ...Object.entries(results).map(([method, scores]) => [
        method,
        ...multiples.map((multiple) => scores[multiple]?.[language].bitsPerToken.toFixed(3) ?? ""),
      ]),
    ]);
    const last = String(multiples.at(-1));
    say(`By position in windows of ${last * length}: from 0, ${length}, …\n`);
    table([
      ["method", ...results.none[last][language].byPosition.map((_, i) => String(i * length))],
      ...Object.entries(results)
        .filter(([, scores]) => scores[last])
        .map(([method, scores]) => [
          method,
          ...scores[last][language].byPosition.map((value) => value.toFixed(2)),
        ]),
    ]);
  }
  say(`Rotations of each pair of channels within the ${length} tokens of training\n`);
  table([
    ["pair", "radians a token", "turns"],
    ...rotationsInTraining(config).map(({ frequency, rotations }, pair) => [
      String(pair),
      frequency.toPrecision(3),
      `${rotations.toFixed(3)}${rotations < 1 ? "  never a full turn" : ""}`,
    ]),
  ]);
}
