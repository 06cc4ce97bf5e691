import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { engines, near, refused, variants, wf } from "./golden.mjs";

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
    assert.ok(loss < guessing / 3, `on fresh sequences ${loss}`);
    trainer.dispose();
  });
}

describe("the other tasks", () => {
  test("induction is learnt better than by guessing", () => {
    const trainer = wf.trainer({ ...options, task: { id: "induction" }, length: 16 });
    const losses = trainer.step(200);
    assert.ok(mean(losses.slice(-10)) < mean(losses.slice(0, 10)) - 0.2);
  });

  test("a text that repeats is learnt, and read by loss()", () => {
    const ids = Uint16Array.from({ length: 600 }, (_, i) => (i * i) % 7);
    const trainer = wf.trainer({ ...options, task: { id: "language_model", ids } });
    const before = trainer.model().loss([...ids.slice(0, 40)]).mean;
    trainer.step(120);
    const after = trainer.model().loss([...ids.slice(0, 40)]).mean;
    assert.ok(after < before / 3, `${before} to ${after}`);
  });
});

test("a run is its seed", () => {
  const run = (seed) => wf.trainer({ ...options, seed }).step(5);
  assert.deepEqual(run(7), run(7));
  assert.notDeepEqual(run(7), run(8));
});

test("steps add up however they are asked for; evaluating does not disturb them", () => {
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

test("model() is a copy of the moment, and outlives the trainer", () => {
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

test("a trained model saves, loads and says the same", async () => {
  const trainer = wf.trainer(options);
  trainer.step(20);
  const model = trainer.model();
  const again = await wf.model({ config, weights: model.save() });
  assert.deepEqual(again.loss([1, 2, 3, 0, 1, 2, 3]), model.loss([1, 2, 3, 0, 1, 2, 3]));
});

test("what a task cannot do is refused with what it can", () => {
  refused(() => wf.trainer({ ...options, length: 1 }), "invalid_argument", /length is 1/);
  refused(
    () => wf.trainer({ ...options, config: { ...config, vocabSize: 2 } }),
    "invalid_argument",
    /vocab_size is 2/,
  );
  const ids = [1, 2, 3, 4];
  refused(
    () => wf.trainer({ ...options, task: { id: "language_model", ids } }),
    "invalid_argument",
    /length is 12/,
  );
  refused(
    () => wf.trainer({ ...options, task: { id: "language_model", ids: [12] } }),
    "invalid_argument",
    /task\.ids\[0\]/,
  );
});
