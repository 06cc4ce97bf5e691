// Families of encoder and decoder (T5, BART, Marian): terms, surgery, required and refused
// arguments.

import assert from "node:assert/strict";
import { test } from "node:test";
import { familyFile, modelOf, textOfDecoder } from "./families.mjs";
import { near, refused, rejected, wf } from "./golden.mjs";
import { safetensors } from "./safetensors.mjs";
import "./with-training.mjs";

test("the terms of a decoder's attention to the encoder add up to its logits", async () => {
  for (const name of ["t5", "bart", "marian"]) {
    const file = familyFile(name);
    const model = await modelOf(wf, file);
    const record = ["terms", "logits", "weights"];
    const region = { layers: [1], heads: [0, 2], rows: [1, 3] };
    const decoderTokens = [2, 5, 6, 7];
    const { cross } = model.run(file.ids, { record, region, decoderTokens });
    const whole = model.run(file.ids, { record, decoderTokens }).cross;
    assert.deepEqual(cross.weights.shape, [1, 2, 2, file.ids.length]);
    const at = (whole.weights.shape[1] * 1 + 2) * 4 + 3;
    const row = whole.weights.data.subarray(at * file.ids.length, (at + 1) * file.ids.length);
    near(cross.weights.data.subarray(-file.ids.length), row, 0);
    const sum = whole.logits.data.map((_, i) =>
      Object.values(whole.terms).reduce((total, { data }) => total + data[i], 0),
    );
    near(sum, whole.logits.data, 1e-4, name);
    const { content, ...others } = whole.terms;
    assert.ok(content.data.some((x) => x !== 0));
    // Positions in two sequences have no distance.
    for (const { data } of Object.values(others)) assert.ok(data.every((x) => x === 0));
  }
});

test("surgery on a decoder applies to its self-attention", async () => {
  const file = familyFile("t5");
  const model = await modelOf(wf, file);
  const options = { record: ["weights", "logits"], ...textOfDecoder(file).decoderTokens };
  const whole = model.run(file.ids, options);
  const cut = model.run(file.ids, { ...options, surgery: { zero: ["bucket"], layers: [0] } });
  const first = (record) => record.data.slice(0, record.data.length / record.shape[0]);
  assert.notDeepEqual(first(cut.weights), first(whole.weights));
  const { labels } = textOfDecoder(file);
  const bent = model.loss(file.ids, { ...labels, surgery: { scheme: [] } }).mean;
  const view = model.bend({ positions: "none" });
  assert.equal(view.loss(file.ids, labels).mean, bent);
  const { data } = view.run(file.ids, options).weights;
  assert.equal(data.length, whole.weights.data.length);
  assert.notDeepEqual(data, whole.weights.data);
  assert.ok(Math.abs(bent - model.loss(file.ids, labels).mean) > 1e-4);
});

test("a model of encoder and decoder names missing arguments and missing features", async () => {
  const file = familyFile("bart");
  const model = await modelOf(wf, file);
  assert.equal(model.config.numLayers, 2);
  assert.equal(model.encoderConfig.numLayers, 3);
  assert.deepEqual(model.run(file.ids).ids, [file.config.decoder_start_token_id]);
  refused(() => model.run([99]), "invalid_argument", /input\[0\]/);
  refused(() => model.run([1], { decoderTokens: [99] }), "invalid_argument", /decoderTokens\[0\]/);
  refused(() => model.loss(file.ids), "invalid_argument", /labels/);
  refused(() => model.loss(file.ids, { labels: [] }), "invalid_argument", /labels/);
  refused(() => model.save(), "unsupported", /encoder/);
  const gpt2 = await modelOf(wf, familyFile("gpt2"));
  assert.equal(gpt2.encoderConfig, undefined);
  refused(() => gpt2.encode([1]), "unsupported", /a model with an encoder/);
  refused(() => gpt2.run([1], { decoderTokens: [1] }), "unknown_option", /decoderTokens/);
  model.dispose();
  refused(() => model.encode([1]), "disposed", /./);
});

test("an embedding shared by encoder and decoder is read and stored once", async () => {
  const numbersOf = (tensors) =>
    Object.values(tensors).reduce((sum, { data }) => sum + data.length, 0);
  for (const name of ["t5", "t5_own_head", "mt5", "bart", "marian", "marian_two_tables"]) {
    const file = familyFile(name);
    const model = await modelOf(wf, file);
    // Every tensor of the file is read, and no number is stored twice.
    assert.equal(model.parameterCount, numbersOf(file.weights), name);
    assert.equal(model.weightBytes, 4 * model.parameterCount, name);
    model.dispose();
  }
});

test("a head that is stored beside the shared embedding must equal it", async () => {
  const file = familyFile("t5");
  const { shape, data } = file.weights["shared.weight"];
  const beside = (change) => ({
    ...file,
    weights: { ...file.weights, "lm_head.weight": { shape, data: data.map(change) } },
  });
  const model = await modelOf(
    wf,
    beside((x) => x),
  );
  const { labels } = textOfDecoder(file);
  assert.ok(Math.abs(model.loss(file.ids, labels).mean - file.loss) < 1e-4);
  model.dispose();
  const other = beside((x, i) => (i === 7 ? x + 1 : x));
  await rejected(modelOf(wf, other), "unsupported", /^tensor lm_head\.weight differs/);
});

test("int8 models of encoder and decoder read and generate, too", async () => {
  const file = familyFile("t5");
  const source = { config: file.config, weights: safetensors(file.weights) };
  const exact = await wf.model(source);
  const rounded = await wf.model(source, { dtype: "int8" });
  const { labels } = textOfDecoder(file);
  const distance = Math.abs(
    rounded.loss(file.ids, labels).mean - exact.loss(file.ids, labels).mean,
  );
  // The file's weights are already rounded to few bits, and are kept.
  assert.ok(distance < 1e-6, `${distance}`);
  assert.ok(rounded.weightBytes < exact.weightBytes);
  for await (const { id } of rounded.generate(file.ids, { maxTokens: 2 })) assert.ok(id >= 0);
});

test("a model with cross-attention cannot be made from a config alone, nor trained", async () => {
  const config = {
    vocabSize: 16,
    hiddenSize: 12,
    numLayers: 1,
    numHeads: 2,
    intermediateSize: 20,
    architecture: { crossAttention: true },
  };
  const model = await wf.model(config);
  refused(() => model.run([1]), "unsupported", /another sequence/);
  const task = { id: "language_model", ids: Array.from({ length: 200 }, (_, i) => (i * 3) % 16) };
  refused(() => wf.trainer({ config, task, length: 9 }), "unsupported", /crossAttention/);
});
