// A worker that fails: pending calls are rejected, its objects are lost, and the engine continues
// in a new worker.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { load } from "../../dist/worker.js";
import { rejected, scattered } from "./golden.mjs";

// The package takes Worker from this module; this one records the workers, and may start another
// script.
const threads = createRequire(import.meta.url)("node:worker_threads");
const { Worker } = threads;
const workers = [];
let linesBefore = "";
threads.Worker = class extends Worker {
  constructor(url, options) {
    if (linesBefore) super(`${linesBefore}; import("${url}");`, { ...options, eval: true });
    else super(url, options);
    workers.push(this);
  }
};

const heard = (worker, event) => new Promise((resolve) => worker.once(event, resolve));
const x = { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] };
const sizes = { numHeads: 2, headDim: 8 };
const config = {
  vocabSize: 32,
  hiddenSize: 16,
  numLayers: 1,
  numHeads: 2,
  intermediateSize: 16,
  scheme: "rope",
};

/** Returns an engine and its first worker. */
async function started(context) {
  const wf = await load({ variant: "simd", training: true });
  context.after(() => wf.dispose());
  return { wf, worker: workers.at(-1) };
}

async function assertGoesOn(wf) {
  assert.deepEqual([...(await wf.matmul(x, x)).data], [7, 10, 15, 22]);
  const scheme = await wf.scheme("alibi", sizes);
  assert.deepEqual([...(await scheme.bias([1], [0])).data], [-0.0625, -0.00390625]);
}

const kills = {
  "is ended": async (worker) => {
    const exit = heard(worker, "exit");
    await worker.terminate();
    await exit;
  },
  "throws where nobody catches": async (worker) => {
    const error = heard(worker, "error");
    worker.postMessage(null);
    await error;
  },
};

for (const [how, kill] of Object.entries(kills)) {
  test(`a worker that ${how} while idle: objects are lost, calls work`, async (context) => {
    const { wf, worker } = await started(context);
    const scheme = await wf.scheme("rope", sizes);
    const model = await wf.model(config);
    const matrix = await wf.matrix(x);
    await kill(worker);
    const lost = /^the scheme was lost when its worker failed; create it again$/;
    const { details } = await rejected(scheme.rotate(scattered([2, 5, 8])), "disposed", lost);
    assert.equal(details.argument, "scheme");
    await rejected(model.run([1, 2]), "disposed", /the model was lost/);
    await assertGoesOn(wf);
    await rejected(scheme.rotate(scattered([2, 5, 8])), "disposed", lost);
    await rejected(wf.matmul(x, matrix), "disposed", /the matrix was lost/);
    assert.equal(scheme.options.ropeTheta, 10000, "the facts received before are lost");
    matrix.dispose();
    await rejected(wf.matmul(x, matrix), "disposed", /disposed/);
    await assertGoesOn(wf);
  });

  test(`a worker that ${how} during work: calls are rejected, the next works`, async (context) => {
    const { wf, worker } = await started(context);
    const trainer = await wf.trainer({ config, task: { id: "copy" }, totalSteps: 100_000 });
    let begun;
    const working = new Promise((resolve) => {
      begun = resolve;
    });
    const steps = trainer.step(100_000, { onProgress: begun });
    const refused = rejected(steps, "internal", /^the worker failed: /);
    await working;
    await kill(worker);
    await refused;
    await assertGoesOn(wf);
    await rejected(trainer.step(), "disposed", /the trainer was lost/);
  });
}

test("a worker that ends within a computation rejects all pending calls", async (context) => {
  const { wf, worker } = await started(context);
  const attention = await wf.attention(sizes);
  const long = scattered([2, 3000, 8]);
  const model = await wf.model(config);
  const calls = [attention.run({ q: long, k: long, v: long }), model.run([1]), wf.memory()];
  const refused = calls.map((call) => rejected(call, "internal", /^the worker failed: /));
  await worker.terminate();
  await Promise.all(refused);
  await assertGoesOn(wf);
});

test("a text being generated ends with the error, and can be generated again", async (context) => {
  const { wf, worker } = await started(context);
  const write = async (model, atFirst) => {
    let count = 0;
    for await (const _ of model.generate([1], { maxTokens: 8 })) if (++count === 1) await atFirst();
    return count;
  };
  const model = await wf.model(config);
  await rejected(
    write(model, () => worker.terminate()),
    "disposed",
    /the generation was lost/,
  );
  assert.equal(await write(await wf.model(config), async () => {}), 8);
});

test("an engine that stops in its worker is replaced", async (context) => {
  linesBefore = `
    const { cos } = Math;
    Math.cos = (angle) => {
      if (angle > 80_000) throw new WebAssembly.RuntimeError("unreachable");
      return cos(angle);
    }`;
  const { wf } = await started(context);
  linesBefore = "";
  const scheme = await wf.scheme("rope", sizes);
  const rows = scattered([2, 1, 8]);
  await scheme.rotate(rows, [7]);
  const stopped = scheme.rotate(rows, [90_000]);
  const waiting = wf.memory();
  await Promise.all([
    rejected(stopped, "internal", /^the engine stopped: unreachable/),
    rejected(waiting, "internal", /^the engine stopped: unreachable/),
  ]);
  await rejected(scheme.rotate(rows, [7]), "disposed", /the scheme was lost/);
  await assertGoesOn(wf);
  assert.equal((await (await wf.scheme("rope", sizes)).rotate(rows, [90_000])).data.length, 16);
});

test("calls after the worker's end share one new worker", async (context) => {
  const { wf, worker } = await started(context);
  await kills["is ended"](worker);
  const before = workers.length;
  const bytes = await Promise.all([wf.memory(), wf.memory(), wf.memory()]);
  assert.ok(bytes.every((count) => count > 0));
  assert.equal(workers.length, before + 1);
});

test("a worker that does not start is a typed error, the next call retries", async (context) => {
  const { wf, worker } = await started(context);
  await kills["is ended"](worker);
  linesBefore = "throw new Error('no such file')";
  await rejected(wf.memory(), "internal", /^the worker failed: .*no such file/);
  await rejected(load({ variant: "simd" }), "internal", /no such file/);
  linesBefore = "";
  await assertGoesOn(wf);
});

test("an engine disposed of while its worker restarts ends the new worker", async (context) => {
  const { wf, worker } = await started(context);
  await kills["is ended"](worker);
  const pending = wf.memory();
  const exit = heard(workers.at(-1), "exit");
  wf.dispose();
  await rejected(pending, "disposed");
  await exit;
  await rejected(wf.memory(), "disposed");
});

test("an object of another engine is refused", async (context) => {
  const [here, there] = [await started(context), await started(context)];
  const matrix = await there.wf.matrix(x);
  await rejected(here.wf.matmul(x, matrix), "invalid_argument", /a matrix of the same engine/);
  const scheme = await there.wf.scheme("rope", sizes);
  await rejected(here.wf.attention({ scheme }), "invalid_argument", /a scheme of the same engine/);
});

test("a worker refuses names that are no methods of the engine", async (context) => {
  const { worker } = await started(context);
  const ask = (method, target = 0) =>
    new Promise((resolve) => {
      worker.once("message", resolve);
      worker.postMessage({ id: 1e6, target, method, args: [] });
    });
  for (const name of ["constructor", "dispose", "toString", "__proto__", "hasOwnProperty", "no"]) {
    const { failure } = await ask(name);
    assert.deepEqual(
      [failure.code, failure.message],
      ["unsupported", `engine.${name}: no such method`],
    );
  }
  assert.equal((await ask("memory", 99)).failure.code, "disposed");
});
