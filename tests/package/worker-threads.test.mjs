// The engine with threads in a worker: its results, its fallback, and its end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadThreads } from "whereformer/threads";
import { load } from "whereformer/worker";

const config = {
  vocabSize: 300,
  hiddenSize: 192,
  numLayers: 2,
  numHeads: 4,
  intermediateSize: 500,
  scheme: "rope",
  seed: 3,
};
const ids = Array.from({ length: 200 }, (_, i) => (i * i + 3 * i) % 300);

test("a worker computes with threads, to the last bit what threads compute", async (context) => {
  const here = await loadThreads({ threads: 2 });
  context.after(() => here.dispose());
  const far = await load({ threads: 2 });
  context.after(() => far.dispose());
  assert.equal(far.threads, here.threads);
  const model = await far.model(config);
  const record = ["hidden"];
  const { hidden } = await model.run(ids, { record });
  assert.deepEqual(hidden, (await here.model(config)).run(ids, { record }).hidden);
  const written = [];
  for await (const { id } of model.generate(ids, { maxTokens: 3, temperature: 0 }))
    written.push(id);
  assert.equal(written.length, 3);
  // Training is part of this binary.
  const trainer = await far.trainer({ config: { ...config, vocabSize: 20 }, task: { id: "copy" } });
  assert.equal((await trainer.step(1)).length, 1);
});

test("one thread is the plain engine; numbers of threads are checked", async (context) => {
  const far = await load({ threads: 1 });
  context.after(() => far.dispose());
  assert.equal(far.threads, 1);
  for (const threads of [0, 17, 1.5, "2", null])
    await assert.rejects(load({ threads }), { code: "invalid_argument", message: /^threads: / });
  await assert.rejects(load({ threads: 2, variant: "simd" }), { message: /^variant: "simd" / });
});
