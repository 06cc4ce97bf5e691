// RoPE that rotates values too (rotatedValues), and its record.

import assert from "node:assert/strict";
import { test } from "node:test";
import { refused, wf } from "./golden.mjs";
import "./with-training.mjs";

const sizes = { numHeads: 2, headDim: 4 };
const rope = (options) => wf.scheme("rope", { ...sizes, ...options });
const random = (shape, seed) => ({
  data: Float32Array.from({ length: shape[0] * shape[1] * shape[2] }, (_, i) =>
    Math.sin(12.9898 * (i + seed)),
  ),
  shape,
});
const [q, k, v] = [1, 2, 3].map((seed) => random([2, 6, 4], 100 * seed));

/** The rows of x [2,6,4], rotated back by their positions. */
function rotatedBack({ data, shape }) {
  const result = Float32Array.from(data);
  const { inverseFrequencies } = rope().frequencies();
  for (let row = 0; row < shape[0] * shape[1]; row++)
    inverseFrequencies.forEach((frequency, t) => {
      const [a, b] = [data[4 * row + t], data[4 * row + t + 2]];
      const [cos, sin] = [Math.cos, Math.sin].map((f) => f(frequency * (row % shape[1])));
      result[4 * row + t] = a * cos + b * sin;
      result[4 * row + t + 2] = b * cos - a * sin;
    });
  return result;
}

const near = (one, other) =>
  one.forEach((x, i) => {
    assert.ok(Math.abs(x - other[i]) < 1e-6, `${i}: ${x} and ${other[i]}`);
  });

test("weights stay, and the output is the recorded sum rotated back by the query", () => {
  const record = ["weights", "weightedValues"];
  const settings = { ...sizes, isCausal: true };
  const plain = wf.attention({ ...settings, scheme: [rope()] }).run({ q, k, v, record });
  const run = wf
    .attention({ ...settings, scheme: [rope({ rotatedValues: true })] })
    .run({ q, k, v, record });
  assert.deepEqual(run.weights, plain.weights);
  assert.deepEqual(plain.weightedValues, plain.output);
  assert.deepEqual(run.weightedValues.shape, [2, 6, 4]);
  near(run.output.data, rotatedBack(run.weightedValues));
  assert.notDeepEqual(run.output, plain.output);
});

const config = {
  vocabSize: 16,
  hiddenSize: 32,
  numLayers: 2,
  numHeads: 4,
  intermediateSize: 32,
  scheme: { id: "rope", options: { rotatedValues: true } },
  seed: 3,
};
const ids = [3, 7, 1, 12, 5, 9];

test("a model records the sums of some rows, and a generation those of each step", async () => {
  const model = await wf.model(config);
  const whole = model.run(ids, { record: ["weightedValues"] }).weightedValues;
  assert.deepEqual(whole.shape, [2, 4, 6, 8]);
  const region = { layers: [1], heads: [2], rows: [4] };
  const part = model.run(ids, { record: ["weightedValues"], region }).weightedValues;
  assert.deepEqual(part.shape, [1, 1, 1, 8]);
  const at = ((1 * 4 + 2) * 6 + 4) * 8;
  assert.deepEqual(part.data, whole.data.slice(at, at + 8));
  const steps = [];
  const settings = { maxTokens: 2, temperature: 0, stopId: [], record: ["weightedValues"] };
  const text = [...ids];
  for await (const { id, weightedValues } of model.generate(ids, settings)) {
    text.push(id);
    const all = model.run(text, { record: ["weightedValues"] }).weightedValues.data;
    assert.deepEqual(weightedValues.shape.slice(-3), [4, 1, 8]);
    for (let head = 0; head < 8; head++) {
      const row = (head * text.length + text.length - 1) * 8;
      near(weightedValues.data.slice(8 * head, 8 * head + 8), all.slice(row, row + 8));
    }
    steps.push(id);
  }
  assert.equal(steps.length, 2);
});

test("a model with rotated values learns, and its file keeps the option", async () => {
  const trainer = wf.trainer({ config, task: { id: "copy" }, length: 12, batchSize: 4, seed: 2 });
  trainer.step(3);
  const model = trainer.model();
  const again = await wf.model({ config: model.config, weights: model.save() });
  const record = ["vocabularyLogits"];
  assert.deepEqual(again.run(ids, { record }), model.run(ids, { record }));
});

test("values must have as many channels as rotate", () => {
  const scheme = rope({ rotatedValues: true });
  const attention = wf.attention({ ...sizes, valueDim: 2, scheme: [scheme] });
  const narrow = random([2, 6, 2], 5);
  refused(() => attention.run({ q, k, v: narrow }), "invalid_argument");
});
