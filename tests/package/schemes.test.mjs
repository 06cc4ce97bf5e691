import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { engines, golden, near, scattered, variants, wf } from "./golden.mjs";
import { tensorOf } from "./safetensors.mjs";

test("descriptions have id, options, claims, hooks and terms, and cannot be changed", () => {
  const ids = wf.schemes.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const scheme of wf.schemes) {
    assert.match(scheme.id, /^[a-z][a-z0-9_]*$/);
    assert.ok(["none", "absolute", "relative", "rotary", "latent", "grid"].includes(scheme.family));
    assert.ok(scheme.year >= 2017);
    for (const claim of [
      "shiftInvariant",
      "extrapolatesByConstruction",
      "bidirectional",
      "decodes",
    ])
      assert.equal(typeof scheme.claims[claim], "boolean");
    for (const option of scheme.options) {
      const { key, kind, minimum, maximum } = option;
      assert.match(key, /^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)?$/);
      if (kind === "number" || kind === "integer")
        assert.ok(minimum <= option.default && option.default <= maximum);
      if (kind === "choice") assert.ok(option.choices.includes(option.default));
      if (kind === "boolean") assert.equal(typeof option.default, "boolean");
      if (kind === "list") assert.deepEqual(option.default, []);
    }
  }
  assert.throws(() => wf.schemes.push({}), TypeError);
  assert.throws(() => {
    wf.schemes[0].claims.decodes = 1;
  }, TypeError);
});

test("hooks are those that the classes override", () => {
  const hooks = Object.fromEntries(wf.schemes.map(({ id, hooks }) => [id, hooks]));
  assert.deepEqual(hooks.nope, ["transform"]); // its temperature hook has no effect by default
  assert.deepEqual(hooks.rope, ["transform", "parameters"]); // only with learnedFrequencies
  assert.deepEqual(hooks.alibi, ["distanceStrip"]);
  assert.deepEqual(hooks.shaw, ["bias", "parameters", "output"]);
});

test("a learned bias has initial values outside a model, the same for the same seed", () => {
  for (const id of ["t5", "kerple"]) {
    const bias = (parameters) =>
      wf.scheme(id, { numHeads: 2, headDim: 4, parameters }).bias([9], [0, 3, 8]).data;
    assert.ok(bias(1).some((value) => value !== 0));
    assert.deepEqual(bias(1), bias(1));
    assert.notDeepEqual(bias(1), bias(2));
  }
});

for (const variant of variants) {
  describe(variant, () => {
    const engine = engines[variant];

    test("rope rotates as Llama, GPT-J and GPT-NeoX do", () => {
      const { cases, tolerance } = golden("rope");
      for (const { source, options, headDim, positions, inverseFrequencies, x, rotated } of cases) {
        const rope = engine.scheme("rope", { numHeads: 1, headDim, ...options });
        near(
          rope.frequencies().inverseFrequencies,
          inverseFrequencies.data,
          tolerance.inverseFrequencies,
          source,
        );
        const turned = rope.rotate({ data: x.data, shape: [1, ...x.shape] }, positions);
        assert.deepEqual(turned.shape, [1, ...rotated.shape]);
        positions.forEach((position, row) => {
          const at = (data) => data.slice(row * headDim, (row + 1) * headDim);
          const allowed = tolerance.rotated + position * tolerance.rotatedPerPosition;
          near(at(turned.data), at(rotated.data), allowed, `${source} at ${position}`);
        });
        rope.dispose();
      }
    });

    test("alibi's biases equal BLOOM's and MPT's up to a constant in each row", () => {
      const { cases, tolerance } = golden("alibi");
      for (const { heads, slopes, bloomBias, mptBias } of cases) {
        const alibi = engine.scheme("alibi", { numHeads: heads, headDim: 4 });
        const bias = alibi.bias([5], [0, 1, 2, 3, 4, 5]);
        assert.deepEqual(bias.shape, [heads, 1, 6]);
        for (let head = 0; head < heads; head++) {
          const row = bias.data.slice(head * 6, head * 6 + 6);
          near(
            [row[5] - row[4]],
            [slopes.data[head]],
            tolerance.slopes + 1e-6,
            `slope ${head} of ${heads}`,
          );
          if (!bloomBias) continue;
          const there = (from) => from.data.slice(head * 6, head * 6 + 6);
          near(row, there(mptBias), tolerance.mptBias, "MPT");
          near(
            row,
            there(bloomBias).map((value) => value - there(bloomBias)[5]),
            1e-5,
            "BLOOM",
          );
        }
      }
    });
  });
}

test("alibi at large distances: positions may have gaps and be large", () => {
  const alibi = wf.scheme("alibi", { numHeads: 8, headDim: 4 });
  const { data } = alibi.bias([1_000_000, 3], [0, 999_999, 7]);
  near(data.slice(0, 3), [-500_000, -0.5, -499_996.5], 0.1);
  near(data.slice(3, 6), [-1.5, -499_998, -2], 0.1);
  const ends = [1 - 2 ** 30, 2 ** 30 - 1];
  near(alibi.bias(ends, ends).data.slice(0, 4), [0, -(2 ** 30), -(2 ** 30), 0], 64);
});

