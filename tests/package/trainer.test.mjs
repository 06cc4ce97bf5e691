import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { load } from "../../dist/index.js";
import { engines, near, refused, variants, wf } from "./golden.mjs";
import "./with-training.mjs";

const config = {
  vocabSize: 12,
  hiddenSize: 32,
  numLayers: 2,
  numHeads: 4,
  intermediateSize: 64,
  scheme: "rope",
};
const options = {
  config,
  task: { id: "copy" },
  length: 12,
  batchSize: 16,
  seed: 2,
  totalSteps: 200,
};
const guessing = Math.log(12);
const mean = (list) => list.reduce((a, b) => a + b) / list.length;

for (const variant of variants) {
  test(`${variant}: copying is learnt`, () => {
    const trainer = engines[variant].trainer(options);
    const losses = trainer.step(200);
    assert.equal(trainer.stepsDone, 200);
    near([losses[0]], [guessing], 0.3, "before training");
    assert.ok(mean(losses.slice(-10)) < guessing / 3, `at the end ${mean(losses.slice(-10))}`);
    const [{ length, loss }] = trainer.evaluate();
    assert.equal(length, 12);
    assert.ok(loss < guessing / 3, `on new sequences ${loss}`);
    trainer.dispose();
  });
}

describe("the other tasks", () => {
  test("induction is learnt better than by guessing", () => {
    const trainer = wf.trainer({ ...options, task: { id: "induction" }, length: 16 });
    const losses = trainer.step(200);
    assert.ok(mean(losses.slice(-10)) < mean(losses.slice(0, 10)) - 0.2);
  });

  test("a text that repeats is learnt, and scored by loss()", () => {
    const ids = Uint16Array.from({ length: 600 }, (_, i) => (i * i) % 7);
    const trainer = wf.trainer({ ...options, task: { id: "language_model", ids } });
    const before = trainer.model().loss([...ids.slice(0, 40)]).mean;
    trainer.step(120);
    const after = trainer.model().loss([...ids.slice(0, 40)]).mean;
    assert.ok(after < before / 3, `${before} to ${after}`);
  });
});

test("a run depends only on its seed", () => {
  const run = (seed) => wf.trainer({ ...options, seed }).step(5);
  assert.deepEqual(run(7), run(7));
  assert.notDeepEqual(run(7), run(8));
});

test("steps are the same in any portions, and evaluation does not change them", () => {
  const whole = wf.trainer(options).step(6);
  const trainer = wf.trainer(options);
  const pieces = [...trainer.step(), ...trainer.step(2)];
  const first = trainer.evaluate({ lengths: [12, 40], sequences: 4, seed: 3 });
  assert.deepEqual(trainer.evaluate({ lengths: [12, 40], sequences: 4, seed: 3 }), first);
  assert.deepEqual(
    first.map(({ length }) => length),
    [12, 40],
  );
  assert.notDeepEqual(
    trainer.evaluate({ lengths: [12], sequences: 4, seed: 4 })[0].loss,
    first[0].loss,
  );
  assert.deepEqual([...pieces, ...trainer.step(3)], [...whole]);
});

test("model() is a copy of the present weights, and outlives the trainer", () => {
  const trainer = wf.trainer(options);
  const model = trainer.model();
  const hidden = () => model.run([1, 2, 3], { record: ["hidden"] }).hidden.data;
  const before = hidden();
  trainer.step(3);
  assert.deepEqual(hidden(), before);
  assert.notDeepEqual(trainer.model().run([1, 2, 3], { record: ["hidden"] }).hidden.data, before);
  trainer.dispose();
  assert.deepEqual(hidden(), before);
});

test("a trained model gives the same after saving and loading", async () => {
  const trainer = wf.trainer(options);
  trainer.step(20);
  const model = trainer.model();
  const again = await wf.model({ config, weights: model.save() });
  assert.deepEqual(again.loss([1, 2, 3, 0, 1, 2, 3]), model.loss([1, 2, 3, 0, 1, 2, 3]));
});

test("impossible settings of a task are refused, with the possible ones", () => {
  refused(() => wf.trainer({ ...options, length: 1 }), "invalid_argument", /length: 1 /);
  refused(
    () => wf.trainer({ ...options, config: { ...config, vocabSize: 2 } }),
    "invalid_argument",
    /vocabSize: 2 /,
  );
  const ids = [1, 2, 3, 4];
  refused(
    () => wf.trainer({ ...options, task: { id: "language_model", ids } }),
    "invalid_argument",
    /length: 12/,
  );
  refused(
    () => wf.trainer({ ...options, task: { id: "language_model", ids: [12] } }),
    "invalid_argument",
    /task\.ids\[0\]/,
  );
});

