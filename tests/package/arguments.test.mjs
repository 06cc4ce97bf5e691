// Every check of an argument: what is wrong is named, and the engine goes on as before.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { load } from "../../dist/index.js";
import { near, refused, rejected, scattered, wf } from "./golden.mjs";

const sizes = { numHeads: 4, headDim: 8 };
const rope = wf.scheme("rope", sizes);
const alibi = wf.scheme("alibi", sizes);
const attention = wf.attention({ scheme: rope, isCausal: true });
const input = { q: scattered([4, 5, 8]), k: scattered([4, 5, 8], 2), v: scattered([4, 5, 8], 3) };
const expected = attention.run(input).output.data;
const config = {
  vocabSize: 16,
  hiddenSize: 8,
  numLayers: 1,
  numHeads: 2,
  intermediateSize: 8,
  scheme: "rope",
};
const model = await wf.model(config);
const task = { id: "copy" };
const invalid = "invalid_argument";

after(() => near(attention.run(input).output.data, expected, 0, "the engine after all that"));

/** Each line: what is done wrong, the code, and what the message must say. */
function refusals(title, lines) {
  describe(title, () => {
    for (const [action, code, message] of lines) {
      test(`${message}`, () => {
        refused(action, code, message);
        near(attention.run(input).output.data, expected, 0, "the engine afterwards");
      });
    }
  });
}

const numbers = [Number.NaN, Infinity, -1, 0, 1.5, 2 ** 40, "4", null, [4], true, 4n];
const show = (value) =>
  Array.isArray(value) ? "a list" : typeof value === "bigint" ? `${value}n` : String(value);

/** The same wrong numbers for every size. */
const wrongSizes = (name, use) =>
  numbers.map((value) => [
    () => use(value),
    invalid,
    new RegExp(`^${name}: .*; allowed is`),
    show(value),
  ]);

describe("sizes must be whole numbers from 1 on", () => {
  const places = {
    numHeads: (value) => wf.scheme("rope", { ...sizes, numHeads: value }),
    headDim: (value) => wf.scheme("rope", { ...sizes, headDim: value }),
    numKvHeads: (value) => wf.scheme("rope", { ...sizes, numKvHeads: value }),
    valueDim: (value) => wf.attention({ ...sizes, valueDim: value }),
    slidingWindow: (value) => wf.attention({ ...sizes, slidingWindow: value }),
    capacity: (value) => attention.cache({ capacity: value }),
    sequenceLength: (value) => rope.frequencies(value),
    maxTokens: (value) => model.generate([1], { maxTokens: value === null ? "x" : value }),
    n: (value) => wf.trainer({ config, task }).step(value),
    batchSize: (value) => wf.trainer({ config, task, batchSize: value === null ? "x" : value }),
    length: (value) => wf.trainer({ config, task, length: value === null ? "x" : value }),
    totalSteps: (value) => wf.trainer({ config, task, totalSteps: value === null ? "x" : value }),
    sequences: (value) =>
      wf.trainer({ config, task }).evaluate({ sequences: value === null ? "x" : value }),
  };
  for (const [name, use] of Object.entries(places)) {
    test(name, () => {
      for (const [action, code, message] of wrongSizes(name, use)) refused(action, code, message);
    });
  }
  for (const name of ["vocabSize", "hiddenSize", "numLayers", "numHeads", "intermediateSize"]) {
    test(`config.${name}`, async () => {
      for (const value of numbers)
        await rejected(wf.model({ ...config, [name]: value }), invalid, new RegExp(`^${name}: `));
    });
  }
});

describe("numbers must be finite and in range", () => {
  const places = {
    scale: (value) => wf.attention({ ...sizes, scale: value }),
    softcap: (value) => wf.attention({ ...sizes, softcap: value }),
    ropeTheta: (value) => wf.scheme("rope", { ...sizes, ropeTheta: value }),
    partialRotaryFactor: (value) => wf.scheme("rope", { ...sizes, partialRotaryFactor: value }),
    temperature: (value) => model.generate([1], { temperature: value }),
    topP: (value) => model.generate([1], { topP: value }),
    topK: (value) => model.generate([1], { topK: value }),
    seed: (value) => model.generate([1], { seed: value }),
    learningRate: (value) => wf.trainer({ config, task, learningRate: value }),
    weightDecay: (value) => wf.trainer({ config, task, weightDecay: value }),
    clipNorm: (value) => wf.trainer({ config, task, clipNorm: value }),
    warmupSteps: (value) => wf.trainer({ config, task, warmupSteps: value }),
  };
  for (const [name, use] of Object.entries(places)) {
    test(name, () => {
      for (const value of [Number.NaN, Infinity, -Infinity, -1, "1", [1], 4n])
        refused(() => use(value), invalid, new RegExp(`^${name}: `));
    });
  }
});