test("rotate keeps lengths and position 0, and uses positions 0, 1, … by default", () => {
  const rope = wf.scheme("rope", { numHeads: 2, headDim: 8 });
  const x = scattered([2, 5, 8]);
  const turned = rope.rotate(x);
  assert.deepEqual(turned.data, rope.rotate(x, [0, 1, 2, 3, 4]).data);
  near(turned.data.slice(0, 8), x.data.slice(0, 8), 0);
  const length = (data, row) => Math.hypot(...data.slice(row * 8, row * 8 + 8));
  for (let row = 0; row < 10; row++) near([length(turned.data, row)], [length(x.data, row)], 1e-6);
  assert.deepEqual(x.data, scattered([2, 5, 8]).data, "the argument was changed");
});

test("positions may be a list, an Int32Array or a tensor of one axis", () => {
  const rope = wf.scheme("rope", { numHeads: 1, headDim: 4 });
  const x = scattered([1, 3, 4]);
  const list = rope.rotate(x, [4, 9, 2]).data;
  assert.deepEqual(rope.rotate(x, Int32Array.of(4, 9, 2)).data, list);
  assert.deepEqual(rope.rotate(x, { data: [4, 9, 2], shape: [1, 3] }).data, list);
  assert.deepEqual(rope.rotate(x, { data: Int32Array.of(4, 9, 2), shape: [3] }).data, list);
});

test("options are returned completed by defaults", () => {
  const rope = wf.scheme("rope", { numHeads: 1, headDim: 4, ropeTheta: 500000 });
  const { ropeScaling, ...plain } = rope.options;
  assert.deepEqual(plain, {
    ropeTheta: 500000,
    interleaved: false,
    partialRotaryFactor: 1,
    maxPositionEmbeddings: 2048,
    learnedFrequencies: false,
    rotatedValues: false,
  });
  assert.equal(ropeScaling.ropeType, "default");
  assert.deepEqual(ropeScaling.shortFactor, []);
  assert.equal(
    rope.description,
    wf.schemes.find(({ id }) => id === "rope"),
  );
});

test("a scheme from config.json: v4 keys, v5 keys, this package's list, ALiBi by name", () => {
  const sizes = { num_attention_heads: 4, hidden_size: 32 };
  const v4 = wf.schemeFromConfig({ ...sizes, rope_theta: 500000, rope_scaling: null });
  assert.equal(v4.description.id, "rope");
  assert.equal(v4.options.ropeTheta, 500000);
  assert.equal(v4.rotate(scattered([4, 2, 8])).shape[2], 8);
  const v5 = wf.schemeFromConfig({
    ...sizes,
    head_dim: 16,
    rope_parameters: { rope_type: "default", rope_theta: 7, partial_rotary_factor: 0.5 },
  });
  assert.equal(v5.options.ropeTheta, 7);
  assert.equal(v5.options.partialRotaryFactor, 0.5);
  const own = wf.schemeFromConfig({ ...sizes, schemes: [{ id: "alibi", options: {} }] });
  assert.equal(own.description.id, "alibi");
  const mpt = wf.schemeFromConfig({ n_heads: 4, d_model: 32, attn_config: { alibi: true } });
  assert.equal(mpt.bias([0], [0]).shape[0], 4);
});

test("vectors that positions add to tokens: the formula's sines, an initial table", async () => {
  const sines = wf.scheme("sinusoidal", { numHeads: 1, headDim: 4, hiddenSize: 6 });
  const { data, shape } = sines.embeddings([0, 3, 1000]);
  assert.deepEqual(shape, [3, 6]);
  const expected = [0, 3, 1000].flatMap((position) =>
    [0, 1, 2].flatMap((pair) => {
      const angle = position * 10000 ** (-pair / 3);
      return [Math.sin(angle), Math.cos(angle)];
    }),
  );
  near(data, expected, 1e-6);
  assert.deepEqual(
    wf.scheme("sinusoidal", { numHeads: 2, headDim: 4 }).embeddings([1]).shape,
    [1, 8],
  );

  const sizes = { numHeads: 1, headDim: 4, hiddenSize: 6 };
  const table = wf.scheme("learned", { ...sizes, maxPositions: 5 });
  const model = await wf.model({
    vocabSize: 3,
    numLayers: 1,
    intermediateSize: 4,
    ...sizes,
    scheme: { id: "learned", options: { maxPositions: 5 } },
    seed: 7,
  });
  const saved = tensorOf(model.save(), "model.position.learned.embeddings");
  assert.deepEqual(saved.shape, [5, 6]);
  const rows = [4, 0, 2].flatMap((row) => [...saved.data.slice(row * 6, row * 6 + 6)]);
  assert.deepEqual([...table.embeddings([4, 0, 2], { seed: 7 }).data], rows);
  assert.notDeepEqual([...table.embeddings([4, 0, 2]).data], rows, "another seed has no effect");
  assert.throws(() => table.embeddings([5]), {
    code: "invalid_argument",
    message: /positions\[0\]: 5 /,
  });
  assert.throws(() => wf.scheme("rope", sizes).embeddings([0]), { code: "unsupported" });
});
