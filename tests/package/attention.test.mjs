import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { engines, golden, near, nearTensor, scattered, variants, wf } from "./golden.mjs";

const cases = readdirSync(new URL("../golden/", import.meta.url))
  .filter((name) => name.startsWith("attention_"))
  .map((name) => name.replace(/\.json$/, ""));

/** Converts a golden case to arguments of wf.attention and of run. */
function split({ options, q, k, v, allowed, bias }) {
  const { queryOffset, segments, keyLengths, mask, ...own } = options;
  const given = Object.entries({ queryOffset, segments, keyLengths }).filter(
    ([, value]) => value !== undefined,
  );
  const masks = {
    allowed: () => ({ data: Uint8Array.from(allowed.data), shape: allowed.shape }),
    bias: () => ({ data: Float32Array.from(bias.data), shape: bias.shape }),
  };
  return {
    config: { numHeads: q.shape[0], headDim: q.shape[2], valueDim: v.shape[2], ...own },
    input: { q, k, v, ...Object.fromEntries(given), ...(mask ? { mask: masks[mask]() } : {}) },
  };
}

for (const variant of variants) {
  describe(variant, () => {
    for (const name of cases) {
      test(`${name} equals PyTorch`, () => {
        const file = golden(name);
        const { config, input } = split(file);
        const attention = engines[variant].attention(config);
        const result = attention.run({ ...input, record: ["weights"] });
        nearTensor(result.output, file.output, file.tolerance.output, "output");
        nearTensor(result.weights, file.weights, file.tolerance.weights, "weights");
      });
    }
  });
}

const sizes = { numHeads: 4, headDim: 8, numKvHeads: 2 };
const tokens = (n, seed = 1) => ({
  q: scattered([4, n, 8], seed),
  k: scattered([2, n, 8], seed + 1),
  v: scattered([2, n, 8], seed + 2),
});
const stacks = {
  nope: () => wf.scheme("nope", sizes),
  rope: () => wf.scheme("rope", sizes),
  alibi: () => wf.scheme("alibi", sizes),
  "rope and alibi": () => [wf.scheme("rope", sizes), wf.scheme("alibi", sizes)],
};

for (const [name, make] of Object.entries(stacks)) {
  test(`${name}: the terms sum to the logit, the pairs to q·k`, () => {
    const attention = wf.attention({ scheme: make(), isCausal: true });
    const record = ["weights", "logits", "maskedLogits", "terms", "pairs"];
    const { logits, maskedLogits, terms, pairs, weights } = attention.run({ ...tokens(7), record });
    assert.ok(terms.content);
    const sum = logits.data.map((_, i) =>
      Object.values(terms).reduce((total, term) => total + term.data[i], 0),
    );
    near(sum, logits.data, 2e-6, "logit");
    for (let cell = 0; cell < logits.data.length; cell++) {
      const column = cell % 7;
      const row = Math.floor(cell / 7) % 7;
      assert.equal(maskedLogits.data[cell], column > row ? -Infinity : logits.data[cell]);
    }
    for (let row = 0; row < 28; row++) {
      const of = (data) => data.slice(row * 7, row * 7 + 7);
      near([of(weights.data).reduce((a, b) => a + b)], [1], 1e-6, "row of weights");
    }
    if (!pairs) return assert.ok(!("rotation" in terms));
    assert.deepEqual(pairs.shape, [4, 7, 7, 4]);
    const product = terms.content.data.map((content, i) => content + terms.rotation.data[i]);
    const shares = product.map((_, i) =>
      pairs.data.slice(i * 4, i * 4 + 4).reduce((a, b) => a + b),
    );
    near(shares, product, 2e-6, "pairs");
  });

  test(`${name}: decoding in any pieces equals one run`, () => {
    const attention = wf.attention({ scheme: make(), isCausal: true });
    const input = tokens(9);
    const whole = attention.run(input).output;
    const rows = ({ data, shape: [heads, all, width] }, from, to) => ({
      data: Float32Array.from(
        Array.from({ length: heads }, (_, h) => [
          ...data.slice((h * all + from) * width, (h * all + to) * width),
        ]).flat(),
      ),
      shape: [heads, to - from, width],
    });
    for (const pieces of [[9], [1, 1, 1, 1, 1, 1, 1, 1, 1], [4, 5], [1, 7, 1]]) {
      const cache = attention.cache({ capacity: 9 });
      let from = 0;
      for (const piece of pieces) {
        const part = Object.fromEntries(
          Object.entries(input).map(([key, x]) => [key, rows(x, from, from + piece)]),
        );
        const { output } = attention.decode(cache, part);
        nearTensor(output, rows(whole, from, from + piece), 2e-6, `${pieces}`);
        from += piece;
      }
      assert.equal(cache.length, 9);
    }
  });
}

