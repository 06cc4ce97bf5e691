// Which keys a query may attend to (windows, chunks, prefixes, two sequences), and the weights that
// schemes train outside of a model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { near, refused, scattered, wf } from "./golden.mjs";

const sizes = { numHeads: 4, headDim: 8 };
const rows = (queries, keys = queries) => ({
  q: scattered([4, queries, 8], 1),
  k: scattered([4, keys, 8], 2),
  v: scattered([4, keys, 8], 3),
});

/** Asserts which keys a query may attend to, by the weights of every head. */
function sees(options, input, expected) {
  const { weights } = wf.attention({ ...sizes, ...options }).run({ ...input, record: ["weights"] });
  const [, queries, keys] = weights.shape;
  weights.data.forEach((weight, i) => {
    const key = i % keys;
    const query = Math.floor(i / keys) % queries;
    assert.equal(weight > 0, expected(query, key), `query ${query}, key ${key}`);
  });
}

test("a window counts the query itself, or only the keys before it", () => {
  for (const slidingWindow of [4, { before: 3 }]) {
    sees({ slidingWindow, isCausal: true }, rows(12), (q, k) => k <= q && q - k <= 3);
    sees({ slidingWindow }, rows(12), (q, k) => Math.abs(q - k) <= 3);
  }
  sees({ slidingWindow: { before: 0 } }, rows(5), (q, k) => q === k);
  // The largest window hides nothing.
  sees({ slidingWindow: 2 ** 31 - 1 }, rows(5), () => true);
  const bad = (slidingWindow) => () => wf.attention({ ...sizes, slidingWindow });
  refused(bad(0), "invalid_argument", /^slidingWindow: 0/);
  refused(bad({ before: -1 }), "invalid_argument", /^slidingWindow\.before: -1/);
  refused(bad({ after: 1 }), "unknown_option", /after/);
});

test("chunks and prefixes hide keys by index", () => {
  const chunk = (i) => Math.floor(i / 5);
  sees({ chunkSize: 5, isCausal: true }, rows(12), (q, k) => k <= q && chunk(q) === chunk(k));
  sees({ isCausal: true }, { ...rows(12), prefixLength: 4 }, (q, k) => k <= q || k < 4);
  refused(() => wf.attention({ ...sizes, chunkSize: 0 }), "invalid_argument", /^chunkSize: 0/);
  const attention = wf.attention({ ...sizes, isCausal: true });
  refused(
    () => attention.run({ ...rows(3), prefixLength: 4 }),
    "invalid_argument",
    /^prefixLength/,
  );
});

test("decoding with sinks, a softcap and a chunk equals the run, row by row", () => {
  for (const more of [{ sinks: [0.5, -1, 2, 0] }, { softcap: 3 }, { chunkSize: 4 }]) {
    const options = { scheme: wf.scheme("rope", sizes), isCausal: true, ...more };
    const attention = wf.attention(options);
    const whole = attention.run(rows(10)).output;
    const cache = attention.cache({ capacity: 10 });
    let done = 0;
    for (const count of [1, 6, 3]) {
      const part = ({ data }) => ({
        data: Float32Array.from({ length: 4 * count * 8 }, (_, i) => {
          const head = Math.floor(i / (count * 8));
          return data[head * 80 + done * 8 + (i % (count * 8))];
        }),
        shape: [4, count, 8],
      });
      const { q, k, v } = rows(10);
      const step = attention.decode(cache, { q: part(q), k: part(k), v: part(v) }).output;
      near(step.data, part(whole).data, 1e-6);
      done += count;
    }
  }
});

/** `count` positions from `first` on, along each axis of a scheme. */
const along = (axes, first, count) => ({
  data: Array.from({ length: axes * count }, (_, i) => first + (i % count)),
  shape: [axes, count],
});

for (const { id, crossAttention, hooks, positionAxes } of wf.schemes) {
  test(`${id}: across two sequences ${crossAttention}`, () => {
    const axes = positionAxes === 2 ? 2 : 1;
    const input = {
      ...rows(5, 7),
      positions: along(axes, 3, 5),
      keyPositions: along(axes, 0, 7),
    };
    const scheme = () => wf.scheme(id, sizes);
    const run = (options) => wf.attention(options).run(input).output.data;
    const crossing = wf.attention({ scheme: scheme(), isCross: true });
    if (crossAttention === "refused") {
      refused(() => crossing.run(input), "unsupported", new RegExp(id));
      return;
    }
    const ours = crossing.run(input).output.data;
    if (crossAttention === "positions") near(ours, run({ scheme: scheme() }), 0);
    else if (!hooks.includes("scale")) near(ours, run(sizes), 0);
    refused(
      () =>
        crossing.decode(crossing.cache({ capacity: 8 }), {
          ...rows(2),
          positions: along(axes, 0, 2),
        }),
      "unsupported",
    );
  });
}

