// wf.scheme("formula", …) where schemes work: options, errors, models, training, files, workers.
// tests/package/formulas.test.mjs compares formulas with the built-in schemes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../dist/index.js";
import { load as loadThreads } from "../../dist/threads.js";
import { load as loadWorker } from "../../dist/worker.js";
import { scattered } from "./scattered.mjs";

const wf = await load({ variant: "simd", training: true });
const sizes = { numHeads: 2, headDim: 8 };
const refused = (options, message, code = "invalid_argument") =>
  assert.throws(() => wf.scheme("formula", { ...sizes, ...options }), { code, message });

const inputs = (count) => ({
  q: scattered([2, count, 8], 1),
  k: scattered([2, count, 8], 2),
  v: scattered([2, count, 8], 3),
});
const attend = (scheme, count = 12, more = {}) =>
  wf.attention({ scheme, isCausal: true }).run({ ...inputs(count), ...more });

test("a scheme of formulas is no scheme of the list, and describes itself by its options", () => {
  assert.ok(wf.schemes.every(({ id }) => id !== "formula"));
  const scheme = wf.scheme("formula", {
    ...sizes,
    terms: { near: "-abs(r)", far: "-0.01 * i * j" },
    frequency: "1 / (k + 1)",
  });
  const { id, terms, claims, hooks, positionAxes } = scheme.description;
  assert.equal(id, "formula");
  assert.deepEqual(terms, ["transform", "near", "far"]);
  assert.equal(claims.shiftInvariant, false);
  assert.deepEqual(hooks, ["transform", "bias"]);
  assert.equal(positionAxes, 1);
  assert.equal(
    wf.scheme("formula", { ...sizes, bias: "-abs(r)" }).description.claims.shiftInvariant,
    true,
  );
  assert.equal(wf.scheme("formula", { ...sizes, bias: "-abs(r.x)" }).description.positionAxes, 2);
});

test("options come back as they were given", () => {
  const options = {
    bias: "-a[h] * abs(r) + t[h, bucket(r, 8, 32)] + w",
    terms: { other: "b / (1 + abs(r))" },
    pairing: "interleaved",
    frequency: "w2[k]",
    parameters: {
      a: { shape: ["H"], initial: "2^-(h+1)", positive: true },
      t: { shape: ["H", 8], initial: 0 },
      w: { initial: 0.5, trained: false },
      b: { initial: 1e-3 },
      w2: { shape: ["D/2"], initial: [1, 0.5, 0.25, 0.125] },
    },
  };
  const scheme = wf.scheme("formula", { ...sizes, ...options });
  assert.deepEqual(scheme.options, options);
  const { a, t, w, b, w2 } = scheme.parameters();
  assert.deepEqual([...a.data], [0.5, 0.25]);
  assert.deepEqual(t.shape, [2, 8]);
  assert.deepEqual([w.data[0], b.data[0]], [0.5, Math.fround(1e-3)]);
  assert.deepEqual([...w2.data], [1, 0.5, 0.25, 0.125]);
  const again = wf.scheme("formula", { ...sizes, ...scheme.options });
  assert.deepEqual(attend(again).output, attend(scheme).output);
});

test("a short form declares one trained number", () => {
  const scheme = wf.scheme("formula", { ...sizes, bias: "-a * abs(r)", parameters: { a: 0.25 } });
  assert.deepEqual(scheme.options.parameters, { a: { initial: 0.25 } });
  assert.deepEqual([...scheme.parameters().a.data], [0.25]);
});

test("messages point at the character, and suggest a name", () => {
  refused(
    { bias: "abss(r)" },
    'bias, character 1: "abss" (expected a function; did you mean abs?)',
  );
  refused(
    { bias: "-slop * r", parameters: { slope: 1 } },
    'bias, character 2: "slop" (expected a known name; did you mean slope?)',
  );
  refused(
    { terms: { far: "1 +" } },
    'terms.far, character 4: end of formula (expected a number, a name or "(")',
  );
  refused(
    { bias: "1", parameters: { a: { shape: ["H"], initial: "2^q" } } },
    'parameters.a.initial, character 3: "q" (expected a known name)',
  );
  refused({ angle: "j" }, 'angle, character 1: "j" (expected a name that has a value here)');
  refused({ bias: "s[1]" }, 'bias, character 2: "[" (expected an operator or the end)');
});

