// Models with matrices in half precision or bfloat16: numbers of a file in that type are kept,
// others are rounded to it, and computation is in float32.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { load as loadThreads } from "../../dist/threads.js";
import { load as loadWorker } from "../../dist/worker.js";
import { deviations, familyFile, manifest, modelOf, names } from "./families.mjs";
import { ggufModel, ggufNames } from "./gguf.mjs";
import { engines, near, refused, rejected, variants, wf } from "./golden.mjs";
import { config, floats, ids, logitsOf, weights } from "./odd-model.mjs";
import { tensorOf } from "./safetensors.mjs";
import "./with-training.mjs";

const types = { f16: "F16", bf16: "BF16" };
const dtypes = Object.keys(types);
const rows = manifest();

// Weights in the families' files are sixteenths of up to seven bits, which both types represent, so
// Transformers' results in floats must be reproduced.
for (const [dtype, stored] of Object.entries(types))
  describe(`${dtype}, from a file in that type`, () => {
    for (const name of names)
      test(`${name}: equals Transformers' results for the weights as floats`, async () => {
        for (const variant of variants) {
          const found = await deviations(engines[variant], name, { dtype }, stored);
          const { tolerance, deviation } = rows[name];
          for (const [quantity, value] of Object.entries(found)) {
            const recorded = Math.max(deviation[quantity], 3e-2 * tolerance[quantity]);
            assert.ok(value <= Math.min(10 * recorded, tolerance[quantity]), `${value}`);
          }
        }
      });
  });

/** Rounds to `bits` significant bits, ties to even; only for numbers that are not subnormal. */
function rounded(value, bits) {
  const step = 2 ** (Math.floor(Math.log2(Math.abs(value))) + 1 - bits);
  const below = Math.floor(value / step);
  const rest = value / step - below;
  const isUp = rest > 0.5 || (rest === 0.5 && below % 2 !== 0);
  return value === 0 ? 0 : (isUp ? below + 1 : below) * step;
}
const significant = { f16: 11, bf16: 8 };

/** Returns a copy of the file with the numbers of matrices replaced by `change`. */
function changed(change) {
  const bytes = weights.slice();
  const header = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const tensors = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + header)));
  for (const [name, { shape, data_offsets }] of Object.entries(tensors)) {
    if (shape?.length !== 2) continue;
    const { data } = tensorOf(bytes, name);
    const numbers = Float32Array.from(data, (value, i) => change(value, name, i));
    bytes.set(new Uint8Array(numbers.buffer), 8 + header + data_offsets[0]);
  }
  return bytes;
}

for (const dtype of dtypes) {
  test(`${dtype}: floats are rounded to nearest, and then used as floats`, async () => {
    const near16 = changed((value) => rounded(value, significant[dtype]));
    for (const variant of variants) {
      const model = await engines[variant].model({ config, weights }, { dtype });
      const twin = await engines[variant].model({ config, weights: near16 });
      assert.equal(model.dtype, dtype);
      near(logitsOf(model, ids).data, logitsOf(twin, ids).data, 1e-5);
      assert.notDeepEqual(logitsOf(model, ids).data, logitsOf(floats, ids).data);
      // Only weights are rounded, also in generation.
      const losses = [undefined, { exact: true }, { exact: false }].map((o) => model.loss(ids, o));
      assert.deepEqual(losses[1], losses[0]);
      assert.deepEqual(losses[2], losses[0]);
      near(losses[0].perToken, twin.loss(ids).perToken, 1e-5);
      model.dispose();
      twin.dispose();
    }
  });

  test(`${dtype}: matrices need two bytes a weight, a shared table counts once`, async () => {
    const even = { ...config, hiddenSize: 64, headDim: 16, intermediateSize: 128, vocabSize: 320 };
    const [small, large] = [await wf.model(even, { dtype }), await wf.model(even)];
    const matrices = 320 * 64 + 2 * (64 * 64 * 2 + 32 * 64 * 2 + 3 * 128 * 64);
    // Each of the 15 matrices in f16 has 16 bytes for the format of its halves.
    const heads = dtype === "f16" ? 15 * 16 : 0;
    assert.equal(large.weightBytes - small.weightBytes, 2 * matrices - heads);
    assert.equal(small.parameterCount, large.parameterCount);
    small.dispose();
    large.dispose();
  });

  test(`${dtype}: terms add up, schemes can be replaced, positions bent`, async () => {
    const model = await wf.model({ config, weights }, { dtype });
    const { logits, terms } = model.run(ids, { record: ["logits", "terms"] });
    const sums = new Float64Array(logits.data.length);
    for (const { data } of Object.values(terms))
      for (let i = 0; i < sums.length; i++) sums[i] += data[i];
    const seen = [...logits.data].map((logit, i) => [logit, sums[i]]).filter(([x]) => x > -1e30);
    for (const [logit, sum] of seen) assert.ok(Math.abs(logit - sum) < 1e-4);
    const other = await wf.model({ config: { ...config, scheme: "nope" }, weights }, { dtype });
    const without = model.loss(ids, { surgery: { scheme: [] } }).mean;
    assert.ok(Math.abs(without - other.loss(ids).mean) < 1e-6);
    assert.notEqual(model.bend({ ropeTheta: 500 }).loss(ids).mean, model.loss(ids).mean);
    model.dispose();
    other.dispose();
  });

  test(`${dtype}: a GGUF file gives the same as its floats`, async () => {
    for (const name of ggufNames) {
      const source = new Blob([ggufModel(name).bytes]);
      const plain = await wf.model(source);
      const own = { config: plain.config, weights: plain.save() };
      const models = await Promise.all([source, own].map((from) => wf.model(from, { dtype })));
      const [there, here] = models.map((one) => one.run([1, 2, 3, 4], { record: ["hidden"] }));
      assert.deepEqual(there, here, name);
      for (const model of [plain, ...models]) model.dispose();
    }
  });

  test(`${dtype}: a GGUF file in that type gives Transformers' numbers`, async () => {
    const {
      bytes,
      ids: text,
      logits,
      type,
    } = ggufModel({ f16: "llama_f16", bf16: "qwen3_bf16" }[dtype]);
    assert.equal(type, types[dtype]);
    for (const variant of variants) {
      const model = await engines[variant].model(new Blob([bytes]), { dtype });
      near(logitsOf(model, text).data, logits.data, 1e-5);
      model.dispose();
    }
  });

  test(`${dtype}: training and saving are refused, with f32 as the expected type`, async () => {
    const model = await wf.model({ config, weights }, { dtype });
    const message = new RegExp(`^dtype: "${dtype}" \\(expected "f32" for `);
    refused(() => model.save(), "unsupported", message);
    refused(() => wf.trainer({ model, task: { id: "copy" } }), "unsupported", message);
    model.dispose();
  });
}

