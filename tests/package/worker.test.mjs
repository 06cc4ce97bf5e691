// whereformer/worker, in Node's worker threads; packed.test.mjs runs it in a browser's workers.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, test } from "node:test";
import ts from "typescript";
import { load } from "../../dist/worker.js";
import { golden, wf as here, near, rejected, scattered } from "./golden.mjs";
import { safetensors } from "./safetensors.mjs";
import "./with-training.mjs";

const wf = await load({ variant: "simd", training: true });
after(() => wf.dispose());

const sizes = { numHeads: 2, headDim: 8 };
const input = { q: scattered([2, 5, 8]), k: scattered([2, 5, 8], 2), v: scattered([2, 5, 8], 3) };
const config = {
  vocabSize: 32,
  hiddenSize: 16,
  numLayers: 1,
  numHeads: 2,
  intermediateSize: 16,
  scheme: "rope",
};
const task = { id: "copy" };

/** Names of the methods of each public interface, except `dispose`. */
function publicMethods() {
  const folder = new URL("../../bindings/ts/types/", import.meta.url);
  const methods = {};
  for (const name of readdirSync(folder)) {
    const text = readFileSync(new URL(name, folder), "utf8");
    ts.createSourceFile(name, text, ts.ScriptTarget.ES2022).forEachChild((node) => {
      if (!ts.isInterfaceDeclaration(node)) return;
      methods[node.name.text] = node.members
        .filter((member) => ts.isMethodSignature(member) && ts.isIdentifier(member.name))
        .map((member) => member.name.text)
        .filter((method) => method !== "dispose")
        .sort();
    });
  }
  return methods;
}

test("the engine's facts are available without a call", async () => {
  assert.deepEqual(wf.schemes, here.schemes);
  assert.equal(wf.variant, "simd");
  assert.equal(wf.version, here.version);
  assert.ok((await wf.memory()) > 0);
});

test("the methods of remote objects are those of the public types", async () => {
  const scheme = await wf.scheme("rope", sizes);
  const attention = await wf.attention({ scheme });
  const trainer = await wf.trainer({ config, task, length: 12 });
  const objects = {
    Engine: wf,
    Scheme: scheme,
    Attention: attention,
    KvCache: await attention.cache({ capacity: 1 }),
    Matrix: await wf.matrix({ data: [1], shape: [1, 1] }),
    EngineTensor: await wf.tensor({ data: [1], shape: [1] }),
    Model: await trainer.model(),
    Trainer: trainer,
  };
  const wanted = publicMethods();
  for (const [type, remote] of Object.entries(objects)) {
    const own = Object.entries(Object.getOwnPropertyDescriptors(remote))
      .filter(([, { value }]) => typeof value === "function")
      .map(([name]) => name);
    const overridden = wanted[type].filter((name) => !own.includes(name));
    for (const name of overridden) assert.equal(typeof remote[name], "function", name);
    assert.deepEqual([...own, ...overridden].sort(), wanted[type], type);
  }
});

test("schemes and attention give the same as on the calling thread", async () => {
  const rope = await wf.scheme("rope", sizes);
  const alibi = await wf.scheme("alibi", sizes);
  assert.deepEqual(rope.options, here.scheme("rope", sizes).options);
  assert.deepEqual(await rope.rotate(input.q), here.scheme("rope", sizes).rotate(input.q));
  const near_bias = await alibi.bias([3], [1, 2, 3]);
  assert.deepEqual(near_bias, here.scheme("alibi", sizes).bias([3], [1, 2, 3]));
  const sines = await wf.scheme("sinusoidal", sizes);
  assert.deepEqual(
    await sines.embeddings([0, 2]),
    here.scheme("sinusoidal", sizes).embeddings([0, 2]),
  );
  const attention = await wf.attention({ scheme: [rope, alibi], isCausal: true });
  const local = here.attention({
    scheme: [here.scheme("rope", sizes), here.scheme("alibi", sizes)],
    isCausal: true,
  });
  const record = ["weights", "terms"];
  assert.deepEqual(await attention.run({ ...input, record }), local.run({ ...input, record }));
  assert.equal(input.q.data.length, 80, "arguments were transferred instead of copied");
  const from_config = await wf.schemeFromConfig({
    num_attention_heads: 2,
    hidden_size: 16,
    rope_theta: 5e5,
  });
  assert.equal(from_config.options.ropeTheta, 5e5);
});

