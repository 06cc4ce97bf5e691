// Each scheme of the registry in a model, through the package: terms, decoding, training, saving.

import assert from "node:assert/strict";
import { test } from "node:test";
import { near, wf } from "./golden.mjs";
import "./with-training.mjs";

const ids = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];
const configOf = (scheme) => ({
  vocabSize: 12,
  hiddenSize: 16,
  numLayers: 2,
  numHeads: 2,
  intermediateSize: 24,
  scheme,
});

for (const { id, claims } of wf.schemes) {
  test(`${id}: the terms of every logit sum to it`, async () => {
    const model = await wf.model(configOf(id));
    const { logits, terms } = model.run(ids, { record: ["logits", "terms"] });
    const sum = logits.data.map((_, i) =>
      Object.values(terms).reduce((total, term) => total + term.data[i], 0),
    );
    near(sum, logits.data, 2e-5, "sum of terms");
    model.dispose();
  });

  test(`${id}: decoding token by token equals a prefill, or is refused`, async () => {
    const model = await wf.model(configOf(id));
    if (!claims.decodes) {
      assert.throws(() => model.generate(ids), { code: "unsupported", message: RegExp(id) });
      model.dispose();
      return;
    }
    const generated = [];
    for await (const { id: token } of model.generate(ids, { maxTokens: 4, temperature: 0 }))
      generated.push(token);
    const read = [...ids];
    for (const token of generated) {
      const { vocabularyLogits } = model.run(read, { record: ["vocabularyLogits"] });
      const last = vocabularyLogits.data.subarray(-12);
      near([last[token]], [Math.max(...last)], 1e-5, "the likeliest token");
      read.push(token);
    }
    assert.equal(generated.length, 4);
    model.dispose();
  });

  test(`${id}: training lowers the loss, and saved weights load again`, async () => {
    const trainer = wf.trainer({
      config: configOf(id),
      task: { id: "language_model", ids: Array.from({ length: 400 }, (_, i) => (i * i) % 7) },
      batchSize: 8,
      length: 16,
      totalSteps: 60,
      learningRate: 1e-2,
      seed: 1,
    });
    const losses = trainer.step(60);
    assert.ok(losses[59] < 0.7 * losses[0], `${losses[0]} to ${losses[59]}`);
    const model = trainer.model();
    const again = await wf.model({ config: configOf(id), weights: model.save() });
    assert.equal(again.loss(ids).mean, model.loss(ids).mean);
    for (const handle of [trainer, model, again]) handle.dispose();
  });
}
