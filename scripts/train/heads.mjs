// `npm run heads`: measures the attention of each head of the committed models over the whole
// held-out text. Written to heads.json beside the weights; `sample` is the same for the first
// window alone, so that a test can compute it again.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "../setup/progress.mjs";
import { formatResults, table } from "./experiments.mjs";
import { heldOutTexts, tokensWhere, writeIds } from "./held-out.mjs";
import { modelOptions, runTrainer } from "./native-trainer.mjs";
import { hasHeads, kinds, modelFolder, readJson, trainedSchemes, weightsHash } from "./recipe.mjs";

/** Offsets with their own number; larger ones share one. */
const reach = 32;
const lineEnds = [..."，。？！；："];
const delimiters = [...",.;:?!()，。？！；：\n", "<|end|>"];

/** Ids of tokens that heads may attend to: delimiters, ends of a line of verse, ends of a poem. */
export const headMarks = () => ({
  mark: tokensWhere((text) => delimiters.includes(text.trim() || text)),
  line: tokensWhere((text) => lineEnds.includes(text)),
  poem: tokensWhere((text) => ["\n", "<|end|>"].includes(text)),
});

async function measureOne(kind, id) {
  const folder = modelFolder(kind, id);
  const config = readJson(join(folder, "config.json"));
  const length = config.max_training_length;
  const texts = await heldOutTexts();
  const sample = writeIds("heldout.sample", texts.zh.ids.slice(0, length));
  const results = { en: {}, zh: {}, sample: {} };
  await runTrainer(
    "heads",
    [
      ...modelOptions(config),
      ["weights", join(folder, "model.safetensors")],
      ["length", length],
      ["reach", reach],
      ...Object.entries(headMarks()).flatMap(([name, list]) => list.map((id) => [name, id])),
      ["text", `en:${texts.en.file}`],
      ["text", `zh:${texts.zh.file}`],
      ["text", `sample:${sample}`],
    ],
    ({ event, text, layer, head, ...scores }) => {
      results[text][event === "uniform" ? "uniform" : `${layer}.${head}`] = scores;
    },
  );
  const flag = kind === "masked" ? "--masked " : "";
  const record = {
    command: `npm run heads -- ${flag}--scheme ${id}`,
    weightsSha256: weightsHash(folder),
    length,
    reach,
    results,
  };
  writeFileSync(join(folder, "heads.json"), formatResults(record, 2));
}

/** `ids`: schemes of one kind; empty for all models of both kinds. */
export async function measureHeads(recipe, kind, ids) {
  const asked =
    ids.length > 0
      ? ids.map((id) => [kind, id])
      : kinds.flatMap((each) => trainedSchemes(recipe, each).map((id) => [each, id]));
  for (const [index, [each, id]] of asked.entries()) {
    const isKnown = ids.length === 0 && hasHeads(modelFolder(each, id));
    say(`[${index + 1}/${asked.length}] ${each} ${id}${isKnown ? ": measured already" : ""}`);
    if (!isKnown) await measureOne(each, id);
  }
}

/** For each model the strongest head of every kind, beside the score of uniform attention. */
export function printHeads(recipe) {
  const scores = ["previous", "induction", "delimiter", "metre"];
  const rows = [];
  for (const kind of kinds) {
    for (const id of trainedSchemes(recipe, kind)) {
      const folder = modelFolder(kind, id);
      if (!hasHeads(folder)) continue;
      const { uniform, ...heads } = readJson(join(folder, "heads.json")).results.zh;
      const cells = scores.map((score) => {
        const [name, best] = Object.entries(heads).reduce((a, b) =>
          b[1][score] > a[1][score] ? b : a,
        );
        return `${best[score].toFixed(2)} (${name}; ${uniform[score].toFixed(2)})`;
      });
      rows.push([kind === "masked" ? `${id}, masked` : id, ...cells]);
    }
  }
  if (rows.length === 0) return;
  say(
    "The strongest head of each kind on Chinese text: " +
      "weight (layer.head; weight of uniform attention)\n",
  );
  table([["scheme", ...scores], ...rows]);
}
