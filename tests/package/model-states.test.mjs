// Outputs of heads and the residual stream: recorded, replaced, and read by the logit lens.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { load } from "../../dist/worker.js";
import { familyFile, modelOf } from "./families.mjs";
import { engines, golden, near, nearTensor, refused, rejected, variants, wf } from "./golden.mjs";
import { safetensors } from "./safetensors.mjs";

const { config, weights } = golden("model_rope");
const states = golden("model_states");
const source = { config, weights: safetensors(weights) };
const ids = states.inputIds.data;
const otherIds = states.otherIds.data;
const logitsOf = (model, options, text = ids) =>
  model.run(text, { record: ["vocabularyLogits"], ...options }).vocabularyLogits;

/** A part of a tensor by its first indices. */
function part({ data, shape }, ...at) {
  const size = shape.slice(at.length).reduce((product, n) => product * n, 1);
  const first = at.reduce((index, n, axis) => index * shape[axis] + n, 0) * size;
  return { data: data.slice(first, first + size), shape: shape.slice(at.length) };
}
const rowsOf = ({ data, shape: [, width] }, rows) =>
  Float32Array.from(rows.flatMap((row) => [...data.slice(row * width, (row + 1) * width)]));

for (const variant of variants) {
  describe(variant, async () => {
    const model = await engines[variant].model(source);
    const record = ["residual", "headOutputs", "vocabularyLogits"];
    const plain = model.run(ids, { record });
    const other = model.run(otherIds, { record });

    test("states and the logit lens equal PyTorch's", () => {
      const { tolerance } = states;
      nearTensor(plain.residual, states.residual, tolerance.residual, "residual");
      nearTensor(plain.headOutputs, states.headOutputs, tolerance.headOutputs, "headOutputs");
      nearTensor(model.logitLens(plain.residual), states.lens, tolerance.lens, "lens");
    });

    test("logits without heads, and with states of another text, equal PyTorch's", () => {
      for (const { ablate, logits } of states.ablations)
        nearTensor(logitsOf(model, { ablate }), logits, states.tolerance.logits);
      for (const { patch, logits } of states.patches) {
        const { layer, head, rows } = patch;
        const from =
          head === undefined
            ? part(other.residual, layer + 1)
            : part(other.headOutputs, layer, head);
        const values = rows ? rowsOf(from, rows) : from;
        const found = logitsOf(model, { patch: { ...patch, values } });
        nearTensor(found, logits, states.tolerance.logits);
      }
    });

    test("the lens of the last layer is the model's logits, to the last bit", () => {
      const last = part(plain.residual, config.num_hidden_layers);
      assert.deepEqual(model.logitLens(last), plain.vocabularyLogits);
      assert.deepEqual(model.logitLens(last.data), plain.vocabularyLogits);
    });

    test("a run with its own states changes nothing; with another's stream it ends as that", () => {
      const patch = [-1, 0, 1].map((layer) => ({ layer, values: part(plain.residual, layer + 1) }));
      for (const layer of [0, 1])
        for (const head of [0, 1, 2, 3])
          patch.push({ layer, head, values: part(plain.headOutputs, layer, head).data });
      assert.deepEqual(model.run(ids, { record, patch }), plain);
      for (const layer of [-1, 0, 1]) {
        const values = part(other.residual, layer + 1);
        assert.deepEqual(logitsOf(model, { patch: { layer, values } }), other.vocabularyLogits);
      }
    });

    test("rows of a region shorten logits, hidden states, the stream and outputs of heads", () => {
      const names = [...record, "hidden"];
      const whole = model.run(ids, { record: names });
      const rows = [1, 4, 6];
      const some = model.run(ids, { record: names, region: { rows, layers: [1], heads: [0, 3] } });
      near(some.vocabularyLogits.data, rowsOf(whole.vocabularyLogits, rows), 1e-6);
      assert.deepEqual(some.vocabularyLogits.shape, [3, config.vocab_size]);
      assert.deepEqual(some.hidden.data, rowsOf(whole.hidden, rows));
      assert.deepEqual(some.hidden.shape, [3, config.hidden_size]);
      assert.deepEqual(some.residual.shape, [3, 3, config.hidden_size]);
      for (const index of [0, 1, 2])
        assert.deepEqual(
          part(some.residual, index).data,
          rowsOf(part(whole.residual, index), rows),
        );
      assert.deepEqual(some.headOutputs.shape, [1, 2, 3, config.head_dim]);
      assert.deepEqual(
        part(some.headOutputs, 0, 1).data,
        rowsOf(part(whole.headOutputs, 1, 3), rows),
      );
    });

    test("a loss with replaced heads and states is that of the run's logits", () => {
      const text = [...ids, 3];
      const values = part(other.residual, 1);
      for (const options of [
        { ablate: { with: "mean", heads: [2] } },
        {
          ablate: [
            { with: "zero", layers: [0] },
            { with: "mean", layers: [0], heads: [1] },
          ],
        },
        { patch: { layer: 0, values } },
        { patch: [{ layer: 0, rows: [3], values: rowsOf(values, [3]) }], ablate: { with: "zero" } },
      ]) {
        const { data } = logitsOf(model, options);
        const nats = text.slice(1).map((id, t) => {
          const row = data.slice(t * config.vocab_size, (t + 1) * config.vocab_size);
          const largest = Math.max(...row);
          const sum = row.reduce((total, x) => total + Math.exp(x - largest), 0);
          return Math.log(sum) + largest - row[id];
        });
        near(model.loss(text, options).perToken, nats, 1e-5);
      }
      assert.notEqual(model.loss(text).mean, model.loss(text, { ablate: { with: "zero" } }).mean);
    });
  });
}