refusals("words and options", [
  [
    () => wf.scheme("ropes", sizes),
    "unknown_scheme",
    /^scheme: "ropes" is unknown; known are .*rope/,
  ],
  [() => wf.scheme(7, sizes), invalid, /^scheme: 7; allowed is a string/],
  [() => wf.scheme("rope"), invalid, /^options: undefined; allowed is an object/],
  [() => wf.scheme("rope", [8]), invalid, /^options: \[8\]; allowed is an object/],
  [
    () => wf.scheme("rope", { ...sizes, theta: 2 }),
    "unknown_option",
    /unknown option "theta"; known are .*ropeTheta/,
  ],
  [
    () => wf.scheme("nope", { ...sizes, ropeTheta: 2 }),
    "unknown_option",
    /unknown option "ropeTheta"/,
  ],
  [
    () => wf.scheme("rope", { ...sizes, interleaved: "no" }),
    invalid,
    /^interleaved: "no"; allowed is true or false/,
  ],
  [
    () => wf.scheme("rope", { ...sizes, interleaved: 1 }),
    invalid,
    /^interleaved: 1; allowed is true or false/,
  ],
  [
    () => wf.scheme("rope", { ...sizes, numKvHeads: 3 }),
    invalid,
    /^numKvHeads: 3; allowed is a divisor of numHeads, 4/,
  ],
  [
    () => wf.scheme("rope", { ...sizes, headDim: 7 }),
    invalid,
    /partialRotaryFactor: 1 of headDim 7/,
  ],
  [
    () => wf.scheme("rope", { ...sizes, ropeTheta: 1 }),
    invalid,
    /^ropeTheta: 1; allowed is a finite number from 1\.0001/,
  ],
  [
    () => wf.attention({ ...sizes, causal: true }),
    "unknown_option",
    /unknown option "causal"; known are .*isCausal/,
  ],
  [
    () => wf.attention({ ...sizes, isCausal: 1 }),
    invalid,
    /^isCausal: 1; allowed is true or false/,
  ],
  [() => wf.attention(), invalid, /^options: undefined/],
  [() => wf.attention({}), invalid, /^numHeads: undefined/],
  [() => wf.attention({ scheme: "rope" }), invalid, /^scheme: "rope"; allowed is what wf\.scheme/],
  [() => wf.attention({ scheme: [rope, 3] }), invalid, /^scheme\[1\]: 3/],
  [
    () => wf.attention({ scheme: rope, headDim: 4 }),
    invalid,
    /^headDim: 4; allowed is 8, as the scheme/,
  ],
  [
    () => wf.attention({ scheme: [rope, wf.scheme("alibi", { numHeads: 2, headDim: 8 })] }),
    invalid,
    /^numHeads: 4; allowed is 2/,
  ],
  [() => wf.attention({ scheme: [rope, rope, rope, rope, rope] }), invalid, /scheme: more than 4/],
  [() => wf.attention({ ...sizes, sinks: [1] }), invalid, /^sinks\.length: 1; allowed is 4/],
  [() => wf.attention({ ...sizes, sinks: [1, 2, 3, Number.NaN] }), invalid, /^sinks\[3\]: NaN/],
]);