describe("save and resume", () => {
  test("a resumed run equals the uninterrupted one to the last bit", () => {
    const whole = wf.trainer(options).step(9);
    const first = wf.trainer(options);
    first.step(4);
    const state = first.save();
    assert.ok(state instanceof Uint8Array);
    first.dispose();
    const second = wf.trainer({ ...options, resume: state });
    assert.equal(second.stepsDone, 4);
    assert.deepEqual([...second.step(5)], [...whole.slice(4)]);
    second.dispose();
  });

  test("bytes that are no saved trainer are refused, and leave no memory behind", () => {
    const trainer = wf.trainer(options);
    trainer.step();
    const state = trainer.save();
    const other = { ...options, config: { ...config, numLayers: 1 } };
    const resume = (bytes, which = options) => wf.trainer({ ...which, resume: bytes });
    refused(() => resume(state, other), "malformed_file", /another size/);
    refused(() => resume(state.slice(0, 100)), "malformed_file");
    refused(() => resume(trainer.model().save()), "malformed_file", /a tensor is missing/);
    refused(() => resume(new Uint8Array(0)), "malformed_file");
    refused(() => resume([1, 2, 3]), "invalid_argument", /resume: .* \(expected a Uint8Array/);
    assert.equal(trainer.stepsDone, 1);
  });
});

describe("memory", () => {
  const tiny = {
    config: {
      ...config,
      vocabSize: 5,
      hiddenSize: 8,
      numLayers: 1,
      numHeads: 1,
      intermediateSize: 8,
    },
    task: { id: "copy" },
    length: 4,
    batchSize: 1,
  };

  test("memory does not grow over 10,000 steps", () => {
    const trainer = wf.trainer(tiny);
    trainer.step(100);
    const [held, memory] = [trainer.memoryBytes, wf.memory()];
    trainer.step(9900);
    assert.equal(trainer.stepsDone, 10_000);
    assert.equal(trainer.memoryBytes, held);
    assert.equal(wf.memory(), memory);
  });

  test("a trainer reports its memory: at least four times the weights and activations", () => {
    const trainer = wf.trainer(options);
    trainer.step();
    const weights = 4 * trainer.model().parameterCount;
    assert.ok(trainer.memoryBytes > 4 * weights, `${trainer.memoryBytes}`);
    assert.ok(trainer.memoryBytes < 4 * weights + 4e6, `${trainer.memoryBytes}`);
    const larger = wf.trainer({ ...options, batchSize: 64 });
    larger.step();
    assert.ok(larger.memoryBytes > trainer.memoryBytes);
  });

  for (const [name, setting, most] of [
    ["batch", { batchSize: 65_536, length: 256 }, 65_536],
    ["length", { batchSize: 1, length: 2 ** 20 }, 2 ** 20],
  ])
    test(`too large a ${name} is refused with the largest that fits`, async () => {
      // A separate engine, whose memory is released with it.
      const wasm = readFileSync(new URL("../../dist/simd.wasm", import.meta.url));
      const own = await load({ variant: "simd", wasm, training: true });
      const ask = (more) => own.trainer({ ...tiny, config, ...setting, ...more });
      const { message } = refused(() => ask({}), "out_of_memory");
      const [, fits] = /expected at most (\d+), for/.exec(message) ?? [];
      assert.ok(Number(fits) > 0 && Number(fits) < most, message);
      const key = name === "batch" ? "batchSize" : name;
      refused(() => ask({ [key]: Number(fits) + 1 }), "out_of_memory");
      const trainer = ask({ [key]: Number(fits) });
      assert.ok(trainer.memoryBytes > 0.8 * 2 ** 30 && trainer.memoryBytes <= 2 ** 30, message);
    });
});

const fifty = JSON.parse(
  readFileSync(new URL("../reference/fifty_losses.json", import.meta.url), "utf8"),
);
for (const variant of variants)
  for (const [scheme, losses] of Object.entries(fifty.losses))
    test(`${variant}, ${scheme}: the first 50 losses equal the native build's`, (context) => {
      const { tolerance, task, config: sizes, seed, about: _about, losses: _all, ...rest } = fifty;
      const trainer = engines[variant].trainer({
        ...rest,
        config: { ...sizes, scheme, seed },
        task: { id: task },
        seed,
      });
      const off = trainer.step(50).map((loss, step) => Math.abs(loss - losses[step]));
      trainer.dispose();
      context.diagnostic(`off by at most ${Math.max(...off)} nats`);
      assert.ok(Math.max(...off) <= tolerance, `${Math.max(...off)}`);
    });

describe("training from a model's weights", () => {
  test("begins with equal weights, learns, and does not change the model", async () => {
    const text = { ...options, totalSteps: 100, task: { id: "copy" } };
    const first = wf.trainer(text);
    first.step(100);
    const model = first.model();
    const weights = model.save();
    const further = wf.trainer({ ...text, config: undefined, model, learningRate: 1e-3 });
    assert.equal(further.stepsDone, 0);
    assert.deepEqual(further.model().save(), weights);
    assert.deepEqual(further.model().config, model.config);
    const [before] = first.evaluate();
    assert.deepEqual(further.evaluate()[0], before);
    const losses = further.step(100);
    assert.ok(mean(losses.slice(-10)) < before.loss * 0.8, `${before.loss} to ${losses.at(-1)}`);
    assert.deepEqual(model.save(), weights);
    assert.notDeepEqual(further.model().save(), weights);
  });

  test("weights of schemes are copied, those of the model and of its layers", async () => {
    const layers = { a: { scheme: ["t5", "learned"] }, b: { scheme: "shaw" } };
    const model = await wf.model({
      ...config,
      scheme: undefined,
      layerTypes: ["a", "b"],
      layers,
      seed: 4,
    });
    const further = wf.trainer({ model, task: { id: "copy" }, length: 8 });
    assert.deepEqual(further.model().save(), model.save());
    further.step(2);
  });

  test("a model that cannot be trained is refused", async () => {
    const model = await wf.model(config);
    const task = { id: "copy" };
    refused(() => wf.trainer({ model: {}, task }), "invalid_argument", /^model: an object/);
    refused(
      () => wf.trainer({ model, config, task }),
      "invalid_argument",
      /^config: .*undefined with model/,
    );
    const small = await wf.model(config, { dtype: "int8" });
    refused(() => wf.trainer({ model: small, task }), "unsupported", /"f32"/);
    model.dispose();
    refused(() => wf.trainer({ model, task }), "disposed", /the model was disposed/);
  });
});
