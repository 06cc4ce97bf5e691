// Passes unusual values to every argument of every public call, and to every field of arguments
// that are objects. The list of calls comes from the published types, so none can be forgotten.

import assert from "node:assert/strict";
import { test } from "node:test";
import { byGroup, load, rankHeads, withRow } from "../../dist/index.js";
import { familyFile, modelOf } from "./families.mjs";
import { rejected, scattered, wf } from "./golden.mjs";
import { filesOf, pictureFile } from "./pictures.mjs";
import { publicCalls } from "./public-calls.mjs";
import { config, goesOn, sizes, task } from "./spoilt.mjs";
import "./with-training.mjs";

const wanted = publicCalls("index");
const scheme = () => wf.scheme("rope", sizes);
const attention = () => wf.attention({ scheme: scheme(), isCausal: true });
const x = () => scattered([4, 5, 8]);
const square = () => scattered([4, 4]);
const record = ["weights", "terms"];
const region = { heads: [0], rows: [1], columns: [0, 1] };
const surgery = { layers: [0], zero: ["rotation"], dropPairs: [0], freezePairs: [1] };
const ablate = { layers: [0], heads: [0], with: "mean" };
const patch = () => ({ layer: 0, rows: [1], values: scattered([1, config.hiddenSize]) });
const block = { first: 1, frames: 1, rows: 2, columns: 2, timeStep: 1 };
const model = await wf.model(config);
const ofTwoStacks = await modelOf(wf, familyFile("bart"));
const ofPictures = await wf.model(filesOf(pictureFile("vit")));
const trainer = () => wf.trainer({ config, task, length: 12 });

const generation = {
  ...{ maxTokens: 2, temperature: 1, topK: 3, topP: 0.5, minP: 0.1, seed: 1 },
  ...{ repetitionPenalty: 1.1, presencePenalty: 0.1, frequencyPenalty: 0.1 },
  ...{ logitBias: { 3: 1 }, stopId: [5] },
  ...{ record: ["weights"], region: { layers: [0], heads: [0] } },
};
/** For each call its object and valid arguments. */
const good = {
  byGroup: [() => ({ byGroup }), () => [square(), [0, 0, 1, 2]]],
  rankHeads: [() => ({ rankHeads }), () => [model.heads([1, 2, 1]), "first"]],
  withRow: [() => ({ withRow }), () => [square(), scattered([1, 5])]],
  load: [() => ({ load }), () => [{ variant: "simd" }]],
  "Engine.scheme": [() => wf, () => ["rope", { ...sizes, numKvHeads: 2, parameters: 1 }]],
  "Engine.attention": [() => wf, () => [{ scheme: scheme(), isCausal: true, sinks: [1, 2, 3, 4] }]],
  "Engine.schemeFromConfig": [
    () => wf,
    () => [{ num_attention_heads: 2, hidden_size: 8, rope_theta: 1e4 }, { layer: 0 }],
  ],
  "Engine.positionsWithPictures": [() => wf, () => [6, [block], { after: "largest" }]],
  "Engine.model": [() => wf, () => [{ ...config }, { allowNotFinite: false }]],
  "Engine.modelConfig": [() => wf, () => [{ ...config }]],
  "Engine.trainer": [() => wf, () => [{ config: { ...config }, task: { ...task }, length: 12 }]],
  "Engine.matmul": [() => wf, () => [square(), square(), { transposeB: true }]],
  "Engine.matrix": [() => wf, () => [square(), { transposeB: false }]],
  "Engine.tensor": [() => wf, () => [square()]],
  "Engine.softmax": [() => wf, () => [square(), { out: new Float32Array(16) }]],
  "Engine.layerNorm": [() => wf, () => [square(), { weight: scattered([4]), epsilon: 1e-5 }]],
  "Engine.rmsNorm": [() => wf, () => [square(), scattered([4]), { epsilon: 1e-5 }]],
  "Engine.memory": [() => wf, () => []],
  "Scheme.parameters": [scheme, () => []],
  "Scheme.rotate": [scheme, () => [x(), [0, 1, 2, 3, 4], {}]],
  "Scheme.embeddings": [() => wf.scheme("sinusoidal", sizes), () => [[0, 1], { seed: 1 }]],
  "Scheme.bias": [() => wf.scheme("alibi", sizes), () => [[0, 1], [0, 1], {}]],
  "Scheme.frequencies": [scheme, () => [9]],
  "Scheme.cost": [scheme, () => [{ queries: 2, keys: 3, width: 8 }]],
  "Scheme.dispose": [scheme, () => []],
  "Attention.run": [attention, () => [{ q: x(), k: x(), v: x(), record, region: { ...region } }]],
  "Attention.cache": [attention, () => [{ capacity: 9 }]],
  "Attention.decode": [
    attention,
    (own) => [own.cache({ capacity: 9 }), { q: x(), k: x(), v: x() }],
  ],
  "Attention.dispose": [attention, () => []],
  "KvCache.truncate": [() => attention().cache({ capacity: 9 }), () => [0]],
  "KvCache.clone": [() => attention().cache({ capacity: 9 }), () => []],
  "KvCache.dispose": [() => attention().cache({ capacity: 9 }), () => []],
  "Matrix.dispose": [() => wf.matrix(square()), () => []],
  "EngineTensor.read": [() => wf.tensor(square()), () => [{ out: new Float32Array(16) }]],
  "EngineTensor.dispose": [() => wf.tensor(square()), () => []],
  "Model.run": [
    () => model,
    () => [[1, 2], { record, surgery: { ...surgery }, ablate: { ...ablate }, patch: patch() }],
  ],
  "Model.loss": [
    () => model,
    () => [[1, 2, 3], { surgery: { ...surgery }, ablate: [{ ...ablate }], patch: [patch()] }],
  ],
  "Model.logitLens": [() => model, () => [scattered([2, config.hiddenSize])]],
  "Model.generate": [() => model, () => [[1], generation]],
  "Model.bend": [
    () => model,
    () => [{ ropeTheta: 5, ropeScaling: "none", positions: "none", layers: [0] }],
  ],
  "Model.tokenizerFiles": [() => model, () => []],
  "Model.session": [() => model, () => [{ exact: true }]],
  "Session.ids": [() => model.session(), () => []],
  "Session.append": [
    () => model.session(),
    () => [[1, 2], { signal: new AbortController().signal, onProgress() {} }],
  ],
  "Session.generate": [() => model.session(), () => [[1, 2], generation]],
  "Session.truncate": [() => model.session(), () => [0]],
  "Session.fork": [() => model.session(), () => []],
  "Session.dispose": [() => model.session(), () => []],
  "BentModel.run": [
    () => model.bend({}),
    () => [[1, 2], { record, region: { rows: [0] }, ablate: { ...ablate }, patch: patch() }],
  ],
  "BentModel.loss": [
    () => model.bend({}),
    () => [[1, 2, 3], { positions: [0, 1, 2], ablate: { ...ablate }, patch: patch() }],
  ],
  "BentModel.dispose": [() => model.bend({}), () => []],
  "Model.heads": [() => model, () => [[1, 2, 3], { layers: [0], heads: [0], maxDistance: 4 }]],
  "Model.embed": [
    () => model,
    () => [
      [
        [1, 2],
        [3, 4],
      ],
      {
        pooling: ["mean", "cls"],
        normalize: true,
        promptTokens: 1,
        attentionMask: [
          [1, 1],
          [1, 0],
        ],
      },
    ],
  ],
  "Model.look": [
    () => ofPictures,
    () => [
      { data: new Uint8Array(27), width: 3, height: 3 },
      { record, region: { heads: [0] }, ablate: { ...ablate }, size: { height: 6, width: 3 } },
    ],
  ],
  "Model.encode": [() => ofTwoStacks, () => [[1, 2], { record, region: { rows: [0] } }]],
  "Model.save": [() => model, () => [{ dtype: "f16" }]],
  "Model.dispose": [() => wf.model(config), () => []],
  "Engine.keptModels": [() => wf, () => []],
  "Engine.deleteKept": [() => wf, () => ["a model"]],
  "Trainer.step": [trainer, () => [1]],
  "Trainer.evaluate": [trainer, () => [{ lengths: [12], sequences: 1, seed: 2 }]],
  "Trainer.save": [trainer, () => []],
  "Trainer.model": [trainer, () => []],
  "Trainer.dispose": [trainer, () => []],
};

