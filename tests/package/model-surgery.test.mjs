// Surgery on models (ablations, other schemes, moved tokens), compared with models made that way.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { Tokenizer } from "@huggingface/tokenizers";
import { load } from "../../dist/worker.js";
import { engines, near, refused, variants, wf } from "./golden.mjs";

const config = {
  vocabSize: 32,
  hiddenSize: 32,
  numLayers: 3,
  numHeads: 4,
  numKvHeads: 2,
  intermediateSize: 24,
  initializerRange: 0.3,
  seed: 4,
};
const ids = Array.from({ length: 20 }, (_, i) => (i * 7 + 3) % 32);
const record = ["weights", "logits", "terms", "vocabularyLogits"];

const at = (tensor, ...place) =>
  tensor.data[place.reduce((sum, index, axis) => sum * tensor.shape[axis] + index, 0)];

/** Softmax over the keys up to the query. */
function softmax(logits) {
  const most = Math.max(...logits);
  const all = logits.map((x) => Math.exp(x - most));
  const total = all.reduce((sum, x) => sum + x, 0);
  return all.map((x) => x / total);
}

for (const variant of variants) {
  describe(variant, () => {
    const terms = {
      rope: "rotation",
      alibi: "distance",
      t5: "bucket",
      kerple: "kernel",
      shaw: "relativeKey",
      cope: "contextual",
      forget_gate: "forgetting",
      conditioned_bias: "conditioned",
      transformer_xl: "distanceBias",
      deberta: "positionToContent",
    };
    for (const [scheme, term] of Object.entries(terms)) {
      test(`${scheme} without ${term}: weights are the softmax of the other terms`, async () => {
        const model = await engines[variant].model({ ...config, scheme });
        const whole = model.run(ids, { record });
        const surgery = { heads: [1, 3], zero: [term] };
        const cut = model.run(ids, { record, surgery });
        const others = Object.keys(whole.terms).filter((name) => name !== term);
        for (const head of [0, 1, 2, 3])
          for (const row of [0, 7, 19]) {
            const names = head % 2 ? others : [...others, term];
            const expected = softmax(
              Array.from({ length: row + 1 }, (_, key) =>
                names.reduce((sum, name) => sum + at(whole.terms[name], 0, head, row, key), 0),
              ),
            );
            const found = expected.map((_, key) => at(cut.weights, 0, head, row, key));
            near(found, expected, 3e-6, `head ${head}, row ${row}`);
            if (head % 2) assert.equal(at(cut.terms[term], 0, head, row, 0), 0);
          }
        assert.notDeepEqual(cut.vocabularyLogits.data, whole.vocabularyLogits.data);
        assert.deepEqual(model.run(ids, { record }), whole);
      });
    }

    test("rope without its rotation equals the same model without a scheme", async () => {
      const rope = await engines[variant].model({ ...config, scheme: "rope" });
      const nope = await engines[variant].model({ ...config, scheme: "nope" });
      const logits = (model, surgery) =>
        model.run(ids, { record: ["vocabularyLogits"], surgery }).vocabularyLogits.data;
      near(logits(rope, { zero: ["rotation"] }), logits(nope), 1e-4);
      assert.deepEqual(logits(rope, { scheme: "nope" }), logits(nope));
      assert.deepEqual(logits(rope, { scheme: [] }), logits(nope));
      // Freezing all pairs, also by a list, is the same surgery.
      near(logits(rope, { freezePairs: [0, 1, 2, 3] }), logits(nope), 1e-4);
      near(logits(rope, [{ freezePairs: [0, 1] }, { freezePairs: [2, 3] }]), logits(nope), 1e-4);
    });

    test("an ablated pair removes its share of the logit", async () => {
      const model = await engines[variant].model({ ...config, scheme: "rope" });
      const options = { record: ["logits", "pairs"], region: { layers: [0] } };
      const whole = model.run(ids, options);
      const cut = model.run(ids, { ...options, surgery: { layers: [0], dropPairs: [1, 3] } });
      for (const [row, key] of [
        [5, 2],
        [19, 0],
      ]) {
        const share = (pair) => at(whole.pairs, 0, 2, row, key, pair);
        near(
          [at(cut.logits, 0, 2, row, key)],
          [at(whole.logits, 0, 2, row, key) - share(1) - share(3)],
          1e-5,
        );
        assert.equal(at(cut.pairs, 0, 2, row, key, 1), 0);
        assert.equal(at(cut.pairs, 0, 2, row, key, 2), share(2));
      }
    });

    test("other options of a scheme equal a model made with them", async () => {
      const same = async (id, options, own = {}) => {
        const scheme = { id, options: own };
        const sizes = { ...config, numKvHeads: 4 };
        const model = await engines[variant].model({ ...sizes, scheme });
        const other = await engines[variant].model({
          ...sizes,
          scheme: { id, options: { ...own, ...options } },
        });
        const spec = { id, options: { ...own, ...options } };
        assert.deepEqual(model.loss(ids, { surgery: { scheme: spec } }), other.loss(ids));
        assert.notEqual(model.loss(ids).mean, other.loss(ids).mean);
        // In one layer only: a model of two layer types, with the same weights under the same
        // names.
        const mixed = await engines[variant].model({
          ...sizes,
          layerTypes: ["a", "b", "a"],
          layers: { a: { scheme }, b: { scheme: spec } },
        });
        assert.deepEqual(
          model.loss(ids, { surgery: { layers: [1], scheme: spec } }),
          mixed.loss(ids),
        );
      };
      await same("rope", { ropeTheta: 30 });
      await same("alibi", { biasMax: 2 });
      await same("mla", { ropeTheta: 30 }, { ropeHeadDim: 4 });
    });

    test("a replaced scheme keeps trained weights, and gets initial ones otherwise", async () => {
      const t5 = await engines[variant].model({ ...config, scheme: "t5" });
      const back = [{ scheme: "rope" }, { scheme: "t5" }];
      assert.deepEqual(t5.loss(ids, { surgery: back }), t5.loss(ids));
      const rope = await engines[variant].model({ ...config, scheme: "rope" });
      const shaw = await engines[variant].model({ ...config, scheme: "shaw" });
      assert.deepEqual(rope.loss(ids, { surgery: { scheme: "shaw" } }), shaw.loss(ids));
      const stacked = { scheme: ["rope", "alibi"] };
      const cut = { ...stacked, zero: ["distance"] };
      near([rope.loss(ids, { surgery: cut }).mean], [rope.loss(ids).mean], 1e-5);
    });

    test("loss uses positions: shifting all changes nothing, moving one does", async () => {
      const positions = ids.map((_, i) => i);
      for (const scheme of ["rope", "alibi", "t5", "shaw", "fire"]) {
        const model = await engines[variant].model({ ...config, scheme });
        const { mean } = model.loss(ids);
        assert.equal(model.loss(ids, { positions }).mean, mean);
        const shifted = positions.map((position) => position + 40);
        near([model.loss(ids, { positions: shifted }).mean], [mean], 2e-5, scheme);
        const one = positions.map((position) => (position === 6 ? 5 : position));
        assert.ok(Math.abs(model.loss(ids, { positions: one }).mean - mean) > 1e-4, scheme);
        const last = [...positions.slice(0, -1), 500];
        assert.equal(model.loss(ids, { positions: last }).mean, mean);
      }
      const grid = await engines[variant].model({ ...config, scheme: "rope_2d" });
      const cells = {
        data: [...ids.map((_, i) => i >> 2), ...ids.map((_, i) => i & 3)],
        shape: [2, 20],
      };
      const read = grid.run(ids.slice(0, -1), {
        record: ["vocabularyLogits"],
        positions: {
          data: [...ids.slice(1).map((_, i) => i >> 2), ...ids.slice(1).map((_, i) => i & 3)],
          shape: [2, 19],
        },
      }).vocabularyLogits;
      const nats = ids.slice(1).map((target, t) => {
        const row = Array.from(read.data.slice(t * 32, (t + 1) * 32));
        return -Math.log(softmax(row)[target]);
      });
      near(grid.loss(ids, { positions: cells }).perToken, nats, 1e-4);
    });
  });
}

