// The caller's code that runs while arguments are read: getters, proxies, lists and arrays with
// side effects. It may call the engine, dispose of the call's object, or detach memory.

import assert from "node:assert/strict";
import { test } from "node:test";
import { near, refused, scattered, wf } from "./golden.mjs";
import { config, goesOn, invalid, sizes } from "./spoilt.mjs";

const square = (seed) => scattered([8, 8], seed);
const meddle = () => {
  wf.matmul(scattered([64, 64], 5), scattered([64, 64], 6));
  wf.softmax(scattered([64, 64], 7));
};

/** Returns an object that runs `act` whenever a property is read. */
const meddling = (value, act = meddle) =>
  new Proxy(value, {
    get(target, name) {
      act();
      return target[name];
    },
    has(target, name) {
      act();
      return name in target;
    },
    ownKeys(target) {
      act();
      return Reflect.ownKeys(target);
    },
  });
const operand = ({ data, shape }) => meddling({ data, shape: meddling(shape) });
const listed = ({ data, shape }) => meddling({ data: meddling([...data]), shape: meddling(shape) });

/** Returns an array whose own properties give false values, run code and throw. */
function masked(data) {
  const copy = data.slice();
  const get = () => {
    meddle();
    return 3;
  };
  for (const name of ["length", "byteLength", "byteOffset", "buffer", "constructor"])
    Object.defineProperty(copy, name, { get });
  for (const name of ["subarray", "slice", "set", "fill", Symbol.iterator])
    Object.defineProperty(copy, name, { value: () => assert.fail("the getter was not called") });
  return copy;
}

class Foreign extends Float32Array {
  static get [Symbol.species]() {
    meddle();
    return Array;
  }
}

const forms = {
  "proxies and getters": operand,
  "lists that are proxies": listed,
  "arrays whose own properties lie": ({ data, shape }) => ({ data: masked(data), shape }),
  "arrays of a foreign species": ({ data, shape }) => ({ data: new Foreign(data), shape }),
  "arrays without a constructor": ({ data, shape }) => ({
    data: Object.setPrototypeOf(data.slice(), null),
    shape,
  }),
};
const rope = wf.scheme("rope", sizes);
const attention = wf.attention({ scheme: rope, isCausal: true });
const q = scattered([2, 4, 5, 8], 1);
const k = scattered([2, 4, 5, 8], 2);
const v = scattered([2, 4, 5, 8], 3);
const hidden = Uint8Array.from({ length: 50 }, (_, i) => (i % 3 ? 1 : 0));
const one = (x, entry = 0) => ({
  data: x.data.slice(entry * 160, (entry + 1) * 160),
  shape: [4, 5, 8],
});

/** Calls by name, as functions of the form in which operands are passed. */
const calls = {
  matmul: (form) => wf.matmul(form(square(1)), form(square(2))).data,
  matrix: (form) => wf.matmul(square(1), wf.matrix(form(square(2)))).data,
  tensor: (form) => wf.tensor(form(square(1))).read().data,
  softmax: (form) => wf.softmax(form(square(1))).data,
  layerNorm: (form) => {
    const row = form({ data: square(2).data.slice(0, 8), shape: [8] });
    return wf.layerNorm(form(square(1)), { weight: row, bias: row }).data;
  },
  rotate: (form) => rope.rotate(form(one(q)), [3, 1, 4, 1, 5]).data,
  run: (form) =>
    attention.run({ q: form(q), k: form(k), v: form(v), record: ["weights"] }).weights.data,
  decode: (form) => {
    const cache = attention.cache({ capacity: 5 });
    return attention.decode(cache, { q: form(one(q)), k: form(one(k)), v: form(one(v)) }).output
      .data;
  },
};

for (const [what, form] of Object.entries(forms)) {
  for (const [name, call] of Object.entries(calls)) {
    test(`${name} with ${what} gives the same as with plain ones`, () => {
      near(
        call(form),
        call((x) => x),
        0,
        name,
      );
      goesOn();
    });
  }
}

