// `npm run report`: scores of the committed weights, beside those recorded in their training and
// those of the Kneser-Ney trigram; then the tables of the experiments.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "../setup/process.mjs";
import { say } from "../setup/progress.mjs";
import { table } from "./experiments.mjs";
import { printExtension } from "./extension.mjs";
import { printHeads } from "./heads.mjs";
import { scoreWeights } from "./held-out.mjs";
import { printImage } from "./image.mjs";
import { printLength } from "./length.mjs";
import { printProbes } from "./probes.mjs";
import { kinds, modelFolder, modelsFolder, readJson, sha256, trainedSchemes } from "./recipe.mjs";

// Another processor's kernels round differently.
const tolerance = 0.002;

const percentBelow = (ours, theirs) => `${(100 * (1 - ours / theirs)).toFixed(1)} %`;

function characterRow(id, scores, baseline) {
  const { en, zh } = scores;
  return [
    id,
    en.bitsPerCharacter.toFixed(3),
    percentBelow(en.bitsPerCharacter, baseline.en.bitsPerCharacter),
    zh.bitsPerCharacter.toFixed(3),
    percentBelow(zh.bitsPerCharacter, baseline.zh.bitsPerCharacter),
    zh.hanBitsPerCharacter.toFixed(3),
    percentBelow(zh.hanBitsPerCharacter, baseline.zh.hanBitsPerCharacter),
  ];
}

function lengthRows(results, language) {
  const lengths = results[0].scores[language].lengths;
  return [
    [`${language}, window`, ...lengths.map(({ length }) => String(length)), "last - first"],
    ...results.map(({ id, scores }) => {
      const values = scores[language].lengths.map(({ bitsPerToken }) => bitsPerToken);
      const last = values.at(-1);
      return [
        id,
        ...values.map((value) => value?.toFixed(3) ?? "not defined"),
        last === null ? "" : (last - values[0]).toFixed(3),
      ];
    }),
  ];
}

/** The numbers that differ from those in training.json, as sentences. */
function differences(id, recorded, scores) {
  const found = [];
  for (const language of ["en", "zh"]) {
    const before = recorded.heldOut[language];
    const now = scores[language];
    const pairs = [
      ["bits per character", before.bitsPerCharacter, now.bitsPerCharacter],
      ...now.lengths.map(({ length, bitsPerToken }, index) => [
        `bits per token at ${length}`,
        before.lengths[index]?.bitsPerToken,
        bitsPerToken,
      ]),
    ];
    for (const [what, old, scored] of pairs) {
      if (old === scored || (scored !== null && Math.abs(old - scored) <= tolerance)) continue;
      found.push(`${id}: ${language} ${what} is ${scored}, recorded as ${old}`);
    }
  }
  return found;
}

/** Scores the committed models of a kind: `{ id, scores, recorded }`; adds problems to `wrong`. */
async function scoreKind(recipe, kind, wrong) {
  const results = [];
  for (const id of trainedSchemes(recipe, kind)) {
    const folder = modelFolder(kind, id);
    const recorded = readJson(join(folder, "training.json"));
    const weights = join(folder, "model.safetensors");
    say(`Scoring ${kind} ${id} on the held-out text`);
    const config = readJson(join(folder, "config.json"));
    const scores = await scoreWeights(recipe, kind, config, weights);
    results.push({ id, scores, recorded });
    if (sha256(readFileSync(weights)) !== recorded.weightsSha256) {
      wrong.push(`${kind} ${id}: model.safetensors is not the file that was recorded`);
    }
    wrong.push(...differences(`${kind} ${id}`, recorded, scores));
  }
  return results;
}

function causalRows(results) {
  const baseline = readJson(join(modelsFolder, "baseline.json"));
  return [
    ["scheme", "en", "below", "zh", "below", "zh, characters only", "below"],
    [
      "trigram",
      baseline.en.bitsPerCharacter.toFixed(3),
      "",
      baseline.zh.bitsPerCharacter.toFixed(3),
      "",
      baseline.zh.hanBitsPerCharacter.toFixed(3),
      "",
    ],
    ...results.map(({ id, scores }) => characterRow(id, scores, baseline)),
  ];
}

const maskedRows = (results) => [
  ["scheme", "en", "zh", "zh, characters only"],
  ...results.map(({ id, scores: { en, zh } }) => [
    id,
    en.bitsPerCharacter.toFixed(3),
    zh.bitsPerCharacter.toFixed(3),
    zh.hanBitsPerCharacter.toFixed(3),
  ]),
];

const characterTables = {
  causal: {
    title: "Held-out bits per character, and how far below the Kneser-Ney character trigram",
    rows: causalRows,
  },
  masked: {
    title: "Held-out bits per masked character of the models that read on both sides",
    rows: maskedRows,
  },
};

function printTraining(results) {
  say("Training\n");
  table([
    ["scheme", "parameters", "tokens", "last loss", "tokens/s", "minutes"],
    ...results.map(({ id, recorded }) => [
      id,
      String(recorded.parameters),
      String(recorded.tokens),
      recorded.losses.at(-1)[1].toFixed(3),
      String(recorded.tokensPerSecond),
      (recorded.seconds / 60).toFixed(1),
    ]),
  ]);
}

const asMarkdown = ([head, ...rows]) =>
  [head, head.map((_, column) => (column === 0 ? "---" : "--:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

/**
 * Writes the tables of models/README.md from the records in training.json; `report` checks whether
 * these are still true.
 */
export function writeResults(recipe) {
  const page = join(modelsFolder, "README.md");
  let text = readFileSync(page, "utf8");
  for (const kind of kinds) {
    const results = trainedSchemes(recipe, kind).map((id) => {
      const recorded = readJson(join(modelFolder(kind, id), "training.json"));
      return { id, scores: recorded.heldOut, recorded };
    });
    const begin = `<!-- begin ${kind}: written by npm run report -- --write -->`;
    const end = `<!-- end ${kind} -->`;
    const [before, rest] = text.split(begin);
    const after = rest?.split(end)[1];
    if (after === undefined) throw new SetupError(`${page} has no marks for the ${kind} tables.`);
    const tables = [
      characterTables[kind].rows(results),
      ...(results.length === 0 ? [] : ["en", "zh"].map((each) => lengthRows(results, each))),
    ].map(asMarkdown);
    text = [before, begin, "\n\n", tables.join("\n\n"), "\n\n", end, after].join("");
  }
  writeFileSync(page, text);
  say(`Written to ${page}`);
  return 0;
}

/** Scores every committed model; resolves to the process's exit code. */
export async function report(recipe) {
  const wrong = [];
  for (const kind of kinds) {
    const results = await scoreKind(recipe, kind, wrong);
    if (results.length === 0) {
      say(`No ${kind} model is trained yet.`);
      continue;
    }
    const { title, rows } = characterTables[kind];
    say(`\n${title}\n`);
    table(rows(results));
    say("Held-out bits per token of the same tokens, read in windows of several lengths\n");
    for (const language of ["en", "zh"]) table(lengthRows(results, language));
    printTraining(results);
  }
  for (const print of [printLength, printExtension, printProbes, printImage, printHeads])
    print(recipe);
  for (const sentence of wrong) say(`DIFFERS  ${sentence}`);
  return wrong.length > 0 ? 1 : 0;
}
