// Schemes that read the input of a layer, in models: the forget gate, whose gates are recorded and
// whose term is the sum of their logarithms, and the conditioned bias.

import assert from "node:assert/strict";
import { test } from "node:test";
import { near, refused, wf } from "./golden.mjs";

const config = {
  vocabSize: 32,
  hiddenSize: 32,
  numLayers: 2,
  numHeads: 4,
  numKvHeads: 2,
  intermediateSize: 24,
  initializerRange: 0.3,
  scheme: "forget_gate",
  seed: 4,
};
const ids = Array.from({ length: 12 }, (_, i) => (i * 7 + 3) % 32);

test("the term of a key is the sum of the logarithms of the gates after it", async () => {
  const model = await wf.model(config);
  const { gates, terms } = model.run(ids, { record: ["gates", "terms"] });
  assert.deepEqual(gates.shape, [2, 4, 12]);
  assert.deepEqual(Object.keys(terms), ["content", "forgetting"]);
  assert.ok(gates.data.every((gate) => gate > 0 && gate < 1));
  for (let head = 0; head < 8; head++) {
    const logs = gates.data.slice(12 * head, 12 * head + 12).map(Math.log);
    for (const row of [0, 5, 11])
      for (let key = 0; key <= row; key++) {
        const sum = logs.slice(key + 1, row + 1).reduce((a, b) => a + b, 0);
        // Float32 sums of up to eleven logarithms.
        near([terms.forgetting.data[(head * 12 + row) * 12 + key]], [sum], 2e-6);
      }
  }
});

test("gates differ by token, and are 1 in layers without them", async () => {
  const layers = { gated: { scheme: "forget_gate" }, turned: { scheme: "rope" } };
  const { scheme: _, ...plain } = config;
  const mixed = await wf.model({ ...plain, layerTypes: ["gated", "turned"], layers });
  const { gates } = mixed.run(ids, { record: ["gates"], region: { heads: [1], columns: [2, 3] } });
  assert.deepEqual(gates.shape, [2, 1, 2]);
  assert.notEqual(gates.data[0], gates.data[1]);
  assert.deepEqual([...gates.data.slice(2)], [1, 1]);
});

test("a generated token's record has the gates of all tokens so far", async () => {
  const model = await wf.model(config);
  const whole = [...ids];
  const found = [];
  const settings = { maxTokens: 3, temperature: 0, stopId: [], record: ["gates"] };
  for await (const { id, gates } of model.generate(ids, settings)) {
    whole.push(id);
    found.push(gates);
  }
  const { gates } = model.run(whole, { record: ["gates"] });
  found.forEach(({ data, shape }, i) => {
    const count = ids.length + i + 1;
    assert.deepEqual(shape, [2, 4, count]);
    for (let head = 0; head < 8; head++) {
      const expected = gates.data.slice(head * whole.length, head * whole.length + count);
      near(data.slice(head * count, (head + 1) * count), expected, 1e-6);
    }
  });
});

test("outside a model there is no input of a layer to read", () => {
  const x = { data: new Float32Array(24), shape: [2, 3, 4] };
  for (const id of ["forget_gate", "conditioned_bias"]) {
    const scheme = wf.scheme(id, { numHeads: 2, headDim: 4, parameters: 1 });
    const attention = wf.attention({ scheme, isCausal: true });
    const why = new RegExp(`${id}.*model`);
    refused(() => attention.run({ q: x, k: x, v: x }), "unsupported", why);
    const cache = attention.cache({ capacity: 4 });
    refused(() => attention.decode(cache, { q: x, k: x, v: x }), "unsupported", why);
    assert.equal(cache.length, 0);
  }
});

test("a conditioned bias ends at its extent, and each query chooses its own", async () => {
  const scheme = { id: "conditioned_bias", options: { curves: 3, extent: 4 } };
  const model = await wf.model({ ...config, scheme });
  const { terms } = model.run(ids, { record: ["terms"] });
  const at = (row, key) => terms.conditioned.data[row * 12 + key];
  for (const row of [6, 11]) {
    for (let key = 0; key <= row - 4; key++) assert.equal(at(row, key), 0);
    assert.notEqual(at(row, row), at(row, row - 1));
  }
  // Tokens 0 to 11 differ, so each query chooses curves of its own.
  assert.notEqual(at(6, 6), at(11, 11));
});

test("config.json of the authors' models means the forget gate", () => {
  const file = {
    model_type: "forgetting_transformer-project_fox",
    hidden_size: 32,
    num_heads: 4,
    fgate_type: "full",
  };
  assert.equal(wf.schemeFromConfig(file).description.id, "forget_gate");
  const fixed = { ...file, fgate_type: "fixed" };
  refused(() => wf.schemeFromConfig(fixed), "unsupported", /fgate_type/);
});
