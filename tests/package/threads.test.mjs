// The engine with threads: its results, the threads' sharing and sleeping, its end, and the
// fallback without shared memory.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { load as loadOne } from "../../dist/index.js";
import { load, WhereformerError } from "../../dist/threads.js";
import { inNode } from "./in-node.mjs";
import { awaitOthersAsleep, awaitOthersAt, threadIds } from "./threads-of-process.mjs";

const entry = new URL("../../dist/threads.js", import.meta.url).href;
// A time limit, so that a missing event fails with the test's name.
const limited = { timeout: 120_000 };

/** Pseudo-random numbers between -1 and 1. */
const numbers = (count, seed = 1) =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(seed * 7919 + i * 12.9898 + i * i * 0.1));
const tensor = (shape, seed) => ({
  data: numbers(
    shape.reduce((a, b) => a * b, 1),
    seed,
  ),
  shape,
});

const attentionInput = (heads, kvHeads, tokens, width) => ({
  q: tensor([heads, tokens, width], 1),
  k: tensor([kvHeads, tokens, width], 2),
  v: tensor([kvHeads, tokens, width], 3),
});

/** Work large enough to be divided; by name, for messages. */
const works = {
  "a product whose columns are shared": (wf) =>
    wf.matmul(tensor([130, 300], 1), tensor([300, 259], 2)),
  "a product whose rows are shared": (wf) => wf.matmul(tensor([701, 77], 1), tensor([77, 50], 2)),
  "a product with a transposed operand": (wf) =>
    wf.matmul(tensor([131, 300], 1), tensor([259, 300], 2), { transposeB: true }),
  "a product with a matrix that stays": (wf) =>
    wf.matmul(tensor([130, 300], 1), wf.matrix(tensor([300, 259], 2))),
  "attention of many heads": (wf) =>
    wf.attention({ numHeads: 6, headDim: 16, isCausal: true }).run(attentionInput(6, 6, 211, 16))
      .output,
  "attention of one head": (wf) =>
    wf.attention({ numHeads: 1, headDim: 32 }).run(attentionInput(1, 1, 500, 32)).output,
  "attention of groups": (wf) =>
    wf.attention({ numHeads: 6, numKvHeads: 2, headDim: 16 }).run(attentionInput(6, 2, 301, 16))
      .output,
};

const config = {
  vocabSize: 40,
  hiddenSize: 48,
  numLayers: 2,
  numHeads: 4,
  intermediateSize: 96,
  seed: 3,
};

/** Sizes at which the products of a single token are divided. */
const quantisedSizes = { vocabSize: 2000, hiddenSize: 192, intermediateSize: 500, scheme: "rope" };

/** All 196 tokens in one window. */
const options = { swin: { windowHeight: 14, windowWidth: 14 } };

async function ofModel(wf, id) {
  const scheme = { id, options: options[id] ?? {} };
  const model = await wf.model({ ...config, scheme, initializerRange: 0.3 });
  const ids = Array.from({ length: 196 }, (_, i) => (i * i + 3 * i) % 40);
  const { hidden } = model.run(ids, { record: ["hidden"] });
  model.dispose();
  return hidden;
}

async function ofTraining(wf, scheme, batchSize) {
  const trainer = wf.trainer({
    config: { ...config, scheme },
    task: { id: "copy" },
    length: 48,
    batchSize,
    seed: 2,
  });
  const losses = [...trainer.step(3)];
  const weights = trainer.model().save();
  trainer.dispose();
  return { losses, weights };
}

