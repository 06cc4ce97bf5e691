// `npm run report`: what the committed weights score now, beside what was recorded when they were
// trained and beside the Kneser-Ney trigram.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "../setup/progress.mjs";
import { scoreWeights } from "./held-out.mjs";
import { modelsFolder, readJson, sha256, trainedSchemes } from "./recipe.mjs";

// Another processor's kernels round differently.
const tolerance = 0.002;

const percentBelow = (ours, theirs) => `${(100 * (1 - ours / theirs)).toFixed(1)} %`;

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) say(row.map((cell, column) => cell.padStart(widths[column])).join("  "));
  say("");
}

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
      const change = values.at(-1) - values[0];
      return [id, ...values.map((value) => value.toFixed(3)), change.toFixed(3)];
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
    for (const [what, old, fresh] of pairs) {
      if (Math.abs(old - fresh) <= tolerance) continue;
      found.push(`${id}: ${language} ${what} is ${fresh}, recorded as ${old}`);
    }
  }
  return found;
}

/** Scores every committed model; resolves to the process's exit code. */
export async function report(recipe) {
  const ids = trainedSchemes(recipe);
  if (ids.length === 0) {
    say("No model is trained yet: npm run train -- --scheme rope");
    return 1;
  }
  const baseline = readJson(join(modelsFolder, "baseline.json"));
  const results = [];
  const wrong = [];
  for (const id of ids) {
    const folder = join(modelsFolder, id);
    const recorded = readJson(join(folder, "training.json"));
    const weights = join(folder, "model.safetensors");
    say(`Scoring ${id} on the held-out text`);
    const config = readJson(join(folder, "config.json"));
    const scores = await scoreWeights(config, weights, recipe.scoring.multiples);
    results.push({ id, scores, recorded });
    if (sha256(readFileSync(weights)) !== recorded.weightsSha256) {
      wrong.push(`${id}: model.safetensors is not the file that was recorded`);
    }
    wrong.push(...differences(id, recorded, scores));
  }
  say("\nHeld-out bits per character, and how far below the Kneser-Ney character trigram\n");
  table([
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
  ]);
  say("Held-out bits per token of the same tokens, read in windows of so many tokens\n");
  for (const language of ["en", "zh"]) table(lengthRows(results, language));
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
  for (const sentence of wrong) say(`DIFFERS  ${sentence}`);
  return wrong.length > 0 ? 1 : 0;
}
