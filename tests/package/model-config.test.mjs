// What a config says of a model, without the model's weights.
import assert from "node:assert/strict";
import { test } from "node:test";
import { familyFile, modelOf, names } from "./families.mjs";
import { rejected, wf } from "./golden.mjs";
import "./with-training.mjs";

for (const name of names) {
  test(`${name}: the config of its config.json is that of the model`, async () => {
    const file = familyFile(name);
    const model = await modelOf(wf, file);
    assert.deepEqual(await wf.modelConfig(file.config), model.config);
    model.dispose();
  });
}

test("a config of this package is completed, layer type by layer type", async () => {
  const sizes = { vocabSize: 8, hiddenSize: 8, numLayers: 3, numHeads: 2, intermediateSize: 8 };
  const config = await wf.modelConfig({
    ...sizes,
    layerTypes: ["near", "near", "all"],
    layers: { near: { scheme: "rope", slidingWindow: 4 }, all: { queryKeyNorm: "plain" } },
  });
  assert.equal(config.headDim, 4);
  assert.equal(config.layers.near.slidingWindow, 4);
  assert.equal(config.layers.near.scheme[0].options.ropeTheta, 10000);
  assert.deepEqual(config.layers.all, { scheme: [], queryKeyNorm: "plain" });
});

test("what a model would refuse is refused", async () => {
  await rejected(wf.modelConfig({ model_type: "rwkv" }), "unsupported", /^config\.model_type/);
  await rejected(wf.modelConfig({ vocabSize: 8 }), "invalid_argument", /^hiddenSize: undefined/);
  await rejected(wf.modelConfig(null), "invalid_argument", /^config: null/);
  await rejected(wf.modelConfig("llama"), "invalid_argument", /^config: "llama"/);
});
