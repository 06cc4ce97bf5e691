#!/usr/bin/env node
// Trains the small models, natively and on all cores.
//
//   node scripts/train.mjs --scheme rope     trains one model, or continues an interrupted run
//   node scripts/train.mjs --all             every scheme of models/recipe.json that is not trained
//                                            yet, one after another
//   node scripts/train.mjs --report          scores the committed weights again, prints all numbers
//   node scripts/train.mjs --report --write  writes the tables of models/README.md from the records
//
// Options: --masked (bidirectional models), --threads N (the result does not depend on it),
// --restart (ignore an interrupted or finished run); --steps N and --seed N make a trial, whose
// result stays in build/training.

import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensure } from "./setup/ensure.mjs";
import { runMain, SetupError, unexpected } from "./setup/process.mjs";
import { formatSeconds, say } from "./setup/progress.mjs";
import { corpusFolder, corpusHashes, ensureCorpus } from "./train/corpus-files.mjs";
import { scoreWeights } from "./train/held-out.mjs";
import {
  buildTrainer,
  modelOptions,
  runTrainer,
  trainingOptions,
} from "./train/native-trainer.mjs";
import { planRun, readJson, readRecipe, schemesOf, sha256 } from "./train/recipe.mjs";
import { formatRecord, lossCurve, secondsAtWork } from "./train/record.mjs";
import { report, writeResults } from "./train/report.mjs";

const saveEvery = 50;
const reportEvery = 10;

function parseOptions() {
  const options = {
    scheme: { type: "string" },
    all: { type: "boolean" },
    masked: { type: "boolean" },
    report: { type: "boolean" },
    write: { type: "boolean" },
    restart: { type: "boolean" },
    steps: { type: "string" },
    seed: { type: "string" },
    threads: { type: "string" },
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new SetupError(error.message);
  }
}

function naturalOption(name, text) {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw unexpected(`--${name}`, text, "an integer from 0");
}

/** Everything that a run depends on; a state of another plan must not be resumed. */
function planText(run) {
  const corpus = corpusHashes(Object.keys(run.training.streams));
  return JSON.stringify({ config: run.config, training: run.training, corpus }, null, 2);
}

/** Whether the committed model is what this run would make. */
function isDone(run) {
  const record = join(run.target, "training.json");
  const weights = join(run.target, "model.safetensors");
  if (run.isTrial || !existsSync(record) || !existsSync(weights)) return false;
  const { training, corpus, weightsSha256 } = readJson(record);
  const config = readJson(join(run.target, "config.json"));
  return (
    JSON.stringify({ config, training, corpus }, null, 2) === planText(run) &&
    weightsSha256 === sha256(readFileSync(weights))
  );
}

/** Prepares the run's folder: empty, or with the files of an interrupted run of the same plan. */
function prepareFolder(run, restart) {
  const plan = planText(run);
  const same = existsSync(run.plan) && readFileSync(run.plan, "utf8") === plan;
  if (restart || !same) rmSync(run.folder, { recursive: true, force: true });
  mkdirSync(run.folder, { recursive: true });
  writeFileSync(run.plan, plan);
}

function runOptions(run, threads) {
  return [
    ...modelOptions(run.config),
    ...trainingOptions(run.training),
    ["task", run.task],
    ...Object.entries(run.training.streams).map(([name, weight]) => [
      "stream",
      `${join(corpusFolder, name)}:${weight}`,
    ]),
    ["threads", threads],
    ["state", run.state],
    ["weights", run.weights],
    ["save-every", saveEvery],
    ["report-every", reportEvery],
  ];
}