test("T5 between two sequences has no bias, and still no factor 1/sqrt(d)", () => {
  const scheme = wf.scheme("t5", { ...sizes, parameters: 3 });
  const crossed = wf.attention({ scheme, isCross: true }).run(rows(5, 7)).output.data;
  near(crossed, wf.attention({ ...sizes, scale: 1 }).run(rows(5, 7)).output.data, 1e-6);
});

/** Returns a tensor from the bytes of a safetensors file. */
function stored(bytes, name) {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const [from, to] = header[name].data_offsets;
  return new Float32Array(bytes.slice(8 + length + from, 8 + length + to).buffer);
}

test("a scheme's weights begin as in a model with the same seed, and can be given", async () => {
  const model = await wf.model({
    vocabSize: 8,
    hiddenSize: 32,
    numLayers: 1,
    numHeads: 4,
    intermediateSize: 8,
    scheme: "t5",
    seed: 7,
  });
  const table = stored(model.save(), "model.position.t5.relative_attention_bias");
  const parametersOf = (parameters) => wf.scheme("t5", { ...sizes, parameters }).parameters();
  const { relative_attention_bias: initial } = parametersOf(7);
  assert.deepEqual(initial.data, table);
  assert.notDeepEqual(parametersOf(8).relative_attention_bias.data, table);
  assert.deepEqual(parametersOf(0), parametersOf(undefined));

  const given = { ...initial, data: initial.data.map((_, i) => i / 16) };
  const scheme = wf.scheme("t5", { ...sizes, parameters: { relative_attention_bias: given } });
  assert.deepEqual(scheme.parameters(), { relative_attention_bias: given });
  // Distances 0 to -3 have separate buckets; [buckets, heads].
  const buckets = given.shape.indexOf(4) === 1 ? (b, h) => b * 4 + h : (b, h) => h * 32 + b;
  const bias = scheme.bias([3], [3, 2, 1, 0]);
  bias.data.forEach((value, i) => {
    near([value], [given.data[buckets(i % 4, Math.floor(i / 4))]], 0);
  });
  const attention = wf.attention({ scheme, isCausal: true });
  const { terms } = attention.run({ ...rows(4), record: ["terms"] });
  near(
    Object.values(terms)[1].data.slice(12, 16),
    scheme.bias([3], [0, 1, 2, 3]).data.slice(0, 4),
    0,
  );
  assert.deepEqual(wf.scheme("alibi", sizes).parameters(), {});
});

test("parameters with unknown names or wrong shapes are refused by name", () => {
  const bad = (parameters) => () => wf.scheme("t5", { ...sizes, parameters });
  const two = { data: [1, 2], shape: [2] };
  refused(bad({ slopes: two }), "unknown_option", /slopes.*relative_attention_bias/);
  refused(
    bad({ relative_attention_bias: two }),
    "invalid_argument",
    /relative_attention_bias\.shape/,
  );
  refused(bad("fresh"), "invalid_argument", /^parameters/);
  refused(bad(-1), "invalid_argument", /-1/);
});

test("16,384 tokens with a bias run without an array of 16,384 by 16,384", () => {
  const count = 16384;
  const x = scattered([1, count, 4]);
  const attention = wf.attention({
    scheme: wf.scheme("alibi", { numHeads: 1, headDim: 4 }),
    isCausal: true,
  });
  const before = wf.memory();
  const { output } = attention.run({ q: x, k: x, v: x });
  assert.ok(output.data.every(Number.isFinite));
  const grown = wf.memory() - before;
  assert.ok(grown < 2 ** 24, `${grown} bytes more; an array would need ${4 * count * count}`);
  // The last row, computed by hand: slope 2^-8 for a single head.
  const last = count - 1;
  const logits = Float64Array.from({ length: count }, (_, j) => {
    let product = 0;
    for (let c = 0; c < 4; c++) product += x.data[4 * last + c] * x.data[4 * j + c];
    return product / 2 - 2 ** -8 * (last - j);
  });
  const most = Math.max(...logits);
  const weights = logits.map((logit) => Math.exp(logit - most));
  const total = weights.reduce((a, b) => a + b);
  for (let c = 0; c < 4; c++) {
    const expected = weights.reduce((sum, w, j) => sum + (w / total) * x.data[4 * j + c], 0);
    near([output.data[4 * last + c]], [expected], 1e-5);
  }
});
