// What the measures of all heads cost beside a plain run of the same text, and how soon a worker is
// free after an abort.
//
//   node bench/heads.mjs MODEL [--tokens 2048] [--rounds 3]
//
// MODEL is a file or folder that wf.model opens. Times are of this process's processors, so that
// other work on the machine counts less; the ratio is taken inside a round, and the median printed.
// Memory is what the engine has grown by since a plain run.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { load } from "../dist/index.js";
import { load as loadInWorker } from "../dist/worker.js";
import { unexpected } from "../scripts/setup/process.mjs";
import { median } from "./measure/statistics.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tokens: { type: "string", default: "2048" },
    rounds: { type: "string", default: "3" },
  },
});
const [source] = positionals;
const rounds = Number(values.rounds);
const textFile = new URL("../models/length/genesis.txt", import.meta.url);
const tokenizer = () => import("@huggingface/tokenizers");

/** Milliseconds of processor time of all threads of this process. */
const processorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const timed = (call) => {
  const begin = processorTime();
  call();
  return processorTime() - begin;
};

const wf = await load();
const model = await wf.model(source, { tokenizer: tokenizer() });
const text = readFileSync(textFile, "utf8");
const ids = model.tokenizer.encode(text).slice(0, Number(values.tokens));
const { numLayers, numHeads } = model.config;

const ratios = [];
let bytesOfRun = 0;
for (let round = 0; round < rounds; round++) {
  const run = timed(() => model.run(ids));
  bytesOfRun ||= wf.memory();
  const heads = timed(() => model.heads(ids));
  ratios.push(heads / run);
}
const grown = (wf.memory() - bytesOfRun) / 1e6;
console.log(
  `${numLayers * numHeads} heads over ${ids.length} tokens: ${median(ratios).toFixed(2)} times a ` +
    `run (${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}), ${grown.toFixed(0)} MB more`,
);
model.dispose();

const remote = await loadInWorker();
const remoteModel = await remote.model(source, { tokenizer: tokenizer() });
const pauses = { heads: [], prompt: [] };
const calls = {
  heads: (signal, onProgress) => remoteModel.heads(ids, {}, { signal, onProgress }),
  prompt: (signal, onProgress) => remoteModel.generate(ids, { signal, onProgress }).next(),
};
for (const [name, call] of Object.entries(calls))
  for (let round = 0; round < rounds; round++) {
    const control = new AbortController();
    let begin;
    // Aborted in the second step; the worker is free when it answers another question.
    const ended = call(control.signal, () => {
      begin ??= processorTime();
      control.abort();
    }).catch(({ code }) => code);
    const code = await ended;
    if (code !== "aborted") throw unexpected(name, code, "aborted");
    await remoteModel.heads(ids.slice(0, 2));
    pauses[name].push(processorTime() - begin);
  }
for (const [name, times] of Object.entries(pauses))
  console.log(
    `abort of ${name}: the worker is free after ${Math.round(median(times))} ms of processor time`,
  );
remote.dispose?.();
