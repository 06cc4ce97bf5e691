// Every check of a number, word or option: the message names the wrong value, and the engine still
// works.

import { describe, test } from "node:test";
import { refused, rejected, wf } from "./golden.mjs";
import {
  alibi,
  attention,
  config,
  input,
  invalid,
  model,
  refusals,
  rope,
  sizes,
  task,
} from "./spoilt.mjs";
import "./with-training.mjs";

const numbers = [Number.NaN, Infinity, -1, 0, 1.5, 2 ** 40, "4", null, [4], true, 4n];
const show = (value) =>
  Array.isArray(value) ? "a list" : typeof value === "bigint" ? `${value}n` : String(value);

/** Wrong values, tried for every size. */
const wrongSizes = (name, use) =>
  numbers.map((value) => [
    () => use(value),
    invalid,
    new RegExp(`^${name}: .* \\(expected`),
    show(value),
  ]);

describe("sizes must be integers from 1", () => {
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
  [() => wf.scheme("ropes", sizes), "unknown_scheme", /^scheme: "ropes" \(expected one of .*rope/],
  [() => wf.scheme(7, sizes), invalid, /^scheme: 7 \(expected a string/],
  [() => wf.scheme("rope"), invalid, /^options: undefined \(expected an object/],
  [() => wf.scheme("rope", [8]), invalid, /^options: \[8\] \(expected an object/],
  [
    () => wf.scheme("rope", { ...sizes, theta: 2 }),
    "unknown_option",
    /unknown option "theta" \(expected one of .*ropeTheta/,
  ],
  [
    () => wf.scheme("nope", { ...sizes, ropeTheta: 2 }),
    "unknown_option",
    /unknown option "ropeTheta"/,
  ],
  [
    () => wf.scheme("rope", { ...sizes, interleaved: "no" }),
    invalid,
    /^interleaved: "no" \(expected true or false/,
  ],
  [
    () => wf.scheme("rope", { ...sizes, interleaved: 1 }),
    invalid,
    /^interleaved: 1 \(expected true or false/,
  ],
  [
    () => wf.scheme("rope", { ...sizes, numKvHeads: 3 }),
    invalid,
    /^numKvHeads: 3 \(expected a divisor of numHeads, 4/,
  ],
  [
    () => wf.scheme("rope", { ...sizes, headDim: 7 }),
    invalid,
    /^partialRotaryFactor: 1 \(expected a factor that rotates an even number/,
  ],
  [
    () => wf.scheme("rope", { ...sizes, ropeTheta: 1 }),
    invalid,
    /^ropeTheta: 1 \(expected a finite number from 1\.0001/,
  ],
  [
    () => wf.attention({ ...sizes, causal: true }),
    "unknown_option",
    /unknown option "causal" \(expected one of .*isCausal/,
  ],
  [() => wf.attention({ ...sizes, isCausal: 1 }), invalid, /^isCausal: 1 \(expected true or false/],
  [() => wf.attention(), invalid, /^options: undefined/],
  [() => wf.attention({}), invalid, /^numHeads: undefined/],
  [
    () => wf.attention({ scheme: "rope" }),
    invalid,
    /^scheme: "rope" \(expected a scheme from wf\.scheme/,
  ],
  [() => wf.attention({ scheme: [rope, 3] }), invalid, /^scheme\[1\]: 3/],
  [
    () => wf.attention({ scheme: rope, headDim: 4 }),
    invalid,
    /^headDim: 4 \(expected 8, for which the scheme/,
  ],
  [
    () => wf.attention({ scheme: [rope, wf.scheme("alibi", { numHeads: 2, headDim: 8 })] }),
    invalid,
    /^numHeads: 4 \(expected 2/,
  ],
  [() => wf.attention({ scheme: [rope, rope, rope, rope, rope] }), invalid, /scheme: more than 4/],
  [() => wf.attention({ ...sizes, sinks: [1] }), invalid, /^sinks\.length: 1 \(expected 4/],
  [() => wf.attention({ ...sizes, sinks: [1, 2, 3, Number.NaN] }), invalid, /^sinks\[3\]: NaN/],
]);

refusals("models", [
  [
    () => model.run("text"),
    invalid,
    /^input: "text" \(expected a list of token ids, since the model has no tokenizer/,
  ],
  [() => model.run([16]), invalid, /^input\[0\]: 16 \(expected an integer from 0 to 15/],
  [() => model.run([-1]), invalid, /^input\[0\]: -1/],
  [() => model.run([Number.NaN]), invalid, /^input\[0\]: NaN/],
  [() => model.run([]), invalid, /^input\.length: 0 \(expected 1 or more token ids/],
  [
    () => model.run([1], { records: [] }),
    "unknown_option",
    /unknown option "records" \(expected one of record, region, positions/,
  ],
  [() => model.run([1], { record: ["loss"] }), invalid, /^record\[0\]: "loss" .*"hidden"/],
  [
    () => model.run([1], { record: ["weights"], region: { layers: [1] } }),
    invalid,
    /^region\.layers\[0\]: 1/,
  ],
  [() => model.run([1, 2], { positions: [0] }), invalid, /^positions\.length: 1 \(expected 2/],
  [() => model.loss([1]), invalid, /^ids\.length: 1 \(expected 2 or more/],
  [() => model.save({ dtype: "f8" }), invalid, /^dtype: "f8" \(expected one of "f32", "f16"/],
  [() => model.generate([]), invalid, /^prompt\.length: 0/],
  [() => model.generate([1], { stopId: 16 }), invalid, /^stopId: 16/],
  [() => model.generate([1], { stopId: [1, 16] }), invalid, /^stopId\[1\]: 16/],
  [() => model.generate([1], { stopId: null }), invalid, /^stopId: null/],
  [() => model.generate([1], { signal: 1 }), invalid, /^signal: 1 \(expected an AbortSignal/],
  [() => model.generate([1], { max: 1 }), "unknown_option", /unknown option "max"/],
]);

refusals("trainers", [
  [() => wf.trainer(), invalid, /^options: undefined/],
  [() => wf.trainer({ task }), invalid, /^config: undefined/],
  [() => wf.trainer({ config }), invalid, /^task: undefined/],
  [
    () => wf.trainer({ config, task: { id: "sort" } }),
    invalid,
    /^task\.id: "sort" \(expected .*"copy"/,
  ],
  [
    () => wf.trainer({ config, task: { id: "copy", ids: [1] } }),
    "unknown_option",
    /unknown option "ids" \(expected one of id/,
  ],
  [() => wf.trainer({ config, task: { id: "language_model" } }), invalid, /^task\.ids: undefined/],
  [() => wf.trainer({ config, task, steps: 3 }), "unknown_option", /unknown option "steps"/],
  [() => wf.trainer({ config, task }).evaluate({ lengths: [0] }), invalid, /^lengths\[0\]: 0/],
]);

test("configs of models", async () => {
  const wrong = [
    [
      { ...config, depth: 2 },
      "unknown_option",
      /unknown option "depth" \(expected one of vocabSize/,
    ],
    [{ ...config, layers: 2 }, invalid, /^layers: 2 \(expected an object/],
    [{ ...config, numHeads: 3 }, invalid, /^numHeads: 3 \(expected a divisor of hiddenSize, 8/],
    [
      { ...config, numKvHeads: 3, numHeads: 4 },
      invalid,
      /^numKvHeads: 3 \(expected a divisor of numHeads, 4/,
    ],
    [{ ...config, headDim: 0 }, invalid, /^headDim: 0/],
    [{ ...config, rmsNormEps: 0 }, invalid, /^rmsNormEps: 0/],
    [{ ...config, isCausal: "yes" }, invalid, /^isCausal: "yes"/],
    [{ ...config, seed: -1 }, invalid, /^seed: -1/],
    [{ ...config, scheme: "rop" }, "unknown_scheme", /^scheme: "rop" \(expected one of /],
    [{ ...config, scheme: new Array(5).fill("rope") }, invalid, /^scheme: .*at most 4/],
    [
      { ...config, scheme: { id: "rope", option: {} } },
      "unknown_option",
      /unknown option "option" \(expected one of id, options/,
    ],
    [
      { ...config, scheme: { id: "rope", options: { theta: 1 } } },
      "unknown_option",
      /unknown option "theta" \(expected one of ropeTheta/,
    ],
    [
      { ...config, scheme: { id: "rope", options: { ropeTheta: "big" } } },
      invalid,
      /^ropeTheta: "big"/,
    ],
    [{ config }, invalid, /^weights: undefined \(expected a URL, bytes, or a Blob/],
    [{ config, weights: 3 }, invalid, /^weights: 3/],
    [{ config, weight: 3 }, "unknown_option", /unknown option "weight"/],
    [7, invalid, /^source: 7/],
    ["not a url", invalid, /^source: "not a url" \(expected a URL/],
  ];
  for (const [source, code, message] of wrong) await rejected(wf.model(source), code, message);
  await rejected(
    wf.model(config, { tokenizer: {} }),
    invalid,
    /^tokenizer: an object \(expected an object with encode/,
  );
  await rejected(wf.model(config, { signals: 1 }), "unknown_option", /unknown option "signals"/);
});

test("config.json of other libraries", () => {
  refused(() => wf.schemeFromConfig("x"), invalid, /^config: "x"/);
  refused(
    () => wf.schemeFromConfig({ num_attention_heads: 2, hidden_size: 8 }),
    "unsupported",
    /^config: an object \(expected a config with "model_type"/,
  );
  refused(
    () => wf.schemeFromConfig({}, { layers: 1 }),
    "unknown_option",
    /unknown option "layers" \(expected one of layer/,
  );
});

refusals("what a scheme has no hook for", [
  [() => alibi.rotate(input.q), "unsupported", /rotate: alibi has none/],
  [() => alibi.frequencies(), "unsupported", /frequencies: alibi has none/],
  [() => rope.bias([0], [0]), "unsupported", /bias: rope has none/],
  // DeBERTa's bias depends on queries and keys too.
  [
    () => wf.scheme("transformer_xl", { numHeads: 2, headDim: 4 }).bias([0], [0]),
    "unsupported",
    /bias: transformer_xl has none/,
  ],
]);

refusals("a scheme that adds to values of another width", [
  [
    () => wf.attention({ scheme: wf.scheme("shaw", { numHeads: 2, headDim: 4 }), valueDim: 3 }),
    invalid,
    /^valueDim: 3 \(expected 4, since shaw adds to the values/,
  ],
]);