test("a cache has its length after each answer", async () => {
  const attention = await wf.attention({ ...sizes, isCausal: true });
  const cache = await attention.cache({ capacity: 10 });
  assert.deepEqual([cache.length, cache.capacity], [0, 10]);
  await attention.decode(cache, input);
  assert.equal(cache.length, 5);
  const copy = await cache.clone();
  await cache.truncate(2);
  assert.deepEqual([cache.length, copy.length], [2, 5]);
});

test("models load, run, score, generate and save", async () => {
  const { config: file, weights } = golden("model_rope");
  const source = { config: file, weights: safetensors(weights) };
  const model = await wf.model(source);
  const local = await here.model(source);
  assert.equal(model.parameterCount, local.parameterCount);
  assert.deepEqual(model.config, local.config);
  const record = ["weights", "hidden"];
  assert.deepEqual(await model.run([1, 2, 3], { record }), local.run([1, 2, 3], { record }));
  assert.deepEqual(await model.loss([1, 2, 3]), local.loss([1, 2, 3]));
  assert.deepEqual([...(await model.save())], [...local.save()]);
  const collect = async (tokens) => {
    const ids = [];
    for await (const { id } of tokens) ids.push(id);
    return ids;
  };
  const options = { maxTokens: 9, seed: 3 };
  assert.deepEqual(
    await collect(model.generate([1], options)),
    await collect(local.generate([1], options)),
  );
});

test("the tokenizer stays on the calling thread", async () => {
  const tokenizer = {
    encode: (text) => [...text].map((letter) => letter.charCodeAt(0) - 96),
    decode: (ids) => ids.map((id) => String.fromCharCode(id + 96)).join(""),
  };
  const model = await wf.model(config, { tokenizer });
  assert.deepEqual((await model.run("abc")).tokens, ["a", "b", "c"]);
  for await (const { id, text } of model.generate("a", { maxTokens: 2 }))
    assert.equal(text, tokenizer.decode([id]));
  const bare = await wf.model(config);
  await rejected(bare.run("abc"), "invalid_argument", /no tokenizer/);
});

test("training reports progress, and equals training on the calling thread", async () => {
  const trainer = await wf.trainer({ config, task, length: 12, seed: 5 });
  const progress = [];
  const losses = await trainer.step(6, {
    onProgress: (done, total) => progress.push([done, total]),
  });
  assert.deepEqual(losses, here.trainer({ config, task, length: 12, seed: 5 }).step(6));
  assert.deepEqual(
    progress,
    [1, 2, 3, 4, 5, 6].map((done) => [done, 6]),
  );
  assert.equal(trainer.stepsDone, 6);
  const reports = [];
  const lengths = [12, 20];
  const results = await trainer.evaluate(
    { lengths },
    { onProgress: (...report) => reports.push(report) },
  );
  assert.deepEqual(
    results.map(({ length }) => length),
    lengths,
  );
  assert.deepEqual(reports, [
    [1, 2],
    [2, 2],
  ]);
  const model = await trainer.model();
  assert.equal((await model.run([1, 2])).ids.length, 2);
});

test("a long training can be stopped between two steps, and continued", async () => {
  const trainer = await wf.trainer({ config, task, length: 32, totalSteps: 100_000 });
  const control = new AbortController();
  const onProgress = (done) => done === 3 && control.abort();
  await rejected(trainer.step(100_000, { signal: control.signal, onProgress }), "aborted");
  await trainer.step();
  const done = trainer.stepsDone;
  assert.ok(done >= 4 && done < 5_000, `${done} steps`);
  // The worker takes training steps between messages, so it could continue before each answer.
  for (let i = 0; i < 20; i++) await wf.memory();
  await trainer.step();
  assert.equal(trainer.stepsDone, done + 1, "it did not stop");
});

test("generation can be stopped", async () => {
  const model = await wf.model(config);
  const control = new AbortController();
  let count = 0;
  const reading = (async () => {
    for await (const _ of model.generate([1], { maxTokens: 10_000, signal: control.signal }))
      if (++count === 4) control.abort();
  })();
  await rejected(reading, "aborted");
  assert.equal(count, 4);
});

test("a request cancelled while it waits never starts", async () => {
  const trainer = await wf.trainer({ config, task, length: 12 });
  const attention = await wf.attention(sizes);
  const long = scattered([2, 3000, 8]);
  const busy = attention.run({ q: long, k: long, v: long });
  const control = new AbortController();
  const asked = trainer.step(1, { signal: control.signal });
  control.abort();
  await rejected(asked, "aborted");
  await busy;
  await rejected(trainer.step(1, { signal: AbortSignal.abort() }), "aborted");
  await trainer.step(1);
  assert.equal(trainer.stepsDone, 1);
});