const cut = { data: new Float32Array(39), shape: [1, 5, 8] };
const withQ = (q) => () => attention.run({ ...input, q });
refusals("tensors", [
  [() => attention.run(), invalid, /^input: undefined/],
  [
    () => attention.run({ ...input, queries: 1 }),
    "unknown_option",
    /unknown option "queries"; known are q, k, v/,
  ],
  [withQ(undefined), invalid, /^q: undefined; allowed is \{ data, shape \}/],
  [withQ([1, 2]), invalid, /^q: \[1, 2\]; allowed is \{ data, shape \}/],
  [
    withQ(cut),
    invalid,
    /^q\.shape: \[1, 5, 8\]; allowed is sizes whose product is the length of data, 39/,
  ],
  [
    withQ({ data: new Float64Array(160), shape: [4, 5, 8] }),
    invalid,
    /^q\.data: a Float64Array; allowed is a Float32Array/,
  ],
  [
    withQ({ data: input.q.data, shape: [160] }),
    invalid,
    /^q\.shape: \[160\]; allowed is \[H,T,D\] or \[B,H,T,D\]/,
  ],
  [withQ({ data: input.q.data, shape: [4, -5, -8] }), invalid, /^q\.shape\[1\]: -5/],
  [withQ({ data: input.q.data, shape: [4, 2.5, 16] }), invalid, /^q\.shape\[1\]: 2\.5/],
  [withQ({ data: input.q.data, shape: "4,5,8" }), invalid, /^q\.shape: "4,5,8"/],
  [
    withQ({ data: input.q.data, shape: [8, 5, 4] }),
    invalid,
    /^q\.shape: \[8, 5, 4\]; allowed is \[4,T,8\]/,
  ],
  [
    withQ({ data: input.q.data.map((x, i) => (i === 9 ? Number.NaN : x)), shape: [4, 5, 8] }),
    invalid,
    /^q\.data\[9\]: NaN/,
  ],
  [
    withQ({ data: [...input.q.data.slice(1), "0"], shape: [4, 5, 8] }),
    invalid,
    /^q\.data\[159\]: "0"/,
  ],
  [
    withQ({ data: [...input.q.data.slice(1), 1e300], shape: [4, 5, 8] }),
    invalid,
    /^q\.data\[159\]: 1e\+300/,
  ],
  [withQ({ data: [], shape: [0, 5, 8] }), invalid, /^q\.shape\[0\]: 0/],
  [
    withQ({ data: input.q.data, shape: [1, 4, 5, 8] }),
    invalid,
    /^k\.shape: \[4, 5, 8\]; allowed is \[B,K,S,D\]/,
  ],
  [
    () => attention.run({ ...input, v: scattered([4, 4, 8]) }),
    invalid,
    /^v\.shape: \[4, 4, 8\]; allowed is \[4,5,8\]/,
  ],
  [
    () => attention.run({ ...input, k: scattered([4, 5, 4]) }),
    invalid,
    /^k\.shape: \[4, 5, 4\]; allowed is \[4,S,8\]/,
  ],
  [
    () => rope.rotate(scattered([4, 5, 6])),
    invalid,
    /^x\.shape: \[4, 5, 6\]; allowed is \[H,T,8\]/,
  ],
  [() => rope.rotate(scattered([20, 8])), invalid, /^x\.shape: \[20, 8\]; allowed is \[H,T,D\]/],
]);

