// Models in int8 and int4: results equal those of the rounded weights, generation may round
// activations too, and calls that need floats are refused.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { Tokenizer as WordTokenizer } from "@huggingface/tokenizers";
import { load as loadThreads } from "../../dist/threads.js";
import { load as loadWorker } from "../../dist/worker.js";
import { familyFile, names } from "./families.mjs";
import { ggufModel, ggufNames } from "./gguf.mjs";
import { engines, near, refused, rejected, variants, wf } from "./golden.mjs";
import { config, floats, ids, logitsOf, weights } from "./odd-model.mjs";
import { safetensors } from "./safetensors.mjs";

const dtypes = ["int8", "int4"];
const load = (engine, dtype, more = {}) =>
  engine.model({ config: { ...config, ...more }, weights }, { dtype });
const argmax = (row) => row.reduce((best, x, i) => (x > row[best] ? i : best), 0);
const deviation = (list) => Math.hypot(...list) / Math.sqrt(list.length);
async function written(model, options) {
  const list = [];
  for await (const { id } of model.generate(ids.slice(0, 9), {
    maxTokens: 25,
    temperature: 0,
    ...options,
  }))
    list.push(id);
  return list;
}

for (const variant of variants)
  describe(variant, () => {
    for (const dtype of dtypes) {
      test(`${dtype}: close to the model in floats, in a fraction of its bytes`, async () => {
        const model = await load(engines[variant], dtype);
        assert.equal(model.dtype, dtype);
        assert.equal(model.parameterCount, floats.parameterCount);
        assert.ok(model.weightBytes < floats.weightBytes * (dtype === "int8" ? 0.4 : 0.35));
        const right = logitsOf(floats, ids).data;
        const rounded = logitsOf(model, ids).data;
        const error = deviation(rounded.map((x, i) => x - right[i])) / deviation(right);
        // Random rounding of weights: 0.5% of their size in 8 bits, 10% in 4.
        assert.ok(error > 0 && error < (dtype === "int8" ? 0.03 : 0.3), `${error}`);
        const losses = [model, floats].map((item) => item.loss(ids).mean);
        assert.ok(Math.abs(losses[0] - losses[1]) < (dtype === "int8" ? 0.02 : 0.2), `${losses}`);
        model.dispose();
      });

      test(`${dtype}: exact generation equals the logits of the whole text`, async () => {
        const model = await load(engines[variant], dtype);
        const text = ids.slice(0, 9);
        const list = await written(model, { exact: true });
        const { data, shape } = logitsOf(model, [...text, ...list.slice(0, -1)]);
        const rows = list.map((_, i) => data.subarray((8 + i) * shape[1], (9 + i) * shape[1]));
        assert.deepEqual(list, rows.map(argmax));
        model.dispose();
      });

      test(`${dtype}: generation with rounded activations is close, and repeatable`, async () => {
        const model = await load(engines[variant], dtype);
        const quick = await written(model);
        assert.deepEqual(quick, await written(model, { exact: false }));
        // Each next token is the most likely in the exact model, or nearly as likely.
        const { data, shape } = logitsOf(model, [...ids.slice(0, 9), ...quick]);
        quick.forEach((id, i) => {
          const row = data.subarray((8 + i) * shape[1], (9 + i) * shape[1]);
          assert.ok(Math.max(...row) - row[id] < 0.1 * deviation(row), `token ${i}`);
        });
        model.dispose();
      });

      test(`${dtype}: a loss with rounded activations equals that of generation`, async () => {
        const model = await load(engines[variant], dtype);
        const exact = model.loss(ids);
        const quick = model.loss(ids, { exact: false });
        assert.notDeepEqual(quick.perToken, exact.perToken);
        assert.ok(Math.abs(quick.mean - exact.mean) < 0.01, `${quick.mean}, ${exact.mean}`);
        // Neither call affects the next one.
        assert.deepEqual(model.loss(ids, { exact: true }), exact);
        assert.deepEqual(model.loss(ids, { exact: false }), quick);
        const bent = model.bend({ ropeTheta: 500 });
        assert.notEqual(bent.loss(ids, { exact: false }).mean, bent.loss(ids).mean);
        refused(() => model.loss(ids, { exact: 1 }), "invalid_argument", /exact/);
        assert.deepEqual(floats.loss(ids, { exact: false }), floats.loss(ids));
        model.dispose();
      });

      test(`${dtype}: terms add up to the logits, another scheme keeps the weights`, async () => {
        const model = await load(engines[variant], dtype);
        const { logits, terms } = model.run(ids, { record: ["logits", "terms"] });
        const sum = new Float64Array(logits.data.length);
        for (const { data } of Object.values(terms))
          for (let i = 0; i < sum.length; i++) sum[i] += data[i];
        const seen = [...logits.data].map((x, i) => [x, sum[i]]).filter(([x]) => x > -1e30);
        for (const [logit, total] of seen) assert.ok(Math.abs(logit - total) < 1e-4);
        const other = await load(engines[variant], dtype, { scheme: "nope" });
        const without = model.loss(ids, { surgery: { scheme: [] } }).mean;
        assert.ok(Math.abs(without - other.loss(ids).mean) < 1e-6);
        assert.notEqual(without, model.loss(ids).mean);
        model.dispose();
        other.dispose();
      });
    }
  });

/** `npm run test:long` reads four times as much text, with the same bounds. */
const characters = process.env.WF_LONG ? 20_000 : 5000;