function readProgress(run) {
  if (!existsSync(run.progress)) return [];
  const lines = readFileSync(run.progress, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/**
 * Trains to the end; resolves to `{ parameters, events }`, including events of interrupted parts.
 */
async function trainRun(run, threads) {
  let parameters = 0;
  let events = readProgress(run);
  let lastShown = 0;
  await runTrainer("train", runOptions(run, threads), (event) => {
    if (event.event === "start") {
      parameters = event.parameters;
      // Steps after the last saved state are repeated.
      events = events.filter(({ step }) => step <= event.step);
      writeFileSync(run.progress, events.map((kept) => `${JSON.stringify(kept)}\n`).join(""));
      const from = event.step > 0 ? `, going on after step ${event.step}` : "";
      say(`Training ${run.id}: ${parameters} parameters, ${run.training.steps} steps${from}`);
      return;
    }
    events.push(event);
    appendFileSync(run.progress, `${JSON.stringify(event)}\n`);
    const isLast = event.step === run.training.steps;
    if (!isLast && Date.now() - lastShown < 5000) return;
    lastShown = Date.now();
    const tokensLeft = (run.training.steps - event.step) * run.training.batch * run.training.length;
    say(
      `  step ${event.step}/${run.training.steps}  loss ${event.loss.toFixed(3)}` +
        `  ${Math.round(event.tokensPerSecond)} tokens/s` +
        `  ${formatSeconds(tokensLeft / event.tokensPerSecond)} left`,
    );
  });
  return { parameters, events };
}

async function trainScheme(recipe, run, { threads, restart }) {
  const { id } = run;
  ensureCorpus(Object.keys(run.training.streams));
  prepareFolder(run, restart);
  const { parameters, events } = await trainRun(run, threads);
  say(`Scoring ${id} on the held-out text`);
  const heldOut = await scoreWeights(recipe, run.kind, run.config, run.weights);
  const seconds = secondsAtWork(events);
  const { streams: _, ...settings } = run.training;
  const tokens = settings.steps * settings.batch * settings.length;
  const record = {
    command: `npm run train -- ${run.kind === "masked" ? "--masked " : ""}--scheme ${id}`,
    ...JSON.parse(planText(run)),
    config: undefined,
    parameters,
    tokens,
    seconds: Number(seconds.toFixed(1)),
    threads,
    tokensPerSecond: Math.round(tokens / seconds),
    weightsSha256: sha256(readFileSync(run.weights)),
    heldOut,
    losses: lossCurve(events),
  };
  const { target } = run;
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, "config.json"), `${JSON.stringify(run.config, null, 2)}\n`);
  writeFileSync(join(target, "training.json"), `${formatRecord(record)}\n`);
  if (!run.isTrial) copyFileSync(run.weights, join(target, "model.safetensors"));
  const { en, zh } = heldOut;
  const unit = run.kind === "masked" ? "bits per masked character" : "bits per character";
  say(`  en ${en.bitsPerCharacter} and zh ${zh.bitsPerCharacter} ${unit}`);
  say(`  written to ${target}`);
}

async function main() {
  const options = parseOptions();
  const recipe = readRecipe();
  if (!options.report && !options.all && !options.scheme) {
    throw new SetupError("No work was named: use --scheme <id>, --all or --report.");
  }
  if (options.report && options.write) return writeResults(recipe);
  await ensure({ groups: ["build", "core"], emscripten: false });
  await buildTrainer();
  if (options.report) return report(recipe);
  const overrides = {};
  for (const name of ["steps", "seed"]) {
    if (options[name] !== undefined) overrides[name] = naturalOption(name, options[name]);
  }
  const threads = options.threads
    ? naturalOption("threads", options.threads)
    : availableParallelism();
  const kind = options.masked ? "masked" : "causal";
  const ids = options.all ? Object.keys(schemesOf(recipe, kind)) : [options.scheme];
  for (const [index, id] of ids.entries()) {
    const run = planRun(recipe, id, overrides, kind);
    if (options.all) say(`[${index + 1}/${ids.length}] ${id}`);
    if (options.all && !options.restart && isDone(run)) say("  trained already");
    else await trainScheme(recipe, run, { threads, restart: options.restart });
  }
  return 0;
}

await runMain(main);
