// Models of bf16, f16, int8 and int4 at the sizes of SmolLM2-135M (config.json of
// HuggingFaceTB/SmolLM2-135M), with random weights: the time to write a token, and to read a
// prompt. Compared with the model in float32; with ONNX Runtime's int8 products of the same
// matrices, without attention, norms and other work; and with one thread.

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

/**
 * Reads a prompt and writes tokens through the public API, all of which is timed. In a session of
 * its own: a model keeps what it has read of its last text, and would not read a prompt again.
 */
export async function generated(model, prompt, maxTokens, options) {
  // A build from before sessions reads every prompt.
  const session = model.session?.() ?? model;
  const last = await continued(session, prompt, { maxTokens, ...options });
  if (session !== model) session.dispose();
  return last;
}

/** Returns the last token that follows a prompt. */
async function continued(session, prompt, options) {
  let last = 0;
  for await (const { id } of session.generate(prompt, { temperature: 0, ...options })) last = id;
  return Float32Array.of(last);
}

/**
 * Compares the first token of a chat's second turn in its session, which has read the first turn of
 * `tokens` and its answer, with reading the conversation afresh; the second turn adds `added`
 * tokens. Returns a speed-up.
 */
export async function laterAnswer({ dtype, scheme, tokens, added }, { peers }) {
  const model = await peers.ours.engine.model({ ...sizes, scheme }, { dtype });
  const session = model.session();
  const all = promptOf(tokens + added, sizes.vocabSize);
  await continued(session, all.slice(0, tokens), { maxTokens: 1 });
  const inSession = async () => {
    session.truncate(tokens);
    return continued(session, all, { maxTokens: 1 });
  };
  return {
    contenders: [
      { name: "ours", isAsync: true, run: inSession, dispose: () => model.dispose() },
      { name: "base", isAsync: true, run: () => generated(model, all, 1), dispose: () => {} },
    ],
    figure: (times) => times.base / times.ours,
  };
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

/** Compares with the float32 model, or with one thread, as a speed-up. */
export async function quantised({ dtype, base, ...parameters }, { peers, host, isAlone }) {
  const { engine } = peers.ours;
  const ours = await form(engine, "ours", parameters, dtype);
  if (isAlone) return { contenders: [ours] };
  const other =
    base === "one thread"
      ? await form(await host.engine(), "base", parameters, dtype)
      : await form(engine, "base", parameters, base);
  return { contenders: [ours, other], figure: (times) => times.base / times.ours };
}

/**
 * Compares drawing tokens with these `options` with taking the most probable, as a ratio of times.
 */
export async function sampled({ dtype, options, ...parameters }, { peers }) {
  const { engine } = peers.ours;
  const ours = await form(engine, "ours", { ...parameters, options }, dtype);
  const base = { ...ours, name: "base", dispose: () => {} };
  const prompt = promptOf(1, ours.model.config.vocabSize);
  base.run = () => generated(ours.model, prompt, writtenTokens);
  return { contenders: [ours, base], figure: (times) => times.ours / times.base };
}

/** Compares with ONNX Runtime's products alone: as many calls as there are written tokens. */
export async function matrices({ dtype, ...parameters }, { peers, host, isAlone }) {
  const layers = 12;
  const small = { ...parameters, model: { numLayers: layers, vocabSize: 64 } };
  const ours = await form(peers.ours.engine, "ours", small, dtype);
  if (isAlone) return { contenders: [ours] };
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

/** Returns the megabytes of the weights in the engine. */
export async function weightMemory({ dtype, scheme }, { peers }) {
  const model = await peers.ours.engine.model({ ...sizes, scheme }, { dtype });
  const figure = model.weightBytes / 1e6;
  model.dispose();
  return { result: { figure, times: {} } };
}

/**
 * Returns the megabytes of an engine that has only read such a model from a file and a prompt of
 * `tokens`, and written tokens: weights, cache, scratch memory and the memory for reading the file.
 */
export async function wholeMemory({ dtype, tokens }, { host }) {
  const engine = await host.newEngine();
  const model = await engine.model(blobOf(dtype), { dtype });
  await generated(model, promptOf(tokens, sizes.vocabSize), writtenTokens);
  return { result: { figure: engine.memory() / 1e6, times: {} } };
}

/**
 * Returns the seconds of the loss of `tokens` under bent positions; each call has a new bend. The
 * row sets the clock.
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
 * Compares two threads with one while another program keeps one of the two cores busy, as a
 * speed-up.
 */
export async function besideAnother(parameters, process) {
  const end = await process.host.startOtherWork();
  const prepared = await quantised(parameters, process);
  return { ...prepared, contenders: prepared.contenders.map(withEnd(end)) };
}

/** The other work ends when the first contender is disposed of. */
const withEnd = (end) => (contender) => ({
  ...contender,
  dispose: async () => {
    await end();
    contender.dispose();
  },
});