test("a region is a part of the whole record", () => {
  const attention = wf.attention({ scheme: stacks["rope and alibi"]() });
  const record = ["weights", "terms"];
  const whole = attention.run({ ...tokens(6), record });
  const region = { heads: [1, 3], rows: [0, 5], columns: [2, 3, 4] };
  const part = attention.run({ ...tokens(6), record, region });
  assert.deepEqual(part.weights.shape, [2, 2, 3]);
  const pick = ({ data }) =>
    region.heads.flatMap((h) =>
      region.rows.flatMap((t) => region.columns.map((s) => data[(h * 6 + t) * 6 + s])),
    );
  near(part.weights.data, pick(whole.weights), 0);
  for (const name of Object.keys(whole.terms))
    near(part.terms[name].data, pick(whole.terms[name]), 0, name);
});

test("a batch is its entries, each with its own length and mask", () => {
  const attention = wf.attention({ scheme: stacks.rope(), isCausal: true });
  const entries = [tokens(5, 10), tokens(5, 20), tokens(5, 30)];
  const together = (key) => ({
    data: Float32Array.from(entries.flatMap((entry) => [...entry[key].data])),
    shape: [3, ...entries[0][key].shape],
  });
  const batch = { q: together("q"), k: together("k"), v: together("v") };
  const keyLengths = [5, 2, 4];
  const result = attention.run({
    ...batch,
    keyLengths,
    queryOffset: 0,
    record: ["weights", "terms"],
  });
  assert.deepEqual(result.output.shape, [3, 4, 5, 8]);
  assert.deepEqual(result.terms.content.shape, [3, 4, 5, 5]);
  entries.forEach((entry, i) => {
    const alone = attention.run({
      ...entry,
      keyLengths: [keyLengths[i]],
      queryOffset: 0,
      record: ["weights"],
    });
    const size = alone.output.data.length;
    near(result.output.data.slice(i * size, (i + 1) * size), alone.output.data, 0, `entry ${i}`);
  });
});

test("a row without visible keys gives zeros", () => {
  const attention = wf.attention(sizes);
  const mask = { data: new Uint8Array(6).fill(1), shape: [6, 1] };
  mask.data[2] = 0;
  const { output } = attention.run({ ...tokens(6), mask });
  for (let head = 0; head < 4; head++) {
    const row = (t) => output.data.slice((head * 6 + t) * 8, (head * 6 + t + 1) * 8);
    assert.ok(row(2).every((value) => value === 0));
    assert.ok(row(3).some((value) => value !== 0));
  }
});

test("softcap bounds the logits; sinks take weight from all keys", () => {
  const loud = {
    ...tokens(6),
    q: { ...scattered([4, 6, 8]), data: scattered([4, 6, 8]).data.map((x) => x * 100) },
  };
  const plain = wf.attention(sizes).run({ ...loud, record: ["logits", "maskedLogits"] });
  const capped = wf
    .attention({ ...sizes, softcap: 5 })
    .run({ ...loud, record: ["logits", "maskedLogits"] });
  near(capped.logits.data, plain.logits.data, 0);
  near(
    capped.maskedLogits.data,
    plain.logits.data.map((x) => 5 * Math.tanh(x / 5)),
    1e-5,
  );
  const sinks = [0, 1, -1, 30];
  const { weights, nobody } = wf
    .attention({ ...sizes, sinks })
    .run({ ...tokens(6), record: ["weights", "logits", "nobody"] });
  assert.deepEqual(nobody.shape, [4, 6]);
  const { logits } = wf.attention(sizes).run({ ...tokens(6), record: ["logits"] });
  for (let row = 0; row < 24; row++) {
    const scores = [...logits.data.slice(row * 6, row * 6 + 6)].map(Math.exp);
    const total = scores.reduce((a, b) => a + b) + Math.exp(sinks[Math.floor(row / 6)]);
    near(
      weights.data.slice(row * 6, row * 6 + 6),
      scores.map((score) => score / total),
      1e-6,
    );
    near([nobody.data[row]], [Math.exp(sinks[Math.floor(row / 6)]) / total], 1e-6);
  }
});

test("a cache can be truncated and cloned", () => {
  const attention = wf.attention({ scheme: stacks.rope() });
  const cache = attention.cache({ capacity: 8 });
  const first = attention.decode(cache, tokens(4, 1)).output.data;
  const copy = cache.clone();
  assert.deepEqual([copy.length, copy.capacity], [4, 8]);
  attention.decode(cache, tokens(4, 50));
  assert.deepEqual([cache.length, copy.length], [8, 4]);
  cache.truncate(0);
  near(attention.decode(cache, tokens(4, 1)).output.data, first, 0);
  const next = tokens(2, 70);
  near(attention.decode(copy, next).output.data, attention.decode(cache, next).output.data, 0);
});

test("results are copies that outlive the growth of memory and the next call", () => {
  const attention = wf.attention(sizes);
  const { output } = attention.run(tokens(5));
  const before = Float32Array.from(output.data);
  const before_memory = wf.memory();
  const cache = attention.cache({ capacity: 500_000 });
  assert.ok(wf.memory() > before_memory);
  cache.dispose();
  attention.run(tokens(5, 99));
  assert.deepEqual(output.data, before);
});
