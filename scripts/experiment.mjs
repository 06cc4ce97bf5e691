#!/usr/bin/env node
// Runs the experiments with the small models; results are JSON files under models/.
//
//   node scripts/experiment.mjs length     train short, test long         models/length.json
//   node scripts/experiment.mjs extension  longer contexts, not retrained models/extension.json
//   node scripts/experiment.mjs longrope   divisors found by search       models/longrope.json
//   node scripts/experiment.mjs probes     tasks that depend on position  models/probes.json
//   node scripts/experiment.mjs image      questions about pictures       models/image.json, image/
//   node scripts/experiment.mjs creatures  a model that reads pixels     models/pictures/creatures
//   node scripts/experiment.mjs heads      attention of each head         heads.json by the weights
//   node scripts/experiment.mjs all        all missing models and experiments
//
// Options: --scheme ID, repeatable (length, probes, image, heads), --masked (heads), --threads N
// (1), --print (only the tables). Finished results of an interrupted command are kept.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensure, root } from "./setup/ensure.mjs";
import { runMain, SetupError, unexpected } from "./setup/process.mjs";
import { say } from "./setup/progress.mjs";
import { measureCreatures, printCreatures } from "./train/creatures.mjs";
import { measureExtension, printExtension } from "./train/extension.mjs";
import { measureHeads, printHeads } from "./train/heads.mjs";
import { measureImage, printImage } from "./train/image.mjs";
import { measureLength, printLength } from "./train/length.mjs";
import { measureLongrope, printLongrope } from "./train/longrope.mjs";
import { buildTrainer } from "./train/native-trainer.mjs";
import { measureProbes, printProbes } from "./train/probes.mjs";
import { readRecipe } from "./train/recipe.mjs";

const experiments = {
  length: [({ recipe, ids, threads }) => measureLength(recipe, ids, threads), printLength],
  extension: [({ recipe, threads }) => measureExtension(recipe, threads), printExtension],
  longrope: [({ recipe }) => measureLongrope(recipe), printLongrope],
  probes: [({ recipe, ids, threads }) => measureProbes(recipe, ids, threads), printProbes],
  image: [({ recipe, ids, threads }) => measureImage(recipe, ids, threads), printImage],
  creatures: [({ recipe, threads }) => measureCreatures(recipe, threads), printCreatures],
  heads: [({ recipe, ids, kind }) => measureHeads(recipe, kind, ids), printHeads],
};

/** Runs everything, in the order of dependencies. */
function runAll(threads) {
  const stages = [
    ["train.mjs", "--all"],
    ["train.mjs", "--all", "--masked"],
    ...Object.keys(experiments).map((name) => ["experiment.mjs", name]),
  ];
  for (const [index, [script, ...words]] of stages.entries()) {
    say(`\n[${index + 1}/${stages.length}] ${script} ${words.join(" ")}`);
    const command = [join(root, "scripts", script), ...words, "--threads", String(threads)];
    const { status } = spawnSync(process.execPath, command, { stdio: "inherit" });
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

function parseOptions() {
  const options = {
    scheme: { type: "string", multiple: true, default: [] },
    masked: { type: "boolean" },
    print: { type: "boolean" },
    threads: { type: "string", default: "1" },
  };
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new SetupError(error.message);
  }
}

async function main() {
  const { values, positionals } = parseOptions();
  const [name] = positionals;
  const known = [...Object.keys(experiments), "all"];
  if (positionals.length !== 1 || !known.includes(name))
    throw unexpected("experiment", positionals.join(" ") || "none", `one of ${known.join(", ")}`);
  const threads = Number(values.threads);
  if (!Number.isSafeInteger(threads) || threads < 1)
    throw unexpected("--threads", values.threads, "an integer from 1");
  if (name === "all") return runAll(threads);
  const recipe = readRecipe();
  const [measure, print] = experiments[name];
  if (!values.print) {
    // The search uses the published package.
    if (name !== "longrope") {
      await ensure({ groups: ["build", "core"], emscripten: false });
      await buildTrainer();
    }
    const kind = values.masked ? "masked" : "causal";
    await measure({ recipe, ids: values.scheme, threads, kind });
  }
  print(recipe);
  return 0;
}

await runMain(main);