test("later ablations override earlier ones; surgery and bent models are ablated too", async () => {
  const model = await wf.model(source);
  const zero = logitsOf(model, { ablate: { with: "zero" } });
  const both = [{ with: "mean" }, { with: "zero" }];
  assert.deepEqual(logitsOf(model, { ablate: both }), zero);
  assert.deepEqual(logitsOf(model, { ablate: [] }), logitsOf(model, {}));
  // Without any head, positions do not matter.
  assert.deepEqual(
    logitsOf(model, { ablate: { with: "zero" }, surgery: { scheme: "alibi" } }),
    zero,
  );
  const bent = model.bend({ ropeTheta: 50 });
  assert.deepEqual(logitsOf(bent, { ablate: { with: "zero" } }), zero);
  assert.notDeepEqual(logitsOf(bent, {}), logitsOf(model, {}));
  assert.equal(
    bent.loss(ids, { ablate: { with: "zero" } }).mean,
    model.loss(ids, { ablate: { with: "zero" } }).mean,
  );
});

test("the last stream of a model without a final norm is its hidden states", async () => {
  // Of BERT, whose hidden states are Transformers' own.
  const file = familyFile("bert");
  const model = await modelOf(wf, file);
  const { residual, hidden } = model.run(file.ids, { record: ["residual", "hidden"] });
  assert.deepEqual(part(residual, residual.shape[0] - 1), hidden);
  nearTensor(part(residual, residual.shape[0] - 1), file.result, 1e-4);
  refused(() => model.logitLens(residual), "unsupported", /no output head/);
});

test("padding is not part of a mean", async () => {
  const model = await wf.model(source);
  const attentionMask = [1, 1, 0, 1, 0, 1, 1];
  const options = { record: ["headOutputs"], attentionMask };
  const plain = part(model.run(ids, options).headOutputs, 1, 2).data;
  const { headOutputs } = model.run(ids, { ...options, ablate: { heads: [2], with: "mean" } });
  const first = part(model.run(ids, options).headOutputs, 0, 2).data;
  for (const [layer, before] of [[0, first]])
    for (let c = 0; c < config.head_dim; c++) {
      const column = attentionMask.flatMap((seen, t) => (seen ? [before[t * 4 + c]] : []));
      const mean = column.reduce((sum, x) => sum + x) / column.length;
      near([part(headOutputs, layer, 2).data[4 + c]], [mean], 1e-6);
    }
  assert.equal(plain.length, 28);
});

