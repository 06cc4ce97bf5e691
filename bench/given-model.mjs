// npm run bench -- --model FILE: the speed at which a model file reads a text and continues it. A
// separate program, since Node 20 needs a flag for relaxed SIMD when it starts.

import { openAsBlob, readFileSync } from "node:fs";
import { basename } from "node:path";
import * as library from "@huggingface/tokenizers";
import { load } from "../dist/index.js";
import { runMain, SetupError, unexpected } from "../scripts/setup/process.mjs";
import { say } from "../scripts/setup/progress.mjs";
import { median } from "./measure/statistics.mjs";

const dtypes = ["f32", "int8", "int4"];
const textFile = new URL("../models/length/genesis.txt", import.meta.url);
const promptTokens = 128;
const writtenTokens = 64;
const lossTokens = 512;
const rounds = 5;

/** Processor time of all threads of this process, in microseconds. */
const processorTime = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/**
 * Returns seconds of processor time of the prompt with its first token, and of each later token,
 * and the tokens. The length is fixed, because no `stopId` is given.
 */
async function writeOn(model, prompt) {
  const ids = [];
  const begin = processorTime();
  let first = begin;
  // A model keeps what it has read of its last text.
  const session = model.session();
  const options = { maxTokens: writtenTokens, temperature: 0, stopId: [] };
  for await (const { id } of session.generate(prompt, options)) {
    if (ids.length === 0) first = processorTime();
    ids.push(id);
  }
  session.dispose();
  const all = processorTime() - first;
  return { prompt: (first - begin) / 1e6, writing: all / 1e6 / (ids.length - 1), ids };
}

/**
 * Returns the change of a text's mean loss in nats due to rounded activations, with equal weights.
 */
function costOfRounding(model, ids) {
  const [exact, quick] = [true, false].map((isExact) => model.loss(ids, { exact: isExact }).mean);
  return Math.abs(quick - exact);
}

/**
 * Returns the lines of a report: tokens per second of processor time on one thread, as medians of
 * interleaved rounds, and the written text. The prompt is the project's own text (models/length).
 * Errors: those of `wf.model` for the file; a file without a tokenizer.
 */
async function linesOf(file) {
  const wf = await load();
  const models = new Map();
  for (const dtype of dtypes) {
    const opening = wf.model(await openAsBlob(file), { dtype, tokenizer: library });
    const refuse = ({ message }) => {
      throw new SetupError(`--model ${file}: ${message}`);
    };
    models.set(dtype, await opening.catch(refuse));
  }
  const [{ tokenizer }] = models.values();
  if (!tokenizer) throw unexpected("--model", file, "a GGUF file with a tokenizer");
  const text = readFileSync(textFile, "utf8").slice(0, 4000);
  const ids = tokenizer.encode(text);
  const prompt = ids.slice(0, promptTokens);
  const found = new Map(dtypes.map((dtype) => [dtype, []]));
  for (let round = 0; round < rounds; round++)
    for (const [dtype, model] of models) found.get(dtype).push(await writeOn(model, prompt));
  const lines = [
    `${basename(file)}: ${promptTokens} tokens of a text read, ${writtenTokens} written, one ` +
      `thread, ${wf.variant} SIMD,`,
    `medians of ${rounds} interleaved rounds, tokens a second of processor time; rounding: nats by`,
    `which the quick way changes the loss of ${lossTokens} tokens (at most 0.01)`,
    "",
    ["", "read", "written", "MB", "rounding"].map((head, at) => head.padStart(at ? 9 : 6)).join(""),
  ];
  for (const [dtype, runs] of found) {
    const read = promptTokens / median(runs.map(({ prompt }) => prompt));
    const written = 1 / median(runs.map(({ writing }) => writing));
    const model = models.get(dtype);
    const rounding = costOfRounding(model, ids.slice(0, lossTokens));
    const size = (model.weightBytes / 1e6).toFixed(0);
    const cells = [read.toFixed(1), written.toFixed(1), size, rounding.toFixed(4)];
    lines.push(dtype.padEnd(6) + cells.map((cell) => cell.padStart(9)).join(""));
    lines.push(`      … ${JSON.stringify(tokenizer.decode(runs[0].ids).slice(0, 80))}`);
  }
  for (const model of models.values()) model.dispose();
  return lines;
}

await runMain(async () => {
  for (const line of await linesOf(process.argv[2])) say(line);
});
