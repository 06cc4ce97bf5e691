// RoPE with frequencies that are trained (learnedFrequencies).

import assert from "node:assert/strict";
import { test } from "node:test";
import { near, refused, wf } from "./golden.mjs";
import "./with-training.mjs";

const config = {
  vocabSize: 16,
  hiddenSize: 32,
  numLayers: 2,
  numHeads: 4,
  intermediateSize: 32,
  scheme: { id: "rope", options: { learnedFrequencies: true } },
  seed: 3,
};
const ids = [3, 7, 1, 12, 5, 9];

test("a model has one factor for each pair, and begins as plain RoPE", async () => {
  const learned = await wf.model(config);
  const plain = await wf.model({ ...config, scheme: "rope" });
  assert.equal(learned.parameterCount - plain.parameterCount, 4);
  const record = ["vocabularyLogits"];
  assert.deepEqual(learned.run(ids, { record }), plain.run(ids, { record }));
});

/** The numbers of the tensor whose name ends so, in a file of safetensors. */
function stored(bytes, end) {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const names = Object.keys(header).filter((name) => name.endsWith(end));
  assert.equal(names.length, 1, `${names}`);
  const [from, to] = header[names[0]].data_offsets;
  return new Float32Array(bytes.slice(8 + length + from, 8 + length + to).buffer);
}

test("training changes each frequency, and a saved model keeps them", async () => {
  const trainer = wf.trainer({ config, task: { id: "copy" }, length: 12, batchSize: 4, seed: 2 });
  trainer.step(3);
  const model = trainer.model();
  const weights = model.save();
  const alpha = stored(weights, "alpha");
  assert.equal(alpha.length, 4);
  assert.ok(alpha.every((number) => number !== 0));
  const again = await wf.model({ config: model.config, weights });
  const record = ["terms"];
  assert.deepEqual(again.run(ids, { record }).terms, model.run(ids, { record }).terms);
});

test("frequencies that training changes are not listed", () => {
  const sizes = { numHeads: 2, headDim: 8 };
  const scheme = wf.scheme("rope", { ...sizes, learnedFrequencies: true, parameters: 1 });
  refused(() => scheme.frequencies(), "unsupported");
  assert.equal(wf.scheme("rope", sizes).frequencies().inverseFrequencies.length, 4);
});

const grid = {
  ...config,
  isCausal: false,
  scheme: { id: "rope_2d", options: { learnedFrequencies: true, layout: "llama4", ropeTheta: 10 } },
};

test("on a grid, each pair of each head has frequencies for rows and columns", async () => {
  const learned = await wf.model(grid);
  const plain = await wf.model({ ...grid, scheme: "rope_2d" });
  // 2 layers, 4 heads, 4 pairs, 2 axes.
  assert.equal(learned.parameterCount - plain.parameterCount, 64);
  const one = { ...grid, numHeads: 1, hiddenSize: 8 };
  const { layout, ropeTheta } = grid.scheme.options;
  const fixed = { id: "rope_2d", options: { layout, ropeTheta } };
  const record = ["vocabularyLogits"];
  // The first head begins with the axial rotation.
  const [mixed, axial] = [await wf.model(one), await wf.model({ ...one, scheme: fixed })];
  const [a, b] = [mixed, axial].map((model) => model.run(ids, { record }).vocabularyLogits.data);
  near(a, b, 1e-6);
});

test("training changes the directions of a grid, and a saved model keeps them", async () => {
  const before = stored((await wf.model(grid)).save(), "layers.1.self_attn.position.rope_2d.freqs");
  const task = { id: "copy" };
  const trainer = wf.trainer({ config: grid, task, length: 9, batchSize: 4, seed: 2 });
  trainer.step(3);
  const model = trainer.model();
  const weights = model.save();
  const after = stored(weights, "layers.1.self_attn.position.rope_2d.freqs");
  assert.equal(after.length, 32);
  assert.ok(after.every((number, i) => Number.isFinite(number) && number !== before[i]));
  const again = await wf.model({ config: model.config, weights });
  const record = ["terms"];
  assert.deepEqual(again.run(ids, { record }).terms, model.run(ids, { record }).terms);
});
