// Models of bf16, f16, int8 and int4 at the sizes of SmolLM2-135M (config.json of
// HuggingFaceTB/SmolLM2-135M), with random weights: what a token costs to write, and a prompt to
// read. Against the same model of floats; against ONNX Runtime's int8 products of the same
// matrices, which leave out attention, norms and everything between; and against one thread.

import { uniform } from "../measure/inputs.mjs";
import { ggufFile } from "../peers/gguf-file.mjs";
import { ortInt8Matrices } from "../peers/ort-int8.mjs";

export const sizes = {
  vocabSize: 49152,
  hiddenSize: 576,
  numLayers: 30,
  numHeads: 9,
  numKvHeads: 3,
  intermediateSize: 1536,
};
const promptOf = (tokens, vocabulary) =>
  Array.from({ length: tokens }, (_, i) => (i * 7919 + 13) % vocabulary);

const writtenTokens = 8;

/** Reads a prompt and writes tokens through the public API; the time is of all of it. */
export async function generated(model, prompt, maxTokens, options) {
  let last = 0;
  for await (const { id } of model.generate(prompt, { maxTokens, temperature: 0, ...options }))
    last = id;
  return Float32Array.of(last);
}

/**
 * "decode": eight tokens, one after the other; "prompt": a prompt of `tokens`, and the token after
 * it.
 */
async function form(engine, name, { scheme, work, tokens, options, model: more }, dtype) {
  const model = await engine.model({ ...sizes, scheme, ...more }, { dtype });
  const prompt = promptOf(work === "prompt" ? tokens : 1, model.config.vocabSize);
  const count = work === "prompt" ? 1 : writtenTokens;
  return {
    name,
    isAsync: true,
    run: () => generated(model, prompt, count, options),
    dispose: () => model.dispose(),
    model,
  };
}

/** How many times as long the other takes: a model of floats, or one thread. */
export async function quantised({ dtype, base, ...parameters }, { peers, host }) {
  const { engine } = peers.ours;
  const ours = await form(engine, "ours", parameters, dtype);
  const other =
    base === "one thread"
      ? await form(await host.engine(), "base", parameters, dtype)
      : await form(engine, "base", parameters, base);
  return { contenders: [ours, other], figure: (times) => times.base / times.ours };
}

/** How many times as long it takes to draw tokens as `options` say as to take the most probable. */
export async function sampled({ dtype, options, ...parameters }, { peers }) {
  const { engine } = peers.ours;
  const ours = await form(engine, "ours", { ...parameters, options }, dtype);
  const base = { ...ours, name: "base", dispose: () => {} };
  const prompt = promptOf(1, ours.model.config.vocabSize);
  base.run = () => generated(ours.model, prompt, writtenTokens);
  return { contenders: [ours, base], figure: (times) => times.ours / times.base };
}

/** Against ONNX Runtime's products alone: as many calls as we write tokens. */
export async function matrices({ dtype, ...parameters }, { peers, host }) {
  const layers = 12;
  const small = { ...parameters, model: { numLayers: layers, vocabSize: 64 } };
  const ours = await form(peers.ours.engine, "ours", small, dtype);
  const rows = parameters.work === "prompt" ? parameters.tokens : 1;
  const calls = parameters.work === "prompt" ? 1 : writtenTokens;
  const { hiddenSize, intermediateSize, numHeads, numKvHeads } = sizes;
  const base = await ortInt8Matrices(await host.importOrt(), host.threads, {
    rows,
    calls,
    layers,
    width: hiddenSize,
    keys: (hiddenSize / numHeads) * numKvHeads,
    intermediate: intermediateSize,
    random: uniform,
  });
  return { contenders: [ours, base], figure: (times) => times.base / times.ours };
}

const blobOf = (dtype) => new Blob([ggufFile(sizes, dtype === "int4" ? "Q4_0" : "Q8_0")]);

/** Megabytes that the weights take in the engine. */
export async function weightMemory({ dtype, scheme }, { peers }) {
  const model = await peers.ours.engine.model({ ...sizes, scheme }, { dtype });
  const figure = model.weightBytes / 1e6;
  model.dispose();
  return { result: { figure, times: {} } };
}

/**
 * Megabytes of an engine that did nothing but read such a model from a file, a prompt of `tokens`,
 * and write: weights, cache, working memory and what reading the file took.
 */
export async function wholeMemory({ dtype, tokens }, { host }) {
  const engine = await host.newEngine();
  const model = await engine.model(blobOf(dtype), { dtype });
  await generated(model, promptOf(tokens, sizes.vocabSize), writtenTokens);
  return { result: { figure: engine.memory() / 1e6, times: {} } };
}

/**
 * Seconds of the loss of `tokens` under bent positions; what bends is new in each call. The clock
 * is the row's.
 */
export async function bentLoss({ dtype, scheme, tokens }, { peers }) {
  const model = await peers.ours.engine.model({ ...sizes, scheme }, { dtype });
  const ids = promptOf(tokens, sizes.vocabSize);
  let ropeTheta = 10_000;
  const run = () => {
    ropeTheta += 1000;
    const bent = model.bend({ ropeTheta });
    const { perToken } = bent.loss(ids);
    return perToken;
  };
  return {
    contenders: [{ name: "ours", isAsync: false, run, dispose: () => model.dispose() }],
    figure: (times) => times.ours / 1000,
  };
}

/**
 * How many times as fast two threads are as one while another program keeps a core busy: one of the
 * two cores that they would have.
 */
export async function besideAnother(parameters, process) {
  const end = await process.host.startOtherWork();
  const prepared = await quantised(parameters, process);
  return { ...prepared, contenders: prepared.contenders.map(withEnd(end)) };
}

/** The other work ends with the first contender that is disposed of. */
const withEnd = (end) => (contender) => ({
  ...contender,
  dispose: async () => {
    await end();
    contender.dispose();
  },
});