/** Calls that need a browser's storage. */
const inBrowsers = new Set(["Engine.keptModels", "Engine.deleteKept"]);

const spoilt = () => {
  throw new RangeError("spoilt");
};
const cyclic = [];
cyclic.push(cyclic);
const ring = {};
ring.ring = ring;
const lying = () =>
  new Proxy({}, { get: () => 1, has: () => true, ownKeys: () => ["data", "shape"] });
const detached = () => {
  const data = new Float32Array(16);
  structuredClone(data.buffer, { transfer: [data.buffer] });
  return data;
};
/** Values that throw when they are read: only these may be refused without the argument's name. */
const throwing = {
  "a proxy that throws": () =>
    new Proxy({}, { get: spoilt, has: spoilt, ownKeys: spoilt, getPrototypeOf: spoilt }),
  "a list that throws": () => new Proxy([1], { get: spoilt }),
  "a list of what throws": () => [new Proxy({}, { get: spoilt, getPrototypeOf: spoilt })],
  "a tag that throws": () => Object.defineProperty({}, Symbol.toStringTag, { get: spoilt }),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    return proxy;
  },
};
const hostile = {
  undefined: () => undefined,
  null: () => null,
  NaN: () => Number.NaN,
  "-1": () => -1,
  0: () => 0,
  "a half": () => 0.5,
  "2^31": () => 2 ** 31,
  "2^53": () => 2 ** 53,
  Infinity: () => Infinity,
  "a large integer": () => 10n ** 300n,
  "a symbol": () => Symbol("x"),
  "no text": () => "",
  __proto__: () => "__proto__",
  "a long text": () => "x".repeat(100_000),
  true: () => true,
  "a function": () => () => 1,
  "a class": () => class {},
  "a promise": () => Promise.resolve(1),
  "nothing in it": () => ({}),
  "no prototype": () => Object.create(null),
  "no number": () => JSON.parse('{"toString": 1, "valueOf": 2, "length": 3}'),
  "like a list": () => ({ length: 2 ** 53, 0: 1 }),
  "a ring": () => ring,
  "a list in itself": () => cyclic,
  "a hole": () => new Array(1),
  "many holes": () => new Array(2 ** 32 - 1),
  "no list": () => [],
  "a list of NaN": () => [Number.NaN],
  "a list of lists": () => [[1], [2]],
  "a list of a symbol": () => [Symbol("x")],
  "a list of objects": () => [{}, ring],
  "a list of detached arrays": () => [detached(), detached()],
  "a list of what has no text": () => [Object.create(null), JSON.parse('{"valueOf": 1}')],
  "a large integer in a list": () => [2n ** 70n],
  "detached memory": () => detached().buffer,
  "a detached list of integers": () => {
    const list = new Int32Array(4);
    structuredClone(list.buffer, { transfer: [list.buffer] });
    return list;
  },
  "memory that shrank": () => {
    const memory = new ArrayBuffer(64, { maxByteLength: 64 });
    const list = new Float32Array(memory, 32, 8);
    memory.resize(8);
    return list;
  },
  "like a Blob": () => ({ [Symbol.toStringTag]: "Blob", size: 4, slice: () => 1 }),
  "like an address": () => ({ [Symbol.toStringTag]: "URL", href: "x:" }),
  "like a scheme": () => ({ [Symbol.toStringTag]: "Whereformer" }),
  "a reply": () => new Response("no"),
  "a date": () => new Date(0),
  "a map": () => new Map([["data", 1]]),
  "a lying proxy": lying,
  "a typed array of zero": () => new Float32Array(0),
  "large integers": () => new BigInt64Array(4),
  "doubles with a NaN": () => Float64Array.of(1, Number.NaN),
  "a detached array": detached,
  "like an array": () => Object.create(Float32Array.prototype),
  "no constructor": () => Object.setPrototypeOf(new Float32Array(16), null),
  "a view of bytes": () => new DataView(new ArrayBuffer(64)),
  "the engine": () => wf,
  "a disposed tensor": () => {
    const tensor = wf.tensor(square());
    tensor.dispose();
    return tensor;
  },
  "like a tensor": () => Object.create(wf.tensor(square())),
};

