// Models with experts, and layers with a convolution or the delta rule in place of attention.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { familyFile, modelOf } from "./families.mjs";
import { golden, near, nearTensor, refused, rejected, wf } from "./golden.mjs";
import "./with-training.mjs";

const sizes = { vocabSize: 29, hiddenSize: 18, numLayers: 3, numHeads: 3, intermediateSize: 22 };
const rope = { scheme: { id: "rope" } };
const types = {
  layerTypes: ["conv", "attention", "conv"],
  layers: { conv: { convolution: 3 }, attention: rope },
};
const ids = [3, 9, 4, 17, 5, 9, 2, 11, 20, 7];

/** The five likeliest tokens after a text, one after the other. */
async function next(session, text) {
  const found = [];
  const options = { maxTokens: 5, temperature: 0, stopId: [] };
  for await (const { id } of session.generate(text, options)) found.push(id);
  return found;
}

describe("layers with a convolution", () => {
  test("only layers with attention have maps, and others are refused by name", async () => {
    const model = await wf.model({ ...sizes, ...types });
    const record = ["weights", "headOutputs", "residual"];
    const { weights, headOutputs, residual } = model.run(ids, { record });
    assert.deepEqual(weights.shape, [1, 3, 10, 10]);
    assert.deepEqual(headOutputs.shape, [1, 3, 10, 6]);
    assert.deepEqual(residual.shape, [4, 10, 18]);
    const one = model.run(ids, { record: ["weights"], region: { layers: [1] } });
    assert.deepEqual(one.weights, weights);
    const wrong = () => model.run(ids, { record: ["weights"], region: { layers: [0] } });
    refused(wrong, "unsupported", /region\.layers: 0 \(expected layers with attention: 1\)/);
    assert.deepEqual(model.heads([ids]).layers, [1]);
    refused(() => model.run(ids, { ablate: [{ layers: [2], with: "zero" }] }), "unsupported");
    const patch = { layer: 0, head: 1, rows: [2], values: new Float32Array(6) };
    refused(() => model.run(ids, { patch: [patch] }), "unsupported");
  });

  for (const family of ["lfm2", "qwen3_next", "qwen3_5_text"])
    test(`a session of ${family} that was cut or forked reads on as if afresh`, async () => {
      const model = await modelOf(wf, familyFile(family));
      const afresh = (text) => next(model.session(), text);
      const session = model.session();
      await session.append(ids);
      const fork = session.fork();
      session.truncate(6);
      const [short, long] = [
        [...ids.slice(0, 6), 8, 12],
        [...ids, 8],
      ];
      assert.deepEqual(await next(session, short), await afresh(short));
      assert.deepEqual(await next(fork, long), await afresh(long));
      // The fork still has the text before the one that it is given now.
      assert.deepEqual(await next(fork, short), await afresh(short));
      refused(() => model.session({ eviction: { first: 1, last: 4, step: 1 } }), "unsupported");
    });

  test("such a layer has no scheme, and its model is causal", async () => {
    const conv = { convolution: 3, ...rope };
    const layers = { conv, attention: rope };
    await rejected(wf.model({ ...sizes, ...types, layers }), "unsupported");
    await rejected(wf.model({ ...sizes, ...types, isCausal: false }), "unsupported");
  });
});

