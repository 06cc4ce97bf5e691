// A fresh Node process that measures the shipped package: it receives the plan, and sends its
// results.

import { readFile } from "node:fs/promises";
import { load } from "../../dist/index.js";
import { fmaProbe } from "../measure/probes.mjs";
import { measureRounds } from "../measure/rounds.mjs";
import { optionsAt } from "./plan.mjs";

/** Returns a model's config in the package's form. */
function configAt({ model, vocabulary, schemes }, id, length) {
  return {
    vocabSize: vocabulary,
    hiddenSize: model.hidden_size,
    numLayers: model.num_hidden_layers,
    numHeads: model.num_attention_heads,
    headDim: model.head_dim,
    intermediateSize: model.intermediate_size,
    rmsNormEps: model.rms_norm_eps,
    scheme: schemes[id].map((one) => ({ ...one, options: optionsAt(one.options, length) })),
    seed: 1,
  };
}

/** Returns token ids without a pattern, the same in every run. */
function textOf(tokens, vocabulary) {
  let state = 1;
  return Int32Array.from({ length: tokens }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % vocabulary;
  });
}

const send = (message) => process.send(message);

async function rounds(work, length, contenders, settings, probe) {
  const measured = await measureRounds(contenders, { ...settings, probe });
  send({ work, length, rounds: measured.rounds });
  for (const { dispose } of contenders) dispose?.();
}

/** Times one pass over a text, with its loss. */
async function inference(wf, plan, probe) {
  for (const length of plan.inference) {
    const ids = textOf(length + 1, plan.vocabulary);
    const contenders = [];
    for (const name of Object.keys(plan.schemes)) {
      const model = await wf.model(configAt(plan, name, length + 1));
      contenders.push({ name, run: () => model.loss(ids), dispose: () => model.dispose() });
    }
    await rounds("inference", length, contenders, plan.rounds, probe);
  }
}

/** Times a step of training, and returns the trainer's bytes after it. */
async function training(wf, plan, probe) {
  for (const length of plan.training) {
    const ids = textOf(64 * length, plan.vocabulary);
    const bytes = {};
    const contenders = Object.keys(plan.schemes).map((name) => {
      const trainer = wf.trainer({
        config: configAt(plan, name, length),
        task: { id: "language_model", ids },
        length,
        batchSize: Math.max(1, plan.tokensOfStep / length),
      });
      trainer.step();
      bytes[name] = trainer.memoryBytes;
      return { name, run: () => trainer.step(), dispose: () => trainer.dispose() };
    });
    send({ work: "trainingMemory", length, bytes });
    await rounds("training", length, contenders, plan.rounds, probe);
  }
}

/** Times writing after a prompt: one token, and the number of tokens to be timed. */
async function decoding(wf, plan, probe) {
  const { prompt, tokens } = plan.decoding;
  const ids = [...textOf(prompt, plan.vocabulary)];
  const contenders = [];
  for (const name of Object.keys(plan.schemes)) {
    const model = await wf.model(configAt(plan, name, prompt + tokens + 1));
    const write = async (maxTokens) => {
      for await (const _ of model.generate(ids, { maxTokens, temperature: 0 }));
    };
    contenders.push({ name: `${name}:one`, isAsync: true, run: () => write(1) });
    contenders.push({
      name: `${name}:all`,
      isAsync: true,
      run: () => write(1 + tokens),
      dispose: () => model.dispose(),
    });
  }
  await rounds("decoding", prompt, contenders, plan.rounds, probe);
}

/** Returns all memory of an engine after a single pass over the longest text. */
async function memory(plan, variant) {
  const wasm = await readFile(new URL(`../../dist/${variant}.wasm`, import.meta.url));
  const length = Math.max(...plan.inference);
  const ids = textOf(length + 1, plan.vocabulary);
  const bytes = {};
  for (const name of Object.keys(plan.schemes)) {
    const wf = await load({ wasm, variant, training: true });
    const model = await wf.model(configAt(plan, name, length + 1));
    model.loss(ids);
    bytes[name] = wf.memory();
  }
  send({ work: "inferenceMemory", length, bytes });
}

/** Returns the engine's own counts: parameters, operations of the formula, numbers in the cache. */
async function formulas(wf, plan) {
  const { num_attention_heads: numHeads, head_dim: headDim, hidden_size: width } = plan.model;
  const layers = plan.model.num_hidden_layers;
  const costOf = (specs, length, sizes) =>
    specs
      .map(({ id, options }) => {
        const scheme = wf.scheme(id, { numHeads, headDim, ...optionsAt(options, length) });
        const cost = scheme.cost({ ...sizes, width });
        scheme.dispose();
        return cost;
      })
      .reduce((a, b) =>
        Object.fromEntries(Object.entries(a).map(([key, value]) => [key, value + b[key]])),
      );
  for (const [name, specs] of Object.entries(plan.schemes)) {
    const model = await wf.model(configAt(plan, name));
    const { parameterCount } = model;
    model.dispose();
    const { modelParameters, layerParameters, cacheFloats } = costOf(specs);
    const trained = modelParameters + layers * layerParameters;
    const costs = {};
    for (const length of new Set([...plan.inference, ...plan.training])) {
      // Under a causal mask a query has half of the keys on average, plus its own.
      const keys = Math.ceil((length + 1) / 2);
      costs[length] = costOf(specs, length, { queries: length, keys });
    }
    send({ work: "formula", scheme: name, parameterCount, trained, cacheFloats, costs });
  }
}

process.once("message", async (plan) => {
  const wf = await load({ training: true });
  const probe = fmaProbe(2);
  send({ work: "machine", node: process.version.slice(1), variant: wf.variant });
  await formulas(wf, plan);
  await inference(wf, plan, probe);
  await training(wf, plan, probe);
  await decoding(wf, plan, probe);
  await memory(plan, wf.variant);
  process.disconnect();
});