test("masks, positions, lengths and records with side effects are read like plain ones", () => {
  const plain = {
    q,
    k,
    v,
    mask: { data: hidden, shape: [2, 1, 5, 5] },
    positions: [0, 2, 3, 7, 9],
    keyPositions: { data: [0, 2, 3, 7, 9], shape: [1, 5] },
    keyLengths: [4, 5],
    record: ["weights", "terms"],
    region: { heads: [1, 3], rows: [0, 4] },
  };
  const alive = {
    ...plain,
    mask: meddling({ data: masked(hidden), shape: meddling([2, 1, 5, 5]) }),
    positions: meddling(plain.positions),
    keyPositions: operand(plain.keyPositions),
    keyLengths: meddling(plain.keyLengths),
    record: meddling(plain.record),
    region: meddling({ heads: meddling([1, 3]), rows: meddling([0, 4]) }),
    out: meddling({ data: masked(new Float32Array(320)), shape: [2, 4, 5, 8] }),
  };
  const [found, expected] = [attention.run(meddling(alive)), attention.run(plain)];
  const output = Float32Array.from(expected.output.data, (_, i) => found.output.data[i]);
  near(output, expected.output.data, 0);
  near(found.weights.data, expected.weights.data, 0);
  near(found.terms.rotation.data, expected.terms.rotation.data, 0);
});

/** A tokenizer that runs models when its methods are called. */
const tokenizerThat = (act) => ({
  encode: (text) => [...text].map(Number),
  decode: (ids) => {
    act();
    return `${ids}`;
  },
});

test("a tokenizer that runs models does not change the result", async () => {
  const other = await wf.model({ ...config, seed: 9 });
  const record = ["weights", "hidden", "vocabularyLogits"];
  let model;
  const acts = {
    "another model": () => other.run([5, 6, 7, 8, 9], { record }),
    "the same model": () => model.tokenizer && other.run([3], { record }) && model.loss([7, 8, 9]),
    "the same model under other schemes": () =>
      model.loss([7, 8], { surgery: { scheme: "alibi" } }),
  };
  const expected = (await wf.model(config)).run([1, 2, 3], { record });
  const cut = { surgery: { scheme: "nope" } };
  const expectedCut = (await wf.model(config)).run([1, 2, 3], { record, ...cut });
  for (const [what, act] of Object.entries(acts)) {
    model = await wf.model(config, { tokenizer: tokenizerThat(act) });
    const result = model.run("123", { record });
    assert.deepEqual(result.tokens, ["1", "2", "3"], what);
    for (const name of record) near(result[name].data, expected[name].data, 0, `${what}: ${name}`);
    const operated = model.run("123", { record, ...cut });
    for (const name of record)
      near(operated[name].data, expectedCut[name].data, 0, `${what}, operated: ${name}`);
  }
});

test("an error thrown by a tokenizer is reported with its method and its message", async () => {
  const tokenizer = tokenizerThat(() => {
    throw new RangeError("spoilt");
  });
  const model = await wf.model(config, { tokenizer });
  const error = refused(
    () => model.run("12"),
    invalid,
    /^tokenizer\.decode: threw RangeError: spoilt/,
  );
  assert.equal(error.cause.message, "spoilt");
  const tokens = model.generate([1]);
  await assert.rejects(tokens.next(), { code: invalid, message: /^tokenizer\.decode/ });
  const silent = await wf.model(config, {
    tokenizer: { encode: () => assert.fail("spoilt"), decode: String },
  });
  refused(() => silent.run("12"), invalid, /^tokenizer\.encode: threw/);
});

test("an object disposed of while an argument is read is refused as disposed", async () => {
  const fresh = {
    cache: () => attention.cache({ capacity: 9 }),
    scheme: () => wf.scheme("rope", sizes),
    matrix: () => wf.matrix(square(1)),
    tensor: () => wf.tensor(square(1)),
  };
  const disposing = (object, value) => meddling(value, () => object.dispose());
  const uses = {
    cache: (cache) =>
      attention.decode(cache, { q: one(q), k: one(k), v: disposing(cache, one(v)) }),
    scheme: (scheme) => scheme.rotate(disposing(scheme, one(q))),
    matrix: (matrix) => wf.matmul(disposing(matrix, square(2)), matrix),
    tensor: (tensor) => wf.matmul(tensor, disposing(tensor, square(2))),
  };
  for (const [kind, use] of Object.entries(uses)) refused(() => use(fresh[kind]()), "disposed");
  const own = wf.attention({ scheme: rope });
  refused(() => own.run({ q: one(q), k: one(k), v: disposing(own, one(v)) }), "disposed");
  const scheme = wf.scheme("alibi", sizes);
  refused(() => wf.attention(meddling({ scheme }, () => scheme.dispose())), "disposed");
  const model = await wf.model(config);
  refused(() => model.run([1], disposing(model, {})), "disposed");
  refused(() => model.generate([1], disposing(model, {})), "disposed");
  refused(() => model.save(disposing(model, {})), "disposed");
  goesOn();
});