test("plain products work in the worker too, with the same refusals", async () => {
  const a = { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] };
  const { data, shape } = await wf.matmul(a, a, { transposeB: true });
  assert.deepEqual([...data, ...shape], [5, 11, 11, 25, 2, 2]);
  assert.deepEqual([...(await wf.softmax({ data: [0, 0], shape: [2] })).data], [0.5, 0.5]);
  const normed = await wf.layerNorm({ data: [1, 3], shape: [2] }, { epsilon: 0 });
  assert.deepEqual([...normed.data], [-1, 1]);
  await rejected(
    wf.matmul(a, { data: Float32Array.of(1, Number.NaN), shape: [2, 1] }),
    "invalid_argument",
    /^b\.data\[1\]: NaN/,
  );
});

test("a matrix stays in the worker; memory for results is refused", async () => {
  const a = { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] };
  const matrix = await wf.matrix(a, { transposeB: true });
  assert.deepEqual(matrix.shape, [2, 2]);
  assert.deepEqual([...(await wf.matmul(a, matrix)).data], [5, 11, 11, 25]);
  matrix.dispose();
  await rejected(wf.matmul(a, matrix), "disposed");
  const out = new Float32Array(4);
  await rejected(
    wf.matmul(a, a, { out }),
    "unsupported",
    /^out: a Float32Array \(expected undefined in a worker/,
  );
  await rejected(wf.softmax(a, { out }), "unsupported", /^out: /);
});

test("a tensor stays in the worker", async () => {
  const a = await wf.tensor({ data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] });
  assert.deepEqual(a.shape, [2, 2]);
  assert.deepEqual([...(await wf.matmul(a, a)).data], [7, 10, 15, 22]);
  assert.deepEqual([...(await a.read()).data], [1, 2, 3, 4]);
  a.dispose();
  await rejected(a.read(), "disposed");
});

test("errors have code, message and details", async () => {
  const error = await rejected(
    wf.scheme("rope", { ...sizes, theta: 3 }),
    "unknown_option",
    /unknown option "theta"/,
  );
  assert.equal(error.details.argument, "theta");
  await rejected(
    wf.scheme("rope", { ...sizes, headDim: Number.NaN }),
    "invalid_argument",
    /^headDim: NaN/,
  );
  const trainer = await wf.trainer({ config, task, length: 12 });
  await rejected(trainer.step(Number.NaN), "invalid_argument", /^n: NaN/);
  await rejected(trainer.step(0), "invalid_argument", /^n: 0/);
  await rejected(trainer.step(2.5), "invalid_argument", /^n: 2\.5/);
  await rejected(trainer.step(2 ** 40), "invalid_argument", /^n: /);
  await rejected(wf.model("file:///nowhere/"), "network", /nowhere/);
});

test("values that no message can carry are refused", async () => {
  await rejected(
    wf.attention({ ...sizes, scale: () => 1 }),
    "invalid_argument",
    /^scale: a function \(expected data/,
  );
  await rejected(
    wf.softmax({ data: Symbol("x"), shape: [1] }),
    "invalid_argument",
    /^data: Symbol\(x\) \(expected data/,
  );
  assert.ok((await wf.memory()) > 0, "the engine does not work afterwards");
});

test("disposing releases the object in the worker; later calls are refused", async () => {
  const rope = await wf.scheme("rope", sizes);
  rope.dispose();
  rope[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
  await rejected(rope.rotate(input.q), "disposed");
  const before = await wf.memory();
  const attention = await wf.attention(sizes);
  for (let i = 0; i < 20; i++) (await attention.cache({ capacity: 300_000 })).dispose();
  assert.ok((await wf.memory()) - before < 3 * 300_000 * 2 * 16 * 4);
});

test("two engines have two workers, each ended with its engine", async () => {
  const other = await load({ variant: "relaxed" });
  assert.equal(other.variant, "relaxed");
  const scheme = await other.scheme("alibi", sizes);
  near((await scheme.bias([2], [0])).data, [-0.125, -0.0078125], 0);
  const pending = scheme.bias([1], [0]);
  other.dispose();
  await rejected(pending, "disposed");
  await rejected(other.memory(), "disposed");
  assert.ok((await wf.memory()) > 0, "the first does not work afterwards");
});

test("loading can be aborted, and has the same refusals as load", async () => {
  await rejected(load({ signal: AbortSignal.abort() }), "aborted");
  await rejected(load({ variant: "fast" }), "invalid_argument", /^variant: "fast"/);
  await rejected(load({ wasm: new Uint8Array(8) }), "malformed_file");
});