test("the details of an error say where in the text it is", () => {
  assert.throws(() => wf.scheme("formula", { ...sizes, bias: "-abss(r)" }), {
    details: {
      argument: "bias",
      character: 2,
      value: '"abss"',
      allowed: "a function; did you mean abs?",
    },
  });
  const scheme = wf.scheme("formula", { ...sizes, bias: "log(4 + r)" });
  assert.throws(() => attend(scheme), {
    details: {
      argument: "bias",
      character: 1,
      value: "log(-1) at i = 5, j = 0, h = 0",
      allowed: "a number or -inf",
    },
  });
});

test("options of other kinds are refused by name", () => {
  refused({ bias: true }, "bias: true (expected a formula)");
  refused({ bias: "1", terms: ["a"] }, 'terms: ["a"] (expected an object)');
  refused({ terms: { "a:b": "1" } }, /terms: "a:b" \(expected names/);
  refused({ terms: { content: "1" } }, /terms: "content" \(expected different names/);
  refused({ parameters: { "a b": 1 } }, /parameters: "a b" \(expected names/);
  refused({ parameters: { a: { initial: "1; b" } } }, /parameters\.a\.initial/);
  refused({ parameters: { a: { shape: 3 } } }, "parameters.a.shape: 3 (expected a list of sizes)");
  refused({ parameters: { a: { shap: [3] } } }, /unknown option "shap"/, "unknown_option");
  refused({ parameters: { a: { shape: [2], initial: [1, 2, 3] } } }, /parameters\.a\.initial|3/);
  refused({ parameters: { a: { initial: [Number.NaN] } } }, /parameters\.a\.initial\[0\]: NaN/);
  refused({ slope: 3 }, /unknown option "slope"/, "unknown_option");
});

test("a formula without a number where it is needed is refused, with the operands", () => {
  const scheme = wf.scheme("formula", { ...sizes, bias: "log(4 + r)" });
  assert.throws(() => attend(scheme), {
    code: "invalid_argument",
    message: "bias, character 1: log(-1) at i = 5, j = 0, h = 0 (expected a number or -inf)",
  });
  attend(scheme, 5);
  const added = wf.scheme("formula", { ...sizes, add: "sqrt(3 - i)" });
  added.embeddings([0, 3]);
  assert.throws(() => added.embeddings([0, 4]), {
    message: /^add, character 1: sqrt\(-1\) at position 4/,
  });
  const turned = wf.scheme("formula", { ...sizes, angle: "1 / (i - 3)" });
  assert.throws(() => attend(turned), { message: /^angle, character 1: 1 \/ 0 at i = 3/ });
  const content = wf.scheme("formula", { ...sizes, bias: "sqrt(s)" });
  assert.throws(() => attend(content), {
    message: /^bias, character 1: sqrt\(-[\d.e-]+\) at i = /,
  });
});

test("a function is called for each head and distance when a scheme is made, not later", () => {
  let calls = 0;
  const scheme = wf.scheme("formula", {
    ...sizes,
    bias: {
      table: ({ head, distance }) => {
        calls++;
        return distance < -8 ? -Infinity : -Math.abs(distance) / 2 ** (head + 1);
      },
      maxDistance: 16,
    },
  });
  assert.equal(calls, 2 * 33);
  const formula = wf.scheme("formula", {
    ...sizes,
    bias: "r < -8 ? -inf : -abs(r) / 2^(h + 1)",
  });
  const [a, b] = [scheme, formula].map((one) => attend(one, 16).output.data);
  for (const [i, x] of a.entries()) assert.ok(Math.abs(x - b[i]) < 1e-6);
  assert.equal(calls, 2 * 33);
  assert.throws(() => attend(scheme, 20), {
    message: "bias, character 1: table[0, -1] at i = 17, j = 0, h = 0 (expected a number or -inf)",
  });
  // JSON, and so a config.json, holds what came of the function.
  const kept = wf.scheme("formula", { ...sizes, ...JSON.parse(JSON.stringify(scheme.options)) });
  assert.deepEqual(attend(kept, 16).output, attend(scheme, 16).output);
  refused({ bias: () => Number.NaN }, /bias\(\{ head: 0, distance: -1024 \}\)\[0\]: NaN/);
  refused(
    {
      bias: () => {
        throw new Error("no");
      },
    },
    /bias: threw Error: no/,
  );
});

test("a table is a list, an array, an ArrayBuffer or a tensor, for all heads or each", () => {
  const row = Float32Array.from({ length: 9 }, (_, i) => -Math.abs(i - 4) / 4);
  const both = Float32Array.from([...row, ...row]);
  const wanted = attend(wf.scheme("formula", { ...sizes, bias: "-abs(r) / 4" }), 5).output;
  for (const bias of [
    [...row],
    row,
    row.buffer,
    Float64Array.from(row),
    { data: row, shape: [9] },
    both,
    { data: both, shape: [2, 9] },
    { table: both, maxDistance: 4, trained: true },
  ])
    assert.deepEqual(attend(wf.scheme("formula", { ...sizes, bias }), 5).output, wanted);
  refused({ bias: [1, 2, 3, 4] }, /bias: \[1, 2, 3, 4\] \(expected 2·M\+1 numbers/);
  refused({ bias: { table: row, maxDistance: 3 } }, /expected 7 numbers/);
  refused({ bias: { data: row, shape: [3, 3] } }, /bias\.shape/);
  refused({ bias: new ArrayBuffer(6) }, /bias\.byteLength: 6/);
});

test("a bias of positions is shown as a map, and one of the content is not", () => {
  const scheme = wf.scheme("formula", { ...sizes, bias: "-i / (j + 1)" });
  const { data, shape } = scheme.bias([3, 6], [0, 1, 2]);
  assert.deepEqual(shape, [2, 2, 3]);
  assert.deepEqual([...data.subarray(0, 6)], [-3, -1.5, -1, -6, -3, -2]);
  const content = wf.scheme("formula", { ...sizes, bias: "s / 2" });
  assert.throws(() => content.bias([1], [0]), { code: "unsupported" });
});

const config = (options) => ({
  vocabSize: 12,
  hiddenSize: 16,
  numLayers: 2,
  numHeads: 2,
  intermediateSize: 24,
  scheme: { id: "formula", options },
});
const own = {
  bias: "-a[h] * log1p(abs(r)) * sigmoid(s) + b",
  frequency: "w[k]",
  parameters: {
    a: { shape: ["H"], initial: "h + 1", positive: true },
    b: { initial: 2, trained: false },
    w: { shape: ["D/2"], initial: "100^(-2*k/D)" },
  },
};
const ids = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];

function learnt(options) {
  const trainer = wf.trainer({
    config: config(options),
    task: { id: "language_model", ids: Array.from({ length: 400 }, (_, i) => (i * i) % 7) },
    batchSize: 8,
    length: 16,
    totalSteps: 60,
    learningRate: 1e-2,
    seed: 1,
  });
  const losses = trainer.step(60);
  assert.ok(losses[59] < 0.7 * losses[0], `${losses[0]} to ${losses[59]}`);
  return trainer.model();
}

test("a model of formulas learns, decodes, and comes back from its files", async () => {
  const model = learnt(own);
  assert.deepEqual(model.config.scheme, [
    { id: "formula", options: { pairing: "halves", ...own } },
  ]);
  const file = {
    model_type: "whereformer",
    vocab_size: 12,
    hidden_size: 16,
    num_hidden_layers: 2,
    num_attention_heads: 2,
    intermediate_size: 24,
    schemes: JSON.parse(JSON.stringify(model.config.scheme)),
  };
  const again = await wf.model({ config: file, weights: model.save() });
  assert.equal(again.loss(ids).mean, model.loss(ids).mean);
  const { terms, logits } = model.run(ids, { record: ["terms", "logits"] });
  assert.deepEqual(Object.keys(terms).sort(), ["bias", "content", "transform"]);
  logits.data.forEach((logit, i) => {
    const sum = Object.values(terms).reduce((total, { data }) => total + data[i], 0);
    assert.ok(Math.abs(sum - logit) < 2e-5);
  });
  const written = [];
  for await (const { id } of again.generate(ids, { maxTokens: 4, temperature: 0 }))
    written.push(id);
  const read = [...ids];
  for (const token of written) {
    const { vocabularyLogits } = model.run(read, { record: ["vocabularyLogits"] });
    const last = vocabularyLogits.data.subarray(-12);
    assert.ok(last[token] >= Math.max(...last) - 1e-5);
    read.push(token);
  }
});

test("training moves what is trained, keeps its range, and leaves the rest", async () => {
  const { scheme } = learnt(own).config;
  assert.equal(scheme[0].options.parameters.b.trained, false);
  const model = learnt({
    bias: "-a[h] * abs(r) + b * r",
    parameters: {
      a: { shape: ["H"], initial: 1e-4, positive: true },
      b: { initial: 0.5, trained: false },
    },
  });
  const bytes = model.save();
  const text = new TextDecoder("latin1").decode(bytes);
  assert.match(text, /model\.layers\.0\.self_attn\.position\.formula\.a/);
  const { terms } = model.run([1, 2, 3], { record: ["terms"] });
  const at = (layer, head, i, j) => terms.bias.data[((layer * 2 + head) * 3 + i) * 3 + j];
  // bias(0) is 0; -a - b at distance -1, so a is positive only if the bias is below -b.
  assert.ok(at(0, 0, 1, 0) < -0.5);
  assert.equal(at(0, 0, 1, 1), 0);
});

test("weights of 8 bits, and a surgery on a term of the author's own", async () => {
  const model = await wf.model(config({ terms: { slope: "-abs(r)", other: "s / 8" } }));
  const small = await wf.model(config({ terms: { slope: "-abs(r)" } }), { dtype: "int8" });
  assert.ok(Number.isFinite(small.loss(ids).mean));
  const plain = model.run(ids, { record: ["logits", "terms"] });
  const without = model.run(ids, {
    record: ["logits"],
    surgery: { layers: [0], zero: ["slope"] },
  });
  const count = (2 * 12 * 12) | 0;
  for (let i = 0; i < count; i++)
    assert.ok(
      Math.abs(plain.logits.data[i] - plain.terms.slope.data[i] - without.logits.data[i]) < 1e-5,
    );
});

test("in a worker: formulas, functions, errors", async () => {
  const remote = await loadWorker({ variant: "simd", training: true });
  const options = { ...sizes, bias: ({ head, distance }) => -Math.abs(distance) / (head + 1) };
  const scheme = await remote.scheme("formula", options);
  const attention = await remote.attention({ scheme, isCausal: true });
  const { output } = await attention.run(inputs(12));
  assert.deepEqual(output, attend(wf.scheme("formula", options)).output);
  await assert.rejects(remote.scheme("formula", { ...sizes, bias: "abss(r)" }), {
    message: 'bias, character 1: "abss" (expected a function; did you mean abs?)',
  });
  const model = await remote.model(config({ bias: ({ distance }) => -Math.abs(distance) }));
  const { mean } = await model.loss(ids);
  const here = await wf.model(config({ bias: "-abs(r)" }));
  assert.ok(Math.abs(mean - here.loss(ids).mean) < 1e-6);
  remote.dispose();
});

test("two threads compute what one does, in attention and in a model", async () => {
  const threads = await loadThreads({ threads: 2 });
  const options = { ...sizes, bias: "-abs(s) * log1p(abs(r)) / (8 + i)", frequency: "1 / (k + 1)" };
  const count = 300;
  const many = { isCausal: true, scheme: threads.scheme("formula", options) };
  const { output } = threads.attention(many).run(inputs(count));
  const alone = attend(wf.scheme("formula", options), count).output;
  // Only the engine with threads has fused multiply-adds.
  for (const [i, x] of output.data.entries()) assert.ok(Math.abs(x - alone.data[i]) < 2e-6);
  const [model, here] = await Promise.all([threads, wf].map((one) => one.model(config(own))));
  assert.ok(Math.abs(model.loss(ids).mean - here.loss(ids).mean) < 1e-6);
  threads.dispose();
});

test("bent positions are those that a formula reads", async () => {
  const model = await wf.model(config({ bias: "-abs(r) + s / 4", frequency: "1 / (k + 1)" }));
  const { mean } = model.loss(ids);
  assert.equal(model.bend({}).loss(ids).mean, mean);
  const positions = ids.map((_, i) => 2 * i);
  const bent = model.bend({ positions });
  const { terms } = bent.run(ids, { record: ["terms"] });
  const { terms: same } = model.run(ids, { record: ["terms"], positions });
  for (const name of ["content", "transform", "bias"])
    assert.deepEqual(terms[name].data, same[name].data, name);
  assert.notEqual(bent.loss(ids).mean, mean);
  const none = model.bend({ positions: "none" }).run(ids, { record: ["terms"] });
  assert.deepEqual(Object.keys(none.terms), ["content"]);
});

test("frequencies of formulas; angles that read the length are those of a whole call", () => {
  const scheme = wf.scheme("formula", { ...sizes, frequency: "(10 * max(1, n / 4))^(-2*k/D)" });
  const { inverseFrequencies } = scheme.frequencies(8);
  for (const [k, f] of inverseFrequencies.entries()) assert.ok(Math.abs(f - 20 ** (-k / 4)) < 1e-6);
  refused(
    { frequency: "n * w", parameters: { w: 1 } },
    /n beside h, layer or a parameter/,
    "unsupported",
  );
});