const run = (more) => () => attention.run({ ...input, ...more });
refusals("positions, masks, lengths", [
  [() => rope.rotate(input.q, [0, 1]), invalid, /^positions\.length: 2; allowed is 5/],
  [() => rope.rotate(input.q, [0, 1, 2, 3, 4.5]), invalid, /^positions\[4\]: 4\.5/],
  [() => rope.rotate(input.q, [0, 1, 2, 3, 2 ** 31]), invalid, /^positions\[4\]: 2147483648/],
  [() => rope.rotate(input.q, [0, 1, 2, 3, Number.NaN]), invalid, /^positions\[4\]: NaN/],
  [() => rope.rotate(input.q, [0, 1, 2, 3, undefined]), invalid, /^positions\[4\]: undefined/],
  [() => rope.rotate(input.q, "01234"), invalid, /^positions: "01234"/],
  [
    () => rope.rotate(input.q, { data: new Int32Array(10), shape: [2, 5] }),
    "unsupported",
    /^positions\.shape: \[2, 5\]/,
  ],
  [() => alibi.bias([], [1]), invalid, /^queryPositions\.length: 0/],
  [() => alibi.bias([1]), invalid, /^keyPositions: undefined/],
  [run({ positions: [1, 2] }), invalid, /^positions\.length: 2/],
  [run({ keyPositions: [1, 2] }), invalid, /^keyPositions\.length: 2/],
  [run({ segments: [0, 1] }), invalid, /^segments\.length: 2; allowed is 5/],
  [
    run({ segments: [0, 0, 0, 1, 1], queryOffset: 1 }),
    invalid,
    /^segments: .*only with queries that lie among the keys/,
  ],
  [run({ keyLengths: [6] }), invalid, /^keyLengths\[0\]: 6; allowed is an integer from 0 to 5/],
  [run({ keyLengths: [1, 2] }), invalid, /^keyLengths\.length: 2; allowed is 1/],
  [run({ queryOffset: 6 }), invalid, /^queryOffset: 6/],
  [run({ queryOffset: 0.5 }), invalid, /^queryOffset: 0\.5/],
  [run({ mask: [1] }), invalid, /^mask: \[1\]; allowed is \{ data/],
  [
    run({ mask: { data: [1], shape: [1] } }),
    invalid,
    /^mask\.data: \[1\]; allowed is a Uint8Array or a Float32Array/,
  ],
  [
    run({ mask: { data: new Uint8Array(4), shape: [4] } }),
    invalid,
    /^mask\.shape: \[4\]; allowed is one that stretches to \[1,4,5,5\]/,
  ],
  [run({ mask: { data: new Uint8Array(5), shape: [1, 1, 1, 1, 5] } }), invalid, /^mask\.shape/],
  [
    run({ mask: { data: Uint8Array.of(1, 1, 2, 1, 1), shape: [5] } }),
    invalid,
    /^mask\.data\[2\]: 2; allowed is 0 .* or 1/,
  ],
  [
    run({ mask: { data: Float32Array.of(0, 0, Number.NaN, 0, 0), shape: [5] } }),
    invalid,
    /^mask\.data\[2\]: NaN/,
  ],
  [run({ record: "weights" }), invalid, /^record: "weights"; allowed is a list of "weights"/],
  [run({ record: ["weight"] }), invalid, /^record\[0\]: "weight"; allowed is "weights", "logits"/],
  [
    run({ record: ["weights"], region: { head: [1] } }),
    "unknown_option",
    /unknown option "head"; known are layers, heads/,
  ],
  [
    run({ record: ["weights"], region: { heads: [4] } }),
    invalid,
    /^region\.heads\[0\]: 4; allowed is an integer from 0 to 3/,
  ],
  [
    run({ record: ["weights"], region: { rows: [3, 2] } }),
    invalid,
    /^region\.rows: \[3, 2\]; allowed is ascending/,
  ],
  [
    run({ record: ["weights"], region: { columns: [] } }),
    invalid,
    /^region\.columns: \[\]; allowed is at least one/,
  ],
  [run({ record: ["weights"], region: { layers: [0] } }), invalid, /^region\.layers/],
]);

const cache = attention.cache({ capacity: 6 });
const other = wf.attention({ scheme: rope });
refusals("caches", [
  [
    () => attention.cache({ room: 3 }),
    "unknown_option",
    /unknown option "room"; known are capacity/,
  ],
  [
    () => attention.decode({}, input),
    invalid,
    /^cache: an object; allowed is what attention\.cache/,
  ],
  [() => other.decode(cache, input), invalid, /^cache: made by another attention/],
  [
    () => attention.decode(cache, { ...input, mask: undefined, record: [] }),
    "unknown_option",
    /unknown option "mask"; known are q, k, v, positions/,
  ],
  [
    () => attention.decode(cache, { ...input, q: scattered([4, 3, 8]) }),
    invalid,
    /^q\.shape: \[4, 3, 8\]; allowed is \[H,T,D\] with T 5/,
  ],
  [() => cache.truncate(1), invalid, /^length: 1; allowed is an integer from 0 to 0/],
  [
    () => attention.decode(attention.cache({ capacity: 4 }), input),
    invalid,
    /cache: 5 more tokens after 0; allowed are 4/,
  ],
]);

refusals("models", [
  [
    () => model.run("text"),
    invalid,
    /^input: "text"; allowed is a list of token ids, since the model has no tokenizer/,
  ],
  [() => model.run([16]), invalid, /^input\[0\]: 16; allowed is an integer from 0 to 15/],
  [() => model.run([-1]), invalid, /^input\[0\]: -1/],
  [() => model.run([Number.NaN]), invalid, /^input\[0\]: NaN/],
  [() => model.run([]), invalid, /^input\.length: 0; allowed is 1 or more/],
  [
    () => model.run([1], { records: [] }),
    "unknown_option",
    /unknown option "records"; known are record, region, positions/,
  ],
  [() => model.run([1], { record: ["loss"] }), invalid, /^record\[0\]: "loss"; .*"hidden"/],
  [
    () => model.run([1], { record: ["weights"], region: { layers: [1] } }),
    invalid,
    /^region\.layers\[0\]: 1/,
  ],
  [() => model.run([1, 2], { positions: [0] }), invalid, /^positions\.length: 1; allowed is 2/],
  [() => model.loss([1]), invalid, /^ids\.length: 1; allowed is 2 or more/],
  [() => model.save({ dtype: "f8" }), invalid, /^dtype: "f8"; allowed is "f32", "f16"/],
  [() => model.generate([]), invalid, /^prompt\.length: 0/],
  [() => model.generate([1], { stopId: 16 }), invalid, /^stopId: 16/],
  [() => model.generate([1], { signal: 1 }), invalid, /^signal: 1; allowed is an AbortSignal/],
  [() => model.generate([1], { max: 1 }), "unknown_option", /unknown option "max"/],
]);

refusals("trainers", [
  [() => wf.trainer(), invalid, /^options: undefined/],
  [() => wf.trainer({ task }), invalid, /^config: undefined/],
  [() => wf.trainer({ config }), invalid, /^task: undefined/],
  [
    () => wf.trainer({ config, task: { id: "sort" } }),
    invalid,
    /^task\.id: "sort"; allowed is .*"copy"/,
  ],
  [
    () => wf.trainer({ config, task: { id: "copy", ids: [1] } }),
    "unknown_option",
    /unknown option "ids"; known are id/,
  ],
  [() => wf.trainer({ config, task: { id: "language_model" } }), invalid, /^task\.ids: undefined/],
  [() => wf.trainer({ config, task, steps: 3 }), "unknown_option", /unknown option "steps"/],
  [() => wf.trainer({ config, task }).evaluate({ lengths: [0] }), invalid, /^lengths\[0\]: 0/],
]);

test("configs of models", async () => {
  const wrong = [
    [{ ...config, layers: 2 }, "unknown_option", /unknown option "layers"; known are vocabSize/],
    [{ ...config, numHeads: 3 }, invalid, /^numHeads: 3; allowed is a divisor of hiddenSize, 8/],
    [
      { ...config, numKvHeads: 3, numHeads: 4 },
      invalid,
      /^numKvHeads: 3; allowed is a divisor of numHeads, 4/,
    ],
    [{ ...config, headDim: 0 }, invalid, /^headDim: 0/],
    [{ ...config, rmsNormEps: 0 }, invalid, /^rmsNormEps: 0/],
    [{ ...config, isCausal: "yes" }, invalid, /^isCausal: "yes"/],
    [{ ...config, seed: -1 }, invalid, /^seed: -1/],
    [{ ...config, scheme: "rop" }, "unknown_scheme", /"rop" is unknown/],
    [{ ...config, scheme: [] }, invalid, /^scheme: \[\]/],
    [
      { ...config, scheme: { id: "rope", option: {} } },
      "unknown_option",
      /unknown option "option"; known are id, options/,
    ],
    [
      { ...config, scheme: { id: "rope", options: { theta: 1 } } },
      "unknown_option",
      /unknown option "theta"; known are ropeTheta/,
    ],
    [
      { ...config, scheme: { id: "rope", options: { ropeTheta: "big" } } },
      invalid,
      /^ropeTheta: "big"/,
    ],
    [{ config }, invalid, /^weights: undefined; allowed is a URL, bytes, or a Blob/],
    [{ config, weights: 3 }, invalid, /^weights: 3/],
    [{ config, weight: 3 }, "unknown_option", /unknown option "weight"/],
    [7, invalid, /^source: 7/],
    ["not a url", invalid, /^source: "not a url"; allowed is a URL/],
  ];
  for (const [source, code, message] of wrong) await rejected(wf.model(source), code, message);
  await rejected(
    wf.model(config, { tokenizer: {} }),
    invalid,
    /^tokenizer: an object; allowed is an object with encode/,
  );
  await rejected(wf.model(config, { signals: 1 }), "unknown_option", /unknown option "signals"/);
});

test("config.json of others", () => {
  refused(() => wf.schemeFromConfig("x"), invalid, /^config: "x"/);
  refused(
    () => wf.schemeFromConfig({ num_attention_heads: 2, hidden_size: 8 }),
    "unsupported",
    /^config: an object; allowed is one that names its scheme/,
  );
  const yarn = {
    num_attention_heads: 2,
    hidden_size: 8,
    rope_theta: 1e4,
    rope_scaling: { type: "yarn", factor: 2 },
  };
  refused(
    () => wf.schemeFromConfig(yarn),
    "unsupported",
    /^config\.rope_type: "yarn"; allowed is "default"/,
  );
});

refusals("what a scheme has no hook for", [
  [() => alibi.rotate(input.q), "unsupported", /rotate: alibi has none/],
  [() => alibi.frequencies(), "unsupported", /frequencies: alibi has none/],
  [() => rope.bias([0], [0]), "unsupported", /bias: rope has none/],
]);

test("too much memory is a typed error, again and again, and takes nothing with it", () => {
  for (let i = 0; i < 3; i++) {
    refused(
      () => attention.cache({ capacity: 2 ** 30 }),
      "out_of_memory",
      /out of memory: 34359738368 numbers asked for/,
    );
    // 2 GiB of keys and values: each fits into an address, both do not fit into memory.
    refused(
      () => attention.cache({ capacity: 12_000_000 }),
      "out_of_memory",
      /out of memory: .* bytes asked for/,
    );
    const many = Int32Array.from({ length: 200_000 }, (_, place) => place);
    refused(() => alibi.bias(many, many), "out_of_memory");
    refused(() => model.generate([1], { maxTokens: 2 ** 31 - 1 }), "out_of_memory");
    refused(
      () =>
        wf.trainer({
          config: { ...config, vocabSize: 2 ** 20, hiddenSize: 2 ** 14, headDim: 8 },
          task,
        }),
      "out_of_memory",
    );
  }
  near(attention.run(input).output.data, expected, 0, "the engine afterwards");
});

test("what was disposed of says so; disposing twice does nothing", async () => {
  const scheme = wf.scheme("rope", sizes);
  const using = wf.attention({ scheme, isCausal: true });
  scheme.dispose();
  scheme.dispose();
  refused(() => scheme.rotate(input.q), "disposed", /the scheme was disposed of/);
  refused(() => wf.attention({ scheme }), "disposed");
  near(
    using.run(input).output.data.slice(0, 8),
    input.v.data.slice(0, 8),
    1e-6,
    "attention keeps its scheme alive",
  );
  const kept = using.cache({ capacity: 5 });
  using[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
  refused(() => using.run(input), "disposed", /the attention was disposed of/);
  kept.dispose();
  refused(() => kept.length, "disposed", /the cache was disposed of/);
  const gone = await wf.model(config);
  gone.dispose();
  refused(() => gone.run([1]), "disposed", /the model was disposed of/);
  const trainer = wf.trainer({ config, task });
  trainer.dispose();
  refused(() => trainer.step(), "disposed", /the trainer was disposed of/);
});

test("disposing gives the memory back", async () => {
  const before = wf.memory();
  for (let i = 0; i < 40; i++) attention.cache({ capacity: 200_000 }).dispose();
  const grown = wf.memory() - before;
  assert.ok(grown < 3 * 200_000 * 4 * 8 * 4 * 2, `${grown} bytes for forty caches, one at a time`);
});

test("objects of one engine are refused by another", async () => {
  const { readFileSync } = await import("node:fs");
  const another = await load({
    wasm: readFileSync(new URL("../../dist/simd.wasm", import.meta.url)),
  });
  refused(
    () => another.attention({ scheme: rope }),
    invalid,
    /^scheme: an object; allowed is a scheme of the same engine/,
  );
  const foreign = another.attention(sizes);
  refused(
    () => foreign.decode(cache, input),
    invalid,
    /^cache: an object; allowed is a cache of the same engine/,
  );
});

test("whatever comes in, what comes out is a typed error or a result", () => {
  const anything = fc.anything({
    withBigInt: true,
    withTypedArray: true,
    withSparseArray: true,
    withMap: true,
  });
  const attempts = [
    (x, y) => wf.scheme(x, y),
    (x) => wf.scheme("rope", { ...sizes, ropeTheta: x }),
    (x) => wf.attention(x),
    (x, y) => rope.rotate(x, y),
    (x, y) => rope.rotate({ data: x, shape: y }),
    (x, y) => alibi.bias(x, y),
    (x) => attention.run({ ...input, q: x }),
    (x) => attention.run({ ...input, mask: x }),
    (x) => attention.run({ ...input, record: x, region: x }),
    (x) => attention.run({ ...input, segments: x, keyLengths: x, queryOffset: x }),
    (x, y) => model.run(x, y),
    (x, y) => model.generate(x, y),
    (x) => wf.trainer(x),
    (x) => wf.trainer({ config: x, task }),
    (x) => wf.schemeFromConfig(x),
  ];
  fc.assert(
    fc.property(fc.nat({ max: attempts.length - 1 }), anything, anything, (which, x, y) => {
      try {
        attempts[which](x, y);
      } catch (error) {
        assert.equal(error.name, "WhereformerError", String(error?.stack));
        assert.notEqual(error.code, "internal", error.message);
      }
    }),
    { numRuns: process.env.WF_LONG ? 50_000 : 3_000, seed: process.env.WF_LONG ? undefined : 1 },
  );
});