describe("with shared memory and relaxed SIMD", () => {
  let engines;
  before(async () => {
    engines = await Promise.all([1, 2, 3].map((threads) => load({ threads })));
  });
  after(() => {
    for (const wf of engines) wf.dispose();
  });

  test("an engine has its number of threads", async () => {
    assert.deepEqual(
      engines.map((wf) => wf.threads),
      [1, 2, 3],
    );
    const wf = await load();
    assert.ok(wf.threads >= 1 && wf.threads <= 4);
    wf.dispose();
  });

  for (const [name, work] of Object.entries(works)) {
    test(`${name} is equal to the last bit with 1, 2 and 3 threads`, async () => {
      const [one, two, three] = engines.map((wf) => work(wf).data);
      assert.deepEqual(two, one);
      assert.deepEqual(three, one);
      const plain = work(await loadOne({ variant: "relaxed" })).data;
      assert.deepEqual(one, plain, "differs from one without threads");
    });
  }

  test("a model of every scheme is equal to the last bit with 1, 2 and 3 threads", async () => {
    for (const { id } of engines[0].schemes) {
      const [one, two, three] = await Promise.all(engines.map((wf) => ofModel(wf, id)));
      assert.deepEqual(two, one, id);
      assert.deepEqual(three, one, id);
    }
  });

  for (const dtype of ["int8", "int4"]) {
    test(`a model in ${dtype} is equal with 1, 2 and 3 threads`, async () => {
      const results = [];
      for (const wf of engines) {
        const model = await wf.model({ ...config, ...quantisedSizes }, { dtype });
        const ids = Array.from({ length: 70 }, (_, i) => (i * i + 3 * i) % 40);
        const { hidden } = model.run(ids, { record: ["hidden"] });
        const written = [];
        for (const exact of [true, false])
          for await (const { id } of model.generate(ids, { maxTokens: 12, seed: 5, exact }))
            written.push(id);
        results.push({ hidden, written, losses: model.loss(ids) });
        model.dispose();
      }
      assert.deepEqual(results[1], results[0]);
      assert.deepEqual(results[2], results[0]);
    });
  }

  // 3 sequences are one slice, whose heads are divided if gradients allow it; 8 are four slices.
  for (const scheme of ["rope", "t5", "deberta"]) {
    for (const batchSize of [3, 8]) {
      test(`training ${scheme} on ${batchSize} sequences: 1, 2, 3 threads agree`, async () => {
        const [one, two, three] = await Promise.all(
          engines.map((wf) => ofTraining(wf, scheme, batchSize)),
        );
        assert.deepEqual(two, one);
        assert.deepEqual(three, one);
      });
    }
  }

  test("recorded values are equal", () => {
    const options = { numHeads: 6, headDim: 16, scheme: undefined };
    const run = (wf) =>
      wf.attention({ numHeads: options.numHeads, headDim: options.headDim }).run({
        ...attentionInput(6, 6, 211, 16),
        record: ["weights"],
      }).weights.data;
    assert.deepEqual(run(engines[1]), run(engines[0]));
  });

  test("another thread takes part, and sleeps when idle", limited, async () => {
    const known = threadIds();
    const wf = await load({ threads: 2 });
    const [a, b] = [tensor([512, 512], 1), tensor([512, 512], 2)];
    // After a product a thread looks for more work for a while; then it sleeps.
    await awaitOthersAt(() => wf.matmul(a, b), known);
    await awaitOthersAsleep(known);
    wf.dispose();
  });

  test("dispose ends the threads and the engine", async () => {
    const wf = await load({ threads: 3 });
    const attention = wf.attention({ numHeads: 1, headDim: 4 });
    wf.dispose();
    wf.dispose();
    assert.throws(() => wf.matmul(tensor([2, 2]), tensor([2, 2])), { code: "disposed" });
    assert.throws(() => attention.run(attentionInput(1, 1, 3, 4)), { code: "disposed" });
    attention.dispose();
  });

  test("memory that one thread has grown is visible to all", async () => {
    const wf = await load({ threads: 2 });
    const before = wf.memory();
    const tokens = 3000;
    const { output } = wf
      .attention({ numHeads: 4, headDim: 64 })
      .run(attentionInput(4, 4, tokens, 64));
    assert.equal(output.data.length, 4 * tokens * 64);
    assert.ok(output.data.every(Number.isFinite));
    assert.ok(wf.memory() > before);
    wf.dispose();
  });

  test("Node can exit while threads sleep", () => {
    const script = `import { load } from ${JSON.stringify(entry)};
      const wf = await load({ threads: 3 });
      const x = { data: new Float32Array(256 * 256).fill(1), shape: [256, 256] };
      console.log(wf.threads, wf.matmul(x, x).data[9]);`;
    assert.equal(inNode(script), "3 256");
  });

  test("an aborted load ends its threads", async () => {
    const control = new AbortController();
    const loading = load({ threads: 2, signal: control.signal });
    control.abort();
    await assert.rejects(loading, { code: "aborted" });
  });

  test("another binary is refused", async () => {
    const wasm = new URL("../../dist/relaxed.wasm", import.meta.url);
    await assert.rejects(load({ wasm }), { code: "malformed_file" });
  });
});

test("options are checked", async () => {
  const wrong = [
    [{ threads: 0 }, /^threads: 0 \(expected an integer from 1 to 16/],
    [{ threads: 1.5 }, /^threads: 1.5 \(expected /],
    [{ threads: 17 }, /^threads: 17 \(expected /],
    [{ threads: "2" }, /^threads: "2" \(expected /],
    [{ fallback: 1 }, /^fallback: 1 \(expected true or false/],
    [{ variant: "simd" }, /variant/],
  ];
  for (const [options, message] of wrong)
    await assert.rejects(load(options), (error) => {
      assert.ok(error instanceof WhereformerError);
      assert.match(error.message, message);
      return true;
    });
});

test("without shared memory the engine has one thread, or names the requirement", () => {
  const script = `
    delete globalThis.SharedArrayBuffer;
    const { load } = await import(${JSON.stringify(entry)});
    const wf = await load({ threads: 2 });
    const [a, b] = [2, 3].map((number) => ({ data: [number], shape: [1, 1] }));
    console.log(wf.threads, wf.matmul(a, b).data[0]);
    wf.dispose();
    try { wf.memory(); } catch (error) { console.log(error.code); }
    await load({ fallback: false }).catch((error) => console.log(error.code, error.message));`;
  const [first, second, third] = inNode(script, []).split("\n");
  assert.equal(first, "1 6");
  assert.equal(second, "disposed");
  assert.match(
    third,
    new RegExp(
      "^unsupported threads: .*Cross-Origin-Opener-Policy: same-origin.*" +
        "Cross-Origin-Embedder-Policy: require-corp",
    ),
  );
});
