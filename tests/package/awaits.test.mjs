// Every asynchronous operation, aborted or deprived of its engine at each moment: it ends with
// `aborted` or `disposed`, or succeeds, without an effect on anything else.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { load } from "../../dist/index.js";
import { load as loadThreads } from "../../dist/threads.js";
import { load as loadWorker } from "../../dist/worker.js";
import { golden, wf } from "./golden.mjs";
import { safetensors } from "./safetensors.mjs";
import { goesOn, config as small, task } from "./spoilt.mjs";

const bytes = readFileSync(new URL("../../dist/simd.wasm", import.meta.url));
const { config, weights } = golden("model_rope");
const parts = () => ({
  config: new Blob([JSON.stringify(config)]),
  weights: new Blob([safetensors(weights)]),
});
const far = await loadWorker({ variant: "simd", training: true });
after(() => far.dispose());
const farModel = await far.model(small);
const farTrainer = await far.trainer({ config: small, task, length: 12, totalSteps: 1000 });
const model = await wf.model(small);

async function written(tokens) {
  const ids = [];
  for await (const { id } of tokens) ids.push(id);
  return ids;
}

/** Asynchronous operations that take a signal. */
const waits = {
  "load of bytes": (signal) => load({ wasm: bytes, signal }),
  "load of a file": (signal) =>
    load({ wasm: new URL("../../dist/simd.wasm", import.meta.url), signal }),
  "load of threads": (signal) => loadThreads({ threads: 2, signal }),
  "load of a worker": (signal) => loadWorker({ wasm: bytes, signal }),
  "a model from its parts": (signal) => wf.model(parts(), { signal }),
  "a model in a worker": (signal) => far.model(parts(), { signal }),
  "text that is written": (signal) => written(model.generate([1], { maxTokens: 6, signal })),
  "text in a worker": (signal) => written(farModel.generate([1], { maxTokens: 6, signal })),
  "training in a worker": (signal) => farTrainer.step(6, { signal }),
  "a product in a worker": (signal) =>
    far.matmul({ data: [2], shape: [1, 1] }, { data: [3], shape: [1, 1] }, {}, { signal }),
};

/** Waits for microtasks, tasks of the event loop, and milliseconds, to reach each moment. */
async function moments(count) {
  for (let i = 0; i < count; i++) {
    if (i < 8) await undefined;
    else if (i < 16) await new Promise((resolve) => setImmediate(resolve));
    else await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
const most = 40;

for (const [name, wait] of Object.entries(waits)) {
  test(`${name}: aborted at every moment`, async () => {
    let done = false;
    for (let at = 0; at < most && !done; at++) {
      const control = new AbortController();
      const outcome = wait(control.signal).then(
        (result) => {
          result?.dispose?.();
          return "done";
        },
        (error) => error.code ?? String(error),
      );
      await moments(at);
      control.abort();
      const said = await outcome;
      assert.ok(["done", "aborted"].includes(said), `moment ${at}: ${said}`);
      if (at === 0) assert.equal(said, "aborted");
      done = said === "done";
    }
    const end = await wait(undefined);
    assert.ok(end, "it does not succeed afterwards");
    end.dispose?.();
    goesOn();
    assert.ok((await far.memory()) > 0);
  });
}

const inWorker = {
  "a model": (engine) => engine.model(parts()),
  "a product": (engine) =>
    engine.matmul({ data: [2], shape: [1, 1] }, { data: [3], shape: [1, 1] }),
  text: async (engine) => written((await engine.model(small)).generate([1], { maxTokens: 4 })),
};

for (const [name, use] of Object.entries(inWorker)) {
  test(`${name} in a worker whose engine is disposed of at every moment`, async () => {
    for (let at = 0; at < most; at += 3) {
      const engine = await loadWorker({ wasm: bytes });
      const outcome = use(engine).then(
        () => "done",
        (error) => error.code,
      );
      await moments(at);
      engine.dispose();
      const said = await outcome;
      assert.ok(["done", "disposed"].includes(said), `moment ${at}: ${said}`);
      if (at === 0) assert.equal(said, "disposed");
    }
  });
}

test("a model that loads after its engine was disposed of is refused as disposed", async () => {
  const engine = await loadThreads({ threads: 1 });
  const coming = engine.model(parts());
  engine.dispose();
  await assert.rejects(coming, { code: "disposed" });
});

test("a model disposed of between two tokens keeps the text so far", async () => {
  const expected = await written(model.generate([1], { maxTokens: 5 }));
  const own = await wf.model(small);
  const ids = [];
  for await (const { id } of own.generate([1], { maxTokens: 5 })) {
    ids.push(id);
    own.dispose();
  }
  assert.deepEqual(ids, expected);
});

test("a generated text that is not read to its end releases its memory", async () => {
  for (let i = 0; i < 3; i++) {
    const tokens = model.generate([1], { maxTokens: 50 });
    await tokens.next();
    await tokens.return();
    assert.deepEqual(await tokens.next(), { value: undefined, done: true });
  }
  goesOn();
});