describe("layers with the delta rule", () => {
  test("the factors of values are those of Transformers", async () => {
    const file = golden("delta_rule");
    for (const [family, expected] of Object.entries(file.models)) {
      const { ids: text, ...rest } = familyFile(family);
      const model = await modelOf(wf, rest);
      const { effectiveWeights } = model.run(text, { record: ["effectiveWeights", "residual"] });
      nearTensor(effectiveWeights, expected, file.tolerance.models, family);
      const { layerTypes } = model.config;
      const layer = layerTypes.findLastIndex((type) => type.startsWith("linear_attention"));
      const region = { layers: [layer], heads: [1], rows: [3, 7], columns: [2] };
      const part = model.run(text, { record: ["effectiveWeights"], region }).effectiveWeights;
      assert.deepEqual(part.shape, [1, 1, 2, 1]);
      const [layers, heads, , columns] = expected.shape;
      const at = (row) => expected.data[(((layers - 1) * heads + 1) * columns + row) * columns + 2];
      near(part.data, [at(3), at(7)], file.tolerance.models);
    }
  });

  test("maps of attention and factors of values are of different layers", async () => {
    const model = await modelOf(wf, familyFile("qwen3_next"));
    const bad = (options, message) =>
      refused(() => model.run(ids, options), "unsupported", message);
    assert.equal(model.run(ids, { record: ["weights"] }).weights.shape[0], 1);
    bad({ record: ["weights", "effectiveWeights"] }, /no "weights" beside "effectiveWeights"/);
    const wrong = { record: ["effectiveWeights"], region: { layers: [1] } };
    bad(wrong, /region\.layers: 1 \(expected layers with the delta rule or Mamba-2: 0\)/);
    const other = await wf.model({ ...sizes, ...rope });
    refused(() => other.run(ids, { record: ["effectiveWeights"] }), "unsupported");
  });

  test("sizes that do not fit each other are refused", async () => {
    const layers = { delta: { deltaRule: true }, attention: rope };
    const layerTypes = ["delta", "attention", "delta"];
    const delta = { deltaTaps: 3, deltaKeyHeads: 2, deltaValueHeads: 4, deltaKeyDim: 5 };
    const bad = (architecture, ...more) =>
      rejected(wf.model({ ...sizes, layerTypes, layers, architecture }), ...more);
    await bad(delta, "invalid_argument", /architecture\.deltaValueDim: 0/);
    await bad({ ...delta, deltaValueDim: 3, deltaValueHeads: 3 }, "invalid_argument");
    const both = { ...layers, delta: { deltaRule: true, convolution: 3 } };
    const architecture = { ...delta, deltaValueDim: 3 };
    await rejected(wf.model({ ...sizes, layerTypes, layers: both, architecture }), "unsupported");
  });
});

describe("experts", () => {
  const experts = { experts: 5, expertsPerToken: 2, expertSize: 7 };

  test("integers of 8 bits are near floats, and no other number is", async () => {
    const file = familyFile("qwen3_moe");
    const scores = async (dtype) => {
      const model = await modelOf(wf, file, { dtype });
      return model.run(file.ids, { record: ["vocabularyLogits"] }).vocabularyLogits.data;
    };
    const [floats, bytes] = [await scores("f32"), await scores("int8")];
    near(bytes, floats, 0.5);
    assert.notDeepEqual(bytes, floats);
  });

  test("a layer may be dense", async () => {
    const layers = { dense: { ...rope, dense: true }, experts: rope };
    const model = await wf.model({
      ...sizes,
      layerTypes: ["dense", "experts", "experts"],
      layers,
      architecture: experts,
    });
    assert.equal(model.config.layers.dense.dense, true);
    const bytes = model.save();
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    const names = Object.keys(JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))));
    const of = (layer) => names.filter((name) => name.startsWith(`model.layers.${layer}.mlp.`));
    assert.equal(of(0).length, 3);
    assert.ok(of(1).includes("model.layers.1.mlp.router.weight"));
  });

  test("numbers that do not fit each other are refused", async () => {
    const bad = (architecture, ...more) =>
      rejected(wf.model({ ...sizes, ...rope, architecture }), ...more);
    await bad({ ...experts, expertsPerToken: 6 }, "invalid_argument");
    await bad({ ...experts, expertSize: 0 }, "invalid_argument");
    await bad({ ...experts, gated: false }, "unsupported");
    await bad({ ...experts, sharedExpertGate: true }, "unsupported");
    await bad({ routerBias: true }, "unsupported");
  });
});

test("a model with all of them learns a text that repeats", () => {
  const layers = {
    conv: { convolution: 3, dense: true },
    attention: rope,
    delta: { deltaRule: true },
  };
  const delta = {
    deltaTaps: 3,
    deltaKeyHeads: 2,
    deltaValueHeads: 4,
    deltaKeyDim: 5,
    deltaValueDim: 6,
  };
  const experts = { experts: 4, expertsPerToken: 2, expertSize: 7, sharedExpertSize: 5 };
  const config = {
    ...sizes,
    layerTypes: ["conv", "attention", "delta"],
    layers,
    architecture: { ...experts, ...delta, attentionGate: "heads" },
  };
  const text = Array.from({ length: 200 }, (_, i) => (i * 3) % 29);
  const task = { id: "language_model", ids: text };
  const trainer = wf.trainer({ config, task, length: 9, learningRate: 1e-2 });
  const [{ loss: before }] = trainer.evaluate({ sequences: 4 });
  trainer.step(40);
  const [{ loss: after }] = trainer.evaluate({ sequences: 4 });
  assert.ok(after < before / 2, `${before} to ${after}`);
});
