// What some families have that no other has: clusters of tokens, a reach; and what of it is
// refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { familyFile, modelOf } from "./families.mjs";
import { near, rejected, wf } from "./golden.mjs";

test("scores of clusters are log-probabilities, of a model that is trained too", async () => {
  const file = familyFile("transfo_xl");
  const model = await modelOf(wf, file);
  assert.deepEqual(model.config.architecture.cutoffs, file.config.cutoffs);
  const { data, shape } = model.run(file.ids, { record: ["vocabularyLogits"] }).vocabularyLogits;
  for (let row = 0; row < shape[0]; row++) {
    const scores = data.subarray(row * shape[1], (row + 1) * shape[1]);
    const total = scores.reduce((sum, score) => sum + Math.exp(score), 0);
    near([total], [1], 1e-5);
  }
  const { architecture, ...sizes } = model.config;
  const config = { ...sizes, architecture: { ...architecture, cutoffs: [9, 20] } };
  const ids = Array.from({ length: 200 }, (_, i) => (i * 3) % 29);
  const task = { id: "language_model", ids };
  const trainer = wf.trainer({ config, task, length: 9, learningRate: 1e-2 });
  const [{ loss: before }] = trainer.evaluate({ sequences: 4 });
  trainer.step(40);
  const [{ loss: after }] = trainer.evaluate({ sequences: 4 });
  assert.ok(after < before / 2, `${before} to ${after}`);
});

test("cutoffs that are none are refused by name", async () => {
  const { config } = await modelOf(wf, familyFile("transfo_xl"));
  const bad = (cutoffs, code, message) =>
    rejected(
      wf.model({ ...config, architecture: { ...config.architecture, cutoffs } }),
      code,
      message,
    );
  await bad(7, "invalid_argument", /^architecture\.cutoffs: 7/);
  await bad([1.5], "invalid_argument", /^architecture\.cutoffs\[0\]: 1\.5/);
  await bad([0], "invalid_argument", /^architecture\.cutoffs\[0\]: 0/);
  await bad([7, 7], "invalid_argument", /^cutoffs\[1\] is 7; allowed: 8 to 28/);
  await bad([29], "invalid_argument", /^cutoffs\[0\] is 29/);
  await bad(
    Array.from({ length: 17 }, (_, i) => i + 1),
    "invalid_argument",
    /^cutoffs/,
  );
});

test("what Transformer-XL, XLNet and DeepSeek may ask for beside is refused in a sentence", async () => {
  const bad = (name, change, message) => {
    const file = familyFile(name);
    const config = { ...file.config, ...change };
    return rejected(modelOf(wf, { ...file, config }), "unsupported", message);
  };
  const narrower = /^config\.div_val: 4; allowed is 1: clusters of one width/;
  await bad("transfo_xl", { div_val: 4 }, narrower);
  await bad("transfo_xl", { div_val: null }, narrower);
  await bad("transfo_xl", { d_embed: 10 }, /^config\.d_embed: 10; allowed is 18/);
  await bad("transfo_xl", { mem_len: 0 }, /^config\.mem_len: 0; .*same_length/);
  const experts = /^config\.first_k_dense_replace: 1; allowed is 2 or more: mixtures of experts/;
  await bad("deepseek_v2", { first_k_dense_replace: 1 }, experts);
  await bad("xlnet", { bi_data: true }, /^config\.bi_data: true; allowed is false/);
  await bad("xlnet", { attn_type: "both" }, /^config\.attn_type: "both"; allowed is "bi" or "uni"/);
});

test("with same_length a Transformer-XL reaches back as far as its memory", async () => {
  const file = familyFile("transfo_xl");
  const model = await modelOf(wf, file);
  assert.equal(model.config.slidingWindow, file.config.mem_len);
  const far = { ...file.config, same_length: false };
  assert.equal((await modelOf(wf, { ...file, config: far })).config.slidingWindow, undefined);
});