const broken = "model.layers.1.mlp.up_proj.weight";
const withOne = (one) => changed((value, name, i) => (name === broken && i === 40 ? one : value));

test("weights that become infinite are refused, stored infinities kept on request", async () => {
  const large = { config, weights: withOne(-65520) };
  await rejected(
    wf.model(large, { dtype: "f16" }),
    "dtype_overflow",
    new RegExp(`^dtype: "f16" \\(expected "bf16" or "f32", since tensor ${broken} has`),
  );
  (await wf.model(large, { dtype: "bf16" })).dispose();
  (await wf.model({ config, weights: withOne(65519) }, { dtype: "f16" })).dispose();
  const most = { config, weights: withOne(3.4e38) };
  await rejected(
    wf.model(most, { dtype: "bf16" }),
    "dtype_overflow",
    /^dtype: "bf16" \(expected "f32", since/,
  );
  for (const dtype of dtypes) {
    const source = { config, weights: withOne(Number.POSITIVE_INFINITY) };
    await rejected(wf.model(source, { dtype }), "malformed_file", new RegExp(broken));
    const model = await wf.model(source, { dtype, allowNotFinite: true });
    const exact = await wf.model(source, { allowNotFinite: true });
    assert.ok(Number.isNaN(exact.loss(ids).mean));
    assert.ok(Number.isNaN(model.loss(ids).mean));
    model.dispose();
    exact.dispose();
  }
});

test("a dtype is one of the five words", async () => {
  for (const dtype of ["F16", "fp16", "float16", "bfloat16", "", 16, ["f16"], {}, Symbol("f")])
    await rejected(wf.model(config, { dtype }), "invalid_argument", /dtype.*bf16/);
});

describe("elsewhere", () => {
  const started = [];
  after(() => {
    for (const engine of started) engine.dispose?.();
  });
  const file = familyFile("gpt2");

  test("a worker has the same types", async () => {
    const worker = await loadWorker({ variant: "simd" });
    started.push(worker);
    for (const [dtype, stored] of Object.entries(types)) {
      const [there, here] = await Promise.all(
        [worker, wf].map((engine) => modelOf(engine, file, { dtype }, stored)),
      );
      assert.deepEqual([there.dtype, there.weightBytes], [here.dtype, here.weightBytes]);
      assert.deepEqual(await there.loss(file.ids), here.loss(file.ids));
      await there.dispose();
      here.dispose();
    }
  });

  test("threads share their products with equal results to the bit", async () => {
    const threads = await loadThreads({ threads: 2 });
    started.push(threads);
    const large = { ...config, vocabSize: 4000, hiddenSize: 640, intermediateSize: 1600 };
    const written = async (model) => {
      const list = [];
      for await (const { id } of model.generate(ids.slice(0, 9), { maxTokens: 9, seed: 5 }))
        list.push(id);
      return list;
    };
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

test("models of any width can be made and run", async () => {
  for (const hiddenSize of [1, 31, 33])
    for (const dtype of dtypes) {
      const sizes = { ...config, hiddenSize, numHeads: 1, numKvHeads: 1, headDim: 2 };
      const model = await wf.model(sizes, { dtype });
      assert.ok(model.loss(ids).perToken.every(Number.isFinite));
      model.dispose();
    }
});