/** Returns the arguments with one of them, or a field of one, replaced. */
function replaced(args, place, path, value) {
  const fields = path.split(".").slice(1);
  if (fields.length === 0)
    return args.with?.(place, value) ?? Object.assign([...args], { [place]: value });
  const copy = [...args];
  while (copy.length <= place) copy.push(undefined);
  let at = { ...(Array.isArray(copy[place]) ? {} : copy[place]) };
  copy[place] = at;
  for (const field of fields.slice(0, -1)) {
    at[field] = { ...at[field] };
    at = at[field];
  }
  at[fields.at(-1)] = value;
  return copy;
}

/** Runs a call; disposes of its result, or returns its error. */
async function outcome(call) {
  try {
    const result = await call();
    if (result?.next) {
      await result.next();
      await result.return();
    } else if (result !== wf) result?.dispose?.();
    return undefined;
  } catch (error) {
    return error;
  }
}

test("the table has every public call of the types, and no other", () => {
  assert.deepEqual(Object.keys(good).sort(), [...wanted.keys()].sort());
  assert.ok([...wanted.values()].flat(2).length > 150, "no field of options was found");
});

for (const [name, [target, args]] of Object.entries(good)) {
  test(`${name}: any value gives a result, or an error that names the argument`, async () => {
    const method = name.split(".").at(-1);
    const own = await target();
    const usual = (await outcome(() => own[method](...args(own))))?.code;
    assert.equal(
      usual,
      inBrowsers.has(name) ? "unsupported" : undefined,
      "the valid arguments are refused",
    );
    for (const [place, paths] of (wanted.get(name) ?? []).entries())
      for (const path of paths)
        for (const [what, make] of Object.entries({ ...hostile, ...throwing })) {
          const here = method === "dispose" ? own : await target();
          const given = replaced(args(here), place, path, make());
          const error = await outcome(() => here[method](...given));
          if (here !== wf && here !== model && here !== own) here.dispose?.();
          if (!error) continue;
          const said = `${path} as ${what}: ${error.stack}`;
          assert.equal(error.name, "WhereformerError", said);
          assert.notEqual(error.code, "internal", said);
          if (!(what in throwing)) assert.doesNotMatch(error.message, /threw .* when read/, said);
        }
    goesOn();
  });
}

test("a list far longer than a folder is refused by its length, without reading it", async () => {
  const said = /^source: "a list of 4294967295" \(expected at most 65536 files\)$/;
  await rejected(wf.model(new Array(2 ** 32 - 1)), "invalid_argument", said);
});
