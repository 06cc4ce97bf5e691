// Features of single families (clusters of tokens, a maximal distance), and settings of them that
// are refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { familyFile, modelOf } from "./families.mjs";
import { near, rejected, wf } from "./golden.mjs";
import { tensorOf } from "./safetensors.mjs";
import "./with-training.mjs";

const ids = Array.from({ length: 200 }, (_, i) => (i * 3) % 29);

/** Trains a model of this config on a text that repeats; the loss must fall below half. */
function learns(config) {
  const task = { id: "language_model", ids };
  const trainer = wf.trainer({ config, task, length: 9, learningRate: 1e-2 });
  const [{ loss: before }] = trainer.evaluate({ sequences: 4 });
  trainer.step(40);
  const [{ loss: after }] = trainer.evaluate({ sequences: 4 });
  assert.ok(after < before / 2, `${before} to ${after}`);
}

test("scores of clusters are log-probabilities, also for a trained model", async () => {
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
  learns(config);
});

test("invalid cutoffs are refused by name", async () => {
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
  await bad([7, 7], "invalid_argument", /^architecture\.cutoffs\[1\]: 7 \(expected 8 to 28/);
  await bad([29], "invalid_argument", /^architecture\.cutoffs\[0\]: 29 /);
  await bad(
    Array.from({ length: 17 }, (_, i) => i + 1),
    "invalid_argument",
    /^cutoffs/,
  );
});

test("unsupported settings of Transformer-XL, XLNet and DeepSeek are refused", async () => {
  const bad = (name, change, message) => {
    const file = familyFile(name);
    const config = { ...file.config, ...change };
    return rejected(modelOf(wf, { ...file, config }), "unsupported", message);
  };
  await bad("transfo_xl", { attn_type: 1 }, /^config\.attn_type: 1 \(expected 0/);
  await bad("transfo_xl", { sample_softmax: 1 }, /^config\.sample_softmax: 1 \(expected -1 or 0/);
  await bad("transfo_xl", { tie_weight: false }, /^config\.tie_weight: false \(expected true/);
  await bad("transfo_xl", { mem_len: 0 }, /^config\.mem_len: 0 .*same_length/);
  const experts =
    /^config\.first_k_dense_replace: 1 \(expected 2 or more, since mixtures of experts/;
  await bad("deepseek_v2", { first_k_dense_replace: 1 }, experts);
  await bad("xlnet", { bi_data: true }, /^config\.bi_data: true \(expected false/);
  await bad("xlnet", { attn_type: "both" }, /^config\.attn_type: "both" \(expected "bi" or "uni"/);
});

const narrow = "transfo_xl_div_val";

test("tables of clusters keep their narrow width", async () => {
  const file = familyFile(narrow);
  const model = await modelOf(wf, file);
  const { architecture } = model.config;
  assert.equal(architecture.embeddingWidth, file.config.d_embed);
  assert.equal(architecture.clusterDivisor, file.config.div_val);
  const saved = model.save();
  for (const i of [0, 1, 2, 3]) {
    const { shape } = file.weights[`transformer.word_emb.emb_layers.${i}.weight`];
    assert.deepEqual(tensorOf(saved, `model.embed_tokens.${i}.weight`).shape, shape);
  }
  const one = await modelOf(wf, familyFile("transfo_xl"));
  assert.equal(one.config.architecture.embeddingWidth, undefined);
});

test("tables and projections that are stored twice are read once and must be equal", async () => {
  const file = familyFile(narrow);
  const scores = (model) => model.run(file.ids, { record: ["vocabularyLogits"] }).vocabularyLogits;
  const expected = scores(await modelOf(wf, file));
  const twins = {
    "transformer.word_emb.emb_layers.2.weight": "crit.out_layers.2.weight",
    "transformer.word_emb.emb_projs.1": "crit.out_projs.1",
  };
  const { config, weights } = file;
  for (const [first, second] of Object.entries(twins)) {
    const twice = { ...weights, [second]: weights[first] };
    assert.deepEqual(scores(await modelOf(wf, { config, weights: twice })), expected, second);
    const data = weights[first].data.slice();
    data[data.length - 1] += 1;
    const spoilt = { ...weights, [second]: { ...weights[first], data } };
    const message = new RegExp(`^tensor ${second} differs from .*${first.split("_emb.")[1]}`);
    await rejected(modelOf(wf, { config, weights: spoilt }), "unsupported", message);
  }
  // Some files store the table only under the head's name.
  const [first, second] = Object.entries(twins)[0];
  const { [first]: table, ...rest } = weights;
  const moved = { config, weights: { ...rest, [second]: table } };
  assert.deepEqual(scores(await modelOf(wf, moved)), expected);
});

test("tied projections, and keys of older files about them, are read", async () => {
  const file = familyFile(narrow);
  const { tie_projs: given, ...config } = file.config;
  const tied = [false, true, true, true];
  const older = { ext_len: 0, tgt_len: 128, tie_weight: true, adaptive: true, proj_init_std: 0.5 };
  const expected = file.result.data;
  for (const change of [{}, { tie_projs: tied }, older, { proj_share_all_but_first: true }]) {
    const model = await modelOf(wf, { ...file, config: { ...config, ...change } });
    const { data } = model.run(file.ids, { record: ["vocabularyLogits"] }).vocabularyLogits;
    near(data, expected, 1e-4, JSON.stringify(change));
  }
  const bad = (change, code, message) =>
    rejected(modelOf(wf, { ...file, config: { ...config, ...change } }), code, message);
  const missing = /^tensor crit\.out_projs\.1 is missing\b/;
  await bad({ proj_share_all_but_first: false }, "malformed_file", missing);
  await bad({ tie_projs: [false] }, "malformed_file", missing);
  for (const wrong of [7, [1], [...tied, true]])
    await bad({ tie_projs: wrong }, "invalid_argument", /^config\.tie_projs: .*at most 4\b/);
  await bad(
    { div_val: 9 },
    "invalid_argument",
    /^architecture\.clusterDivisor: 9 \(expected .* embeddingWidth 18 columns/,
  );
  await bad({ div_val: 1.5 }, "invalid_argument", /^architecture\.clusterDivisor: 1\.5/);
  await bad(
    { d_embed: 0 },
    "invalid_argument",
    /^architecture\.clusterDivisor: 2 \(expected 1 without embeddingWidth/,
  );
});

test("a model with narrow tables can be made, trained and saved, and generates", async () => {
  const { config: whole } = await modelOf(wf, familyFile("transfo_xl_div_val_untied"));
  const { architecture, ...sizes } = whole;
  const config = { ...sizes, architecture: { ...architecture, cutoffs: [9, 20] } };
  learns(config);
  // Longer than the number of rows that the head computes at once.
  const text = Array.from({ length: 150 }, (_, i) => ids[i]);
  const model = await wf.model(config);
  const { data, shape } = model.run(text, { record: ["vocabularyLogits"] }).vocabularyLogits;
  const last = model.run(text.slice(0, 130), { record: ["vocabularyLogits"] }).vocabularyLogits;
  near(data.subarray(129 * shape[1], 130 * shape[1]), last.data.subarray(129 * shape[1]), 1e-4);
  for (const wrong of [-1, 1.5, 2 ** 14 + 1])
    await rejected(
      wf.model({ ...config, architecture: { ...architecture, embeddingWidth: wrong } }),
      "invalid_argument",
      /^architecture\.embeddingWidth/,
    );
});

test("with same_length a Transformer-XL attends back as far as its memory", async () => {
  const file = familyFile("transfo_xl");
  const model = await modelOf(wf, file);
  assert.equal(model.config.slidingWindow, file.config.mem_len);
  const far = { ...file.config, same_length: false };
  assert.equal((await modelOf(wf, { ...file, config: far })).config.slidingWindow, undefined);
});
