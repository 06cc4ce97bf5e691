// Values that no message can carry, and invalid tasks: refused on the calling thread with a typed
// error, while the worker keeps running.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { load as loadPage } from "../../dist/index.js";
import { load } from "../../dist/worker.js";
import { rejected, scattered } from "./golden.mjs";
import { inNode } from "./in-node.mjs";

const wf = await load({ variant: "simd", training: true });
after(() => wf.dispose());
const sizes = { numHeads: 2, headDim: 8 };
const x = scattered([2, 5, 8]);
const config = {
  vocabSize: 32,
  hiddenSize: 16,
  numLayers: 1,
  numHeads: 2,
  intermediateSize: 16,
  scheme: "rope",
};
const scheme = await wf.scheme("rope", sizes);
const attention = await wf.attention(sizes);
const model = await wf.model(config);
const trainer = await wf.trainer({ config, task: { id: "copy" }, length: 12 });
const page = await loadPage({ variant: "simd" });
const entry = JSON.stringify(new URL("../../dist/worker.js", import.meta.url).href);

const cyclic = [];
cyclic.push(cyclic);
const ring = {};
ring.ring = ring;
let shared = ["a"];
for (let i = 0; i < 30; i++) shared = [shared, shared];
const detached = () => {
  const data = new Float32Array(80);
  structuredClone(data.buffer, { transfer: [data.buffer] });
  return data;
};
const nothing = {
  "a function": () => () => {},
  "a promise": () => Promise.resolve(1),
  "a symbol": () => Symbol("x"),
  "a list that contains itself": () => cyclic,
  "an object that contains itself": () => ring,
  "a list that is doubled thirty times over": () => shared,
  "a weak reference": () => new WeakMap(),
  "a proxy": () => new Proxy({}, {}),
  "a proxy that was revoked": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "a getter that throws": () => ({
    get data() {
      throw new RangeError("spoilt");
    },
  }),
  "a detached array": detached,
  "memory that is detached": () => detached().buffer,
  "a list of a symbol": () => [Symbol("x")],
  "a list of detached arrays": () => [detached(), detached()],
  "a list that says billions": () => new Array(2 ** 32 - 1),
  "what a page's engine made": () => page.scheme("rope", sizes),
  null: () => null,
};

const typed = (error) => {
  assert.equal(error.name, "WhereformerError", error.stack);
  assert.ok(!["internal", "disposed"].includes(error.code), `${error.code}: ${error.message}`);
};

for (const [what, make] of Object.entries(nothing)) {
  test(`${what} is refused with a typed error in every argument`, async () => {
    const calls = [
      (bad) => wf.scheme("rope", bad),
      (bad) => wf.scheme(bad, sizes),
      (bad) => wf.scheme("rope", { ...sizes, ropeTheta: bad }),
      (bad) => wf.attention({ ...sizes, scheme: bad ?? 1 }),
      (bad) => wf.matmul(bad, x),
      (bad) => wf.softmax({ data: bad, shape: [2, 5, 8] }),
      (bad) => scheme.rotate(x, bad ?? "x"),
      (bad) => attention.run({ q: x, k: x, v: bad }),
      (bad) => attention.run({ q: x, k: x, v: { data: bad, shape: [2, 5, 8] } }),
      (bad) => model.run(bad),
      (bad) => model.run([1], bad),
      (bad) => model.run([1], { surgery: [bad] }),
      (bad) => model.loss([1, 2], bad),
      (bad) => model.generate(bad).next(),
      (bad) => model.generate([1], bad).next(),
      (bad) => wf.model(bad),
      (bad) => wf.model({ config: bad, weights: new Uint8Array(9) }),
      (bad) => wf.model(config, bad),
      (bad) => wf.model(config, { tokenizer: bad ?? 1 }),
      (bad) => wf.trainer(bad),
      (bad) => wf.trainer({ config, task: bad }),
      (bad) => trainer.step(bad),
      (bad) => trainer.evaluate(bad),
      (bad) => trainer.evaluate({ lengths: bad ?? 1 }),
      (bad) => trainer.evaluate({ lengths: [bad] }),
      (bad) => trainer.evaluate({ seed: bad, sequences: 1 }),
      (bad) => model.embed(bad),
      (bad) => model.embed([bad]),
      (bad) => model.run([1], { attentionMask: bad }),
      (bad) => model.run([bad]),
      (bad) => wf.schemeFromConfig(bad),
      (bad) => load(bad).then((engine) => engine.dispose()),
    ];
    let refusals = 0;
    for (const call of calls) {
      // An object without properties counts as no options, whatever it is.
      const answer = Promise.resolve().then(() => call(make()));
      await answer.catch((error) => {
        typed(error);
        refusals++;
      });
    }
    assert.ok(refusals > 15, `${refusals} refusals`);
    assert.ok((await wf.memory()) > 0);
  });
}

test("a task is a signal and a callback; anything else is refused by name", async () => {
  const calls = [
    (task) => wf.memory(task),
    (task) => wf.matmul(x, x, {}, task),
    (task) => scheme.rotate(x, [1, 2, 3, 4, 5], task),
    (task) => model.run([1], {}, task),
    (task) => model.generate([1], task).next(),
    (task) => wf.model(config, task),
    (task) => trainer.step(1, task),
  ];
  for (const call of calls) {
    for (const signal of ["x", {}, 1, Object.create(AbortSignal.prototype)])
      await rejected(call({ signal }), "invalid_argument", /^signal: .* \(expected an AbortSignal/);
    await rejected(call({ signal: AbortSignal.abort() }), "aborted");
  }
  for (const call of [calls[0], calls[2], calls[3], calls[5], calls[6]])
    await rejected(call({ onProgress: 1 }), "invalid_argument", /^onProgress: 1/);
  await rejected(model.run([1], {}, null), "invalid_argument", /^task: null/);
  await rejected(model.run([1], {}, { signals: 1 }), "unknown_option", /signals/);
  await rejected(wf.model(config, null), "invalid_argument", /^options: null/);
  await rejected(model.generate([1], null).next(), "invalid_argument", /^options: null/);
});

test("an onProgress that throws rejects its call and cancels the work", () => {
  const script = `
    const { load } = await import(${entry});
    const wf = await load({ training: true });
    const config = ${JSON.stringify(config)};
    const task = { id: "copy" };
    const trainer = await wf.trainer({ config, task, length: 12, totalSteps: 100_000 });
    const onProgress = () => { throw new Error("spoilt"); };
    const step = () => trainer.step(100_000, { onProgress });
    const evaluate = () => trainer.evaluate({ lengths: [12, 13] }, { onProgress });
    for (const call of [step, evaluate])
      await call().catch((error) => console.log(error.code, error.message, error.cause.message));
    const [loss] = await trainer.step(1);
    console.log(Number.isFinite(loss), trainer.stepsDone < 100_000);
    wf.dispose();`;
  const said =
    "invalid_argument onProgress: threw Error: spoilt (expected a function that does not throw) " +
    "spoilt";
  assert.equal(inNode(script), `${said}\n${said}\ntrue true`);
});

test("holes of a list reach the worker, whose engine refuses them", async () => {
  await rejected(
    wf.model({ ...config, scheme: new Array(1) }),
    "invalid_argument",
    /^scheme: undefined/,
  );
  await rejected(
    wf.attention({ ...sizes, scheme: new Array(2) }),
    "invalid_argument",
    /^scheme\[0\]/,
  );
});