test("trained models lose less than 0.002 nats by 16 and 8 bits, 0.02 by 4", async (context) => {
  const models = new URL("../../models/", import.meta.url);
  const file = (name) => readFileSync(new URL(name, models));
  const json = (name) => JSON.parse(file(name));
  const words = new WordTokenizer(json("tokenizer.json"), json("tokenizer_config.json"));
  const text = words.encode(file("heldout/en.txt").toString().slice(0, characters)).ids;
  for (const id of ["rope", "alibi", "t5"]) {
    const losses = {};
    for (const dtype of ["f32", "f16", "bf16", ...dtypes]) {
      const source = {
        config: json(`${id}/config.json`),
        weights: file(`${id}/model.safetensors`),
      };
      const model = await engines.relaxed.model(source, { dtype });
      const means = [];
      for (let i = 0; i + 129 <= text.length; i += 128)
        means.push(model.loss(text.slice(i, i + 129)).mean);
      losses[dtype] = means.reduce((sum, x) => sum + x, 0) / means.length;
      context.diagnostic(`${id}, ${dtype}: ${losses[dtype].toFixed(4)} nats`);
      model.dispose();
    }
    // The files store half precision.
    assert.ok(Math.abs(losses.f16 - losses.f32) < 1e-5, id);
    assert.ok(Math.abs(losses.bf16 - losses.f32) < 0.002, id);
    assert.ok(Math.abs(losses.int8 - losses.f32) < 0.002, id);
    assert.ok(Math.abs(losses.int4 - losses.f32) < 0.02, id);
  }
});

/** Quantising a source directly equals quantising its floats after saving and loading. */
async function sameBySaving(name, source, input, record) {
  const plain = await wf.model(source);
  const own = { config: plain.config, weights: plain.save() };
  const answer = (model) => model.run(input, { record: [record] })[record];
  for (const dtype of dtypes) {
    const [there, here] = await Promise.all([source, own].map((from) => wf.model(from, { dtype })));
    assert.equal(there.dtype, dtype);
    assert.deepEqual(answer(there), answer(here), `${name}, ${dtype}`);
    assert.ok(there.weightBytes < plain.weightBytes, `${name}, ${dtype}`);
    there.dispose();
    here.dispose();
  }
  plain.dispose();
}

test("families with fused or transposed tensors are quantised like separate ones", async () => {
  for (const name of names) {
    const { config, weights, ids: input, output } = familyFile(name);
    if (config.is_encoder_decoder) continue; // such a model cannot be saved
    const record = output === "hidden" ? "hidden" : "vocabularyLogits";
    await sameBySaving(name, { config, weights: safetensors(weights) }, input, record);
  }
});

test("a GGUF file is quantised like its floats", async () => {
  for (const name of ggufNames)
    await sameBySaving(name, new Blob([ggufModel(name).bytes]), [1, 2, 3, 4, 5], "hidden");
});

test("both binaries and a new model have the same weights", async () => {
  for (const dtype of dtypes) {
    const fresh = await wf.model(config, { dtype });
    const [simd, relaxed] = await Promise.all(
      variants.map((variant) => load(engines[variant], dtype)),
    );
    assert.deepEqual(logitsOf(fresh, ids), logitsOf(simd, ids));
    near(logitsOf(relaxed, ids).data, logitsOf(simd, ids).data, 1e-4);
  }
});

test("calls that need floats are refused with the reason", async () => {
  const model = await load(wf, "int4");
  refused(() => model.save(), "unsupported", /dtype: "int4" \(expected "f32" for save\)/);
  await rejected(wf.model(config, { dtype: "int3" }), "invalid_argument", /dtype.*int8/);
  refused(() => model.generate([1], { exact: 1 }), "invalid_argument", /exact/);
  const name = "model.layers.1.mlp.up_proj.weight";
  const broken = weights.slice();
  const view = new DataView(broken.buffer);
  const header = Number(view.getBigUint64(0, true));
  const tensors = JSON.parse(new TextDecoder().decode(broken.subarray(8, 8 + header)));
  view.setFloat32(8 + header + tensors[name].data_offsets[0] + 40, Number.NaN, true);
  const source = { config, weights: broken };
  for (const allowNotFinite of [false, true])
    await rejected(
      wf.model(source, { dtype: "int8", allowNotFinite }),
      "malformed_file",
      new RegExp(name),
    );
});

describe("elsewhere", () => {
  const started = [];
  after(() => {
    for (const engine of started) engine.dispose?.();
  });

  test("a worker has the same dtypes", async () => {
    const worker = await loadWorker({ variant: "simd" });
    started.push(worker);
    const there = await worker.model({ config, weights }, { dtype: "int8" });
    const here = await load(wf, "int8");
    assert.deepEqual([there.dtype, there.weightBytes], [here.dtype, here.weightBytes]);
    assert.deepEqual(await there.loss(ids), here.loss(ids));
    assert.deepEqual(await written(there), await written(here));
    assert.deepEqual(await written(there, { exact: true }), await written(here, { exact: true }));
  });

  test("threads share products of quantised weights with equal results to the bit", async () => {
    const threads = await loadThreads({ threads: 2 });
    started.push(threads);
    const large = { ...config, vocabSize: 4000, hiddenSize: 640, intermediateSize: 1600 };
    for (const dtype of dtypes) {
      const one = await engines.relaxed.model(large, { dtype });
      const two = await threads.model(large, { dtype });
      assert.deepEqual(two.loss(ids), one.loss(ids));
      assert.deepEqual(await written(two), await written(one));
      one.dispose();
      two.dispose();
    }
  });
});