test("a cache that grows while an argument is read is used at its new length", () => {
  const step = (from, act = () => {}) => ({
    q: one(q, from),
    k: one(k, from),
    v: meddling(one(v, from), act),
  });
  const cache = attention.cache({ capacity: 30 });
  const twin = attention.cache({ capacity: 30 });
  let isFilled = false;
  const fill = () => {
    if (isFilled) return;
    isFilled = true;
    attention.decode(cache, step(0));
  };
  const found = attention.decode(cache, step(1, fill)).output.data;
  attention.decode(twin, step(0));
  near(found, attention.decode(twin, step(1)).output.data, 0);
  assert.equal(cache.length, 10);
});

/** An operand whose memory is detached when `take` is called. */
function lent(shape, seed) {
  const { data } = scattered(shape, seed);
  const bytes = data.byteLength;
  const canShrink = "resizable" in ArrayBuffer.prototype;
  const buffer = canShrink
    ? new ArrayBuffer(bytes, { maxByteLength: bytes })
    : new ArrayBuffer(bytes);
  new Float32Array(buffer).set(data);
  const ways = [() => structuredClone(buffer, { transfer: [buffer] })];
  if (canShrink) ways.push(() => buffer.resize(16));
  const views = [new Float32Array(buffer, 0, data.length)];
  if (canShrink) views.push(new Float32Array(buffer));
  return { views, ways, shape };
}

/** Each call with an operand whose memory is detached while a later argument is read. */
const late = {
  "softmax's x": (x, take) => wf.softmax(x([8, 8]), meddling({ out: new Float32Array(64) }, take)),
  "softmax's x, by its out": (x, take) =>
    wf.softmax(x([8, 8]), { out: meddling({ data: new Float32Array(64) }, take) }),
  "layerNorm's x": (x, take) => wf.layerNorm(x([4, 8]), { bias: meddling(scattered([8]), take) }),
  "rotate's x": (x, take) => rope.rotate(x([4, 5, 8]), meddling([0, 1, 2, 3, 4], take)),
  "matmul's a": (x, take) => wf.matmul(x([8, 8]), meddling(square(2), take)),
  "matrix's b": (x, take) => {
    const shape = [8, 8];
    const b = x(shape);
    b.shape = meddling(shape, take);
    return wf.matrix(b);
  },
  "tensor's value": (x, take) => {
    const shape = [8, 8];
    const value = x(shape);
    value.shape = meddling(shape, take);
    return wf.tensor(value);
  },
  "q of a batch": (x, take) => attention.run({ q: x([2, 4, 5, 8]), k: meddling(k, take), v }),
  "q of a batch, by its out": (x, take) =>
    attention.run({
      q: x([2, 4, 5, 8]),
      k,
      v,
      out: meddling({ data: new Float32Array(320) }, take),
    }),
  "a mask": (x, take) =>
    attention.run({ q, k, v, mask: x([2, 1, 5, 5]), region: meddling({}, take) }),
  "decode's k": (x, take) =>
    attention.decode(attention.cache({ capacity: 5 }), {
      q: one(q),
      k: x([4, 5, 8]),
      v: meddling(one(v), take),
    }),
};

for (const [what, call] of Object.entries(late)) {
  test(`${what}: memory detached while the arguments are read is refused`, () => {
    const { ways, views } = lent([8, 8], 1);
    for (let way = 0; way < ways.length; way++)
      for (let view = 0; view < views.length; view++) {
        let given;
        const x = (shape) => {
          given = lent(shape, 4);
          return { data: given.views[view], shape };
        };
        let isTaken = false;
        const take = () => {
          if (!isTaken) given.ways[way]();
          isTaken = true;
        };
        refused(() => call(x, take), invalid, /: .* \(expected /);
        assert.ok(isTaken);
        goesOn();
      }
  });
}

test("a result's memory detached while the arguments are read is refused", () => {
  const buffer = new ArrayBuffer(256);
  const out = new Float32Array(buffer);
  const take = () => structuredClone(buffer, { transfer: [buffer] });
  const given = meddling({ data: out }, () => buffer.byteLength && take());
  refused(
    () => wf.softmax(square(1), { out: given }),
    invalid,
    /^out: a Float32Array whose memory was transferred/,
  );
});
