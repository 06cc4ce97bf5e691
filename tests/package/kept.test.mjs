// Storing models without a browser's storage is refused by name. tests/web/open-checkpoint.test.mjs
// tests it in a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/index.js";
import { load as loadWorker } from "../../dist/worker.js";

const folder = new URL("../../models/rope/", import.meta.url);
const config = {
  vocabSize: 8,
  hiddenSize: 8,
  numLayers: 1,
  numHeads: 2,
  intermediateSize: 8,
};

for (const [where, start] of [
  ["in this thread", load],
  ["in a worker", loadWorker],
])
  test(`without the browser's storage, storing a model is refused by name: ${where}`, async () => {
    const wf = await start();
    const missing = { code: "unsupported", message: /navigator\.storage\.getDirectory/ };
    await assert.rejects(wf.model(folder, { keep: "rope" }), missing);
    await assert.rejects(wf.model({ kept: "rope" }), missing);
    await assert.rejects(wf.keptModels(), missing);
    await assert.rejects(wf.deleteKept("rope"), missing);
    const wrong = (message) => ({ code: "invalid_argument", message });
    await assert.rejects(wf.model(folder, { keep: "" }), wrong(/^keep: "".* 1 to 200 characters/));
    await assert.rejects(wf.model(folder, { keep: 3 }), wrong(/^keep: 3/));
    await assert.rejects(wf.deleteKept(" a"), wrong(/^name:/));
    await assert.rejects(wf.model({ kept: "" }), wrong(/^kept:/));
    await assert.rejects(
      wf.model(config, { keep: "fresh" }),
      wrong(/^keep: .*undefined for a new model/),
    );
    // Without that option, the model opens.
    const model = await wf.model(folder);
    assert.equal(model.config.numLayers, 4);
    wf.dispose?.();
  });