test("latent layers, and a model with an encoder, are changed in the same way", async () => {
  for (const name of ["youtu", "t5"]) {
    const file = familyFile(name);
    const model = await modelOf(wf, file);
    const decoderTokens = file.labels && { decoderTokens: file.labels };
    const record = ["residual", "headOutputs", "vocabularyLogits"];
    const plain = model.run(file.ids, { record, ...decoderTokens });
    const layers = plain.residual.shape[0] - 1;
    const patch = { layer: layers - 1, head: 1, values: part(plain.headOutputs, layers - 1, 1) };
    assert.deepEqual(model.run(file.ids, { record, patch, ...decoderTokens }), plain);
    const ablated = model.run(file.ids, { record, ablate: { with: "zero" }, ...decoderTokens });
    assert.ok(ablated.headOutputs.data.every((x) => x === 0));
    assert.notDeepEqual(ablated.vocabularyLogits, plain.vocabularyLogits);
    const last = part(plain.residual, layers);
    assert.deepEqual(model.logitLens(last), plain.vocabularyLogits);
    if (!file.labels) continue;
    const encoded = model.encode(file.ids, { record: ["hidden"], ablate: { with: "mean" } });
    assert.notDeepEqual(encoded.hidden, model.encode(file.ids, { record: ["hidden"] }).hidden);
  }
});

const model = await wf.model(source);
const numbers = new Float32Array(16);
const refusals = [
  [{ ablate: { with: "none" } }, /^ablate\.with: "none" \(expected one of "zero", "mean"\)$/],
  [{ ablate: {} }, /^ablate\.with: undefined \(expected one of/],
  [{ ablate: [{ with: "zero", layers: [2] }] }, /^ablate\[0\]\.layers\[0\]: 2 \(expected/],
  [{ ablate: { with: "zero", heads: [4] } }, /^ablate\.heads\[0\]: 4 \(expected/],
  [{ ablate: 3 }, /^ablate: 3 \(expected an object\)$/],
  [{ patch: { layer: 2, values: numbers } }, /^patch\.layer: 2 \(expected an integer from -1 to 1/],
  [{ patch: { layer: -1, head: 0, values: numbers } }, /^patch\.layer: -1 \(expected an integer/],
  [{ patch: { layer: 0, head: 4, values: numbers } }, /^patch\.head: 4 \(expected/],
  [{ patch: [{ layer: 0, rows: [7], values: numbers }] }, /^patch\[0\]\.rows\[0\]: 7 \(expected/],
  [{ patch: { layer: 0, values: numbers } }, /^patch\.values\.length: 16 \(expected 7 rows/],
  [{ patch: { layer: 0, values: new Float32Array(7) } }, /^patch\.values: /],
  [{ patch: { layer: 0, values: [NaN] } }, /^patch\.values\[0\]: NaN \(expected a finite/],
  [{ patch: { layer: 0, values: "x" } }, /^patch\.values: "x" \(expected/],
  [{ patch: { layer: 0 } }, /^patch\.values: undefined \(expected/],
];
test("wrong changes are refused by name", () => {
  for (const [options, message] of refusals) {
    refused(() => model.run(ids, options), "invalid_argument", message);
    refused(() => model.loss([...ids, 1], options), "invalid_argument", message);
  }
  refused(
    () => model.run(ids, { ablate: { how: 1 } }),
    "unknown_option",
    /^ablate: unknown option/,
  );
  refused(
    () => model.run(ids, { patch: { value: 1 } }),
    "unknown_option",
    /^patch: unknown option/,
  );
  refused(() => model.logitLens(new Float32Array(15)), "invalid_argument", /^residual/);
  refused(() => model.logitLens({ data: numbers, shape: [4, 4] }), "invalid_argument", /^residual/);
  refused(() => model.logitLens([1, 2]), "invalid_argument", /^residual/);
  refused(() => model.logitLens(new Float32Array(16).fill(NaN)), "invalid_argument", /^residual/);
});

const inWorker = await load({ variant: "simd" });
after(() => inWorker.dispose());

test("in a worker the results are the same", async () => {
  const remote = await inWorker.model(source);
  const { residual } = model.run(otherIds, { record: ["residual"] });
  const options = {
    record: ["residual", "headOutputs", "vocabularyLogits"],
    region: { rows: [0, 5] },
    ablate: [{ layers: [1], heads: [1], with: "mean" }],
    patch: { layer: 0, values: part(residual, 1) },
  };
  assert.deepEqual(await remote.run(ids, options), model.run(ids, options));
  const { ablate, patch } = options;
  assert.deepEqual(
    await remote.loss([...ids, 1], { ablate, patch }),
    model.loss([...ids, 1], { ablate, patch }),
  );
  assert.deepEqual(await remote.logitLens(residual), model.logitLens(residual));
  await rejected(remote.run(ids, { ablate: { with: 1 } }), "invalid_argument", /^ablate\.with/);
});
