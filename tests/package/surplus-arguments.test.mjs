// Unused arguments are refused, on the calling thread and in a worker: a signal for a synchronous
// call, a callback under another library's name, an extra argument.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { load } from "../../dist/worker.js";
import { refused, rejected, scattered, wf } from "./golden.mjs";
import "./with-training.mjs";

const remote = await load({ variant: "simd", training: true });
after(() => remote.dispose());
const sizes = { numHeads: 2, headDim: 8 };
const config = {
  vocabSize: 16,
  hiddenSize: 16,
  numLayers: 1,
  numHeads: 2,
  intermediateSize: 16,
  scheme: "rope",
};
const training = { config, task: { id: "copy" }, length: 8 };
const x = scattered([2, 4, 8]);

/** Returns each object with the maximal arguments of its methods. */
async function objects(engine) {
  const scheme = await engine.scheme("rope", sizes);
  const attention = await engine.attention(sizes);
  const model = await engine.model(config);
  return [
    [
      "engine",
      engine,
      {
        scheme: ["rope", sizes],
        attention: [sizes],
        schemeFromConfig: [{}, {}],
        positionsWithPictures: [3, [], {}],
        model: [config, {}],
        modelConfig: [config],
        keptModels: [],
        deleteKept: ["x"],
        trainer: [training],
        matmul: [x, x, {}],
        matrix: [x, {}],
        tensor: [x],
        softmax: [x, {}],
        layerNorm: [x, {}],
        rmsNorm: [x, x, {}],
        memory: [],
      },
    ],
    [
      "scheme",
      scheme,
      {
        parameters: [],
        rotate: [x, [0, 1, 2, 3], {}],
        embeddings: [[0], {}],
        bias: [[0], [0], {}],
        cost: [{}],
        frequencies: [1],
      },
    ],
    [
      "attention",
      attention,
      { run: [{ q: x, k: x, v: x }], cache: [{ capacity: 4 }], decode: [{}, {}] },
    ],
    ["cache", await attention.cache({ capacity: 4 }), { truncate: [0], clone: [] }],
    ["tensor", await engine.tensor(x), { read: [{}] }],
    [
      "model",
      model,
      {
        run: [[1], {}],
        encode: [[1], {}],
        embed: [[1], {}],
        tokenizerFiles: [],
        loss: [[1, 2], {}],
        bend: [{ ropeTheta: 3 }],
        generate: [[1], {}],
        heads: [[1], {}],
        logitLens: [[1]],
        look: [{ data: [0, 0, 0], width: 1, height: 1 }, {}],
        session: [{}],
        save: [{}],
      },
    ],
    [
      "session",
      await model.session(),
      { ids: [], append: [[1], {}], generate: [[1], {}], truncate: [0], fork: [] },
    ],
    ["bent", await model.bend({ ropeTheta: 3 }), { run: [[1], {}], loss: [[1, 2], {}] }],
    ["trainer", await engine.trainer(training), { step: [1], evaluate: [{}], save: [], model: [] }],
  ];
}

const publicNames = (object) => {
  const names = new Set();
  for (let own = object; own !== Object.prototype; own = Object.getPrototypeOf(own))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(own)))
      if (typeof value === "function") names.add(name);
  for (const inside of ["constructor", "dispose", "belongsTo"]) names.delete(inside);
  return [...names].sort();
};

const said = (name, count) =>
  new RegExp(`^${name}, argument ${count + 1}: .* \\(expected (?:no|at most \\d+) argument`);

// Before the first test: anything awaited later would run after the file's end.
const [here, there] = [await objects(wf), await objects(remote)];

for (const [kind, object, calls] of here)
  test(`${kind}: an argument more than a method has is refused`, async () => {
    assert.deepEqual(Object.keys(calls).sort(), publicNames(object));
    for (const [name, args] of Object.entries(calls)) {
      for (const surplus of [{ signal: new AbortController().signal }, { onStep() {} }, 1, null])
        refused(() => object[name](...args, surplus), "invalid_argument", said(name, args.length));
    }
  });

for (const [kind, object, calls] of there)
  test(`${kind} in a worker: no argument after the task, which has known fields only`, async () => {
    for (const [name, args] of Object.entries(calls)) {
      const call = async (...more) => object[name](...args, ...more);
      // No task follows options that have a signal themselves.
      const ofOptions =
        ["generate", "append"].includes(name) || (kind === "engine" && name === "model");
      const signal = AbortSignal.abort();
      if (ofOptions) {
        await rejected(call({ signal }), "invalid_argument", said(name, args.length));
        continue;
      }
      await rejected(call({ signal }), "aborted");
      await rejected(call({ onStep() {} }), "unknown_option", /did you mean "onProgress"\?$/);
      await rejected(call({}, 1), "invalid_argument", said(name, args.length + 1));
      // Options may be omitted before the task.
      if (Object.keys(args.at(-1) ?? { x: 1 }).length === 0)
        await rejected((async () => object[name](...args.slice(0, -1), { signal }))(), "aborted");
    }
  });

test("an undefined argument counts as omitted", () => {
  assert.ok(wf.memory(undefined, undefined) > 0);
  assert.equal(wf.softmax(x, undefined, undefined).data.length, x.data.length);
});

test("for a signal where none is possible, the message says which call takes one", () => {
  const { signal } = new AbortController();
  const trainer = wf.trainer(training);
  for (const surplus of [{ signal }, { onProgress() {} }])
    refused(() => trainer.step(3, surplus), "invalid_argument", /whereformer\/worker takes signal/);
  refused(() => wf.trainer({ ...training, onStep() {} }), "unknown_option", /whereformer\/worker/);
  refused(
    () => wf.model(config).then((model) => model) && wf.trainer({ ...training, signal }),
    "unknown_option",
    /whereformer\/worker takes signal/,
  );
});

test("an unknown name is refused with the likely intended one", async () => {
  const model = await wf.model(config);
  const meant = [
    [() => model.generate([1], { maxNewTokens: 3 }), "maxTokens"],
    [() => model.generate([1], { max_tokens: 3 }), "maxTokens"],
    [() => model.generate([1], { temprature: 3 }), "temperature"],
    [() => model.generate([1], { top_k: 3 }), "topK"],
    [() => wf.scheme("rope", { ...sizes, theta: 3 }), "ropeTheta"],
    [() => wf.scheme("rope", { num_heads: 1, headDim: 8 }), "numHeads"],
    [() => wf.attention({ ...sizes, causal: true }), "isCausal"],
    [() => wf.trainer({ ...training, learning_rate: 1 }), "learningRate"],
    [() => wf.trainer({ ...training, seeds: 1 }), "seed"],
    [() => model.run([1], { records: [] }), "record"],
  ];
  for (const [call, name] of meant)
    refused(call, "unknown_option", new RegExp(`; did you mean "${name}"\\?$`));
  refused(() => wf.scheme("ropes", sizes), "unknown_scheme", /; did you mean "rope"\?$/);
  refused(() => wf.scheme("RoPE-2D", sizes), "unknown_scheme", /; did you mean "rope_2d"\?$/);
  const { message } = refused(
    () => wf.trainer({ ...training, steps: 1 }),
    "unknown_option",
    /; did you mean "totalSteps" or "warmupSteps"\?$/,
  );
  assert.doesNotMatch(message, /whereformer\/worker/);
  const nothing = refused(() => wf.trainer({ ...training, zzz: 1 }), "unknown_option");
  assert.doesNotMatch(nothing.message, /did you mean/);
});