const rope = await wf.model({ ...config, numKvHeads: 4, scheme: "rope" });
const alibi = await wf.model({ ...config, scheme: "alibi" });
const table = await wf.model({ ...config, scheme: "sinusoidal" });
const refusals = [
  [
    rope,
    { zero: ["distance"] },
    "invalid_argument",
    /^surgery\.zero\[0\]: "distance" \(expected one of "content", "rotation"\)$/,
  ],
  [
    alibi,
    [{}, { zero: ["rotation"] }],
    "invalid_argument",
    /^surgery\[1\]\.zero\[0\]: "rotation" \(expected one of "content", "distance"\)$/,
  ],
  [
    alibi,
    { zero: [""] },
    "invalid_argument",
    /^surgery\.zero\[0\]: "" \(expected one of "content", "distance"\)$/,
  ],
  [
    rope,
    { zero: "rotation" },
    "invalid_argument",
    /^surgery\.zero: "rotation" \(expected a list of terms\)$/,
  ],
  [
    rope,
    { layers: [3] },
    "invalid_argument",
    /^surgery\.layers\[0\]: 3 \(expected an integer from 0 to 2\)$/,
  ],
  [
    rope,
    { heads: [2, 1] },
    "invalid_argument",
    /^surgery\.heads: \[2, 1\] \(expected distinct indices in ascending order\)$/,
  ],
  [
    rope,
    { dropPairs: [4] },
    "invalid_argument",
    /^surgery\.dropPairs\[0\]: 4 \(expected an integer from 0 to 3\)$/,
  ],
  [
    alibi,
    { dropPairs: [2] },
    "invalid_argument",
    /^surgery: pair 2 of layer 0 \(expected a pair below 0, .*\)$/,
  ],
  [
    rope,
    { heads: [0], scheme: "alibi" },
    "invalid_argument",
    /^surgery\.heads: \[0\] \(expected undefined with scheme/,
  ],
  [rope, { scheme: "rop" }, "unknown_scheme", /^scheme: "rop" \(expected one of /],
  [
    rope,
    { scheme: { id: "rope", options: { ropeThet: 1 } } },
    "unknown_option",
    /surgery\.scheme\.options/,
  ],
  [rope, { term: "rotation" }, "unknown_option", /^surgery: unknown option "term"/],
  [
    rope,
    { scheme: "mla" },
    "unsupported",
    /kv_a_proj_with_mqa\.weight, which the model has not trained$/,
  ],
  [
    rope,
    { layers: [1], scheme: "sinusoidal" },
    "unsupported",
    /^surgery\.scheme: "sinusoidal" \(expected a scheme for all layers/,
  ],
  [
    table,
    { layers: [1], scheme: "rope" },
    "unsupported",
    /^surgery\.scheme: "rope" \(expected a scheme for all layers/,
  ],
];
test("impossible surgery is refused, and the message lists what is possible", () => {
  for (const [model, surgery, code, message] of refusals)
    for (const call of [() => model.run(ids, { surgery }), () => model.loss(ids, { surgery })])
      refused(call, code, message);
  refused(
    () => rope.loss(ids, { positions: [1, 2] }),
    "invalid_argument",
    /^positions\.length: 2 \(expected 20/,
  );
  refused(() => rope.loss(ids, { position: [1] }), "unknown_option", /position/);
});

const inWorker = await load({ variant: "simd" });
after(() => inWorker.dispose());

test("surgery in a worker gives the same", async () => {
  const model = await inWorker.model({ ...config, numKvHeads: 4, scheme: "rope" });
  const options = {
    surgery: [
      { layers: [0, 2], heads: [1], zero: ["rotation"], dropPairs: [0] },
      { layers: [1], scheme: "alibi" },
    ],
    positions: ids.map((_, i) => i * 2),
  };
  const record = ["weights", "terms"];
  assert.deepEqual(
    await model.run(ids, { ...options, record }),
    rope.run(ids, { ...options, record }),
  );
  assert.deepEqual(await model.loss(ids, options), rope.loss(ids, options));
  assert.deepEqual(await model.loss(ids), rope.loss(ids));
  await assert.rejects(model.loss(ids, { surgery: { zero: ["distance"] } }), {
    code: "invalid_argument",
  });
});

test("the trained rotary model is worse without its rotation, and with another base", async () => {
  const models = new URL("../../models/", import.meta.url);
  const text = (name) => readFileSync(new URL(name, models), "utf8");
  const tokenizer = new Tokenizer(JSON.parse(text("tokenizer.json")), {});
  const { ids: held } = tokenizer.encode(text("heldout/en.txt").slice(0, 1200));
  const read = held.slice(0, 129);
  const model = await wf.model({
    config: JSON.parse(text("rope/config.json")),
    weights: readFileSync(new URL("rope/model.safetensors", models)),
  });
  const loss = (surgery, positions) => model.loss(read, { surgery, positions }).mean;
  const whole = loss();
  assert.ok(loss({ zero: ["rotation"] }) > whole + 0.5);
  assert.ok(loss({ zero: ["content"] }) > whole + 0.5);
  assert.ok(loss({ scheme: { id: "rope", options: { ropeTheta: 10 } } }) > whole + 0.05);
  assert.ok(loss({ layers: [0], freezePairs: [0, 1, 2, 3] }) > whole);
  const doubled = read.map((_, i) => i * 3);
  assert.ok(loss(undefined, doubled) > whole + 0.05);
});
