// Reads docs/formulas.md: each pair of a scheme of this project and the same as formulas must
// give equal attention, decoding, additions, and weights after training. Prints the largest
// deviations.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { load } from "../../dist/index.js";
import { safetensors, tensorOf } from "./safetensors.mjs";
import { scattered } from "./scattered.mjs";

const wf = await load({ variant: "simd", training: true });
const text = readFileSync(new URL("../../docs/formulas.md", import.meta.url), "utf8");
const sizes = { numHeads: 4, headDim: 16 };
const tokens = 24;

/** The arguments of both calls of a pair. */
const pairs = [...text.matchAll(/^```js\n(wf\.scheme\([\s\S]*?)^```$/gm)]
  .map(([, code]) => {
    const calls = [];
    new Function("wf", "sizes", code)({ scheme: (...call) => calls.push(call) }, sizes);
    return calls;
  })
  .filter(([[first]]) => first !== "formula");

const found = [];
after(() => console.table(Object.fromEntries(found)));

const largest = (a, b) => {
  assert.equal(a.length, b.length);
  return a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);
};

/** The numbers of a matrix of a built-in scheme for a parameter, which may be its transpose. */
function fitted({ data, shape }, wanted) {
  if (shape.join() === wanted.join()) return data;
  assert.deepEqual([...shape].reverse(), wanted, "the transpose");
  const [rows, columns] = shape;
  return Float32Array.from({ length: data.length }, (_, i) => {
    const [column, row] = [Math.floor(i / rows), i % rows];
    return data[row * columns + column];
  });
}

const optionsOf = ({ numHeads: _h, headDim: _d, parameters: _p, ...options }) => options;

/** Both schemes of a pair, with equal parameters. */
function made([[id, given], [, written]]) {
  const built = wf.scheme(id, { ...given, parameters: 3 });
  const plain = wf.scheme("formula", written);
  const own = Object.values(plain.parameters());
  const numbers = Object.values(built.parameters());
  assert.equal(own.length, numbers.length, "as many parameters");
  const names = Object.keys(written.parameters ?? {});
  const parameters = Object.fromEntries(
    names.map((name, p) => [
      name,
      { ...written.parameters[name], initial: fitted(numbers[p], own[p].shape) },
    ]),
  );
  plain.dispose();
  return [built, wf.scheme("formula", { ...written, ...(names.length ? { parameters } : {}) })];
}

/** Positions of tokens in a text, or on a grid of 4 rows. */
const placesOf = (axes) =>
  axes < 2
    ? undefined
    : {
        data: [...Array(32).keys()].map((i) => (i < 16 ? i >> 2 : i % 4)),
        shape: [2, 16],
      };

function attend(scheme, axes) {
  const count = axes < 2 ? tokens : 16;
  const [q, k, v] = [1, 2, 3].map((seed) => scattered([4, count, 16], seed));
  const positions = placesOf(axes);
  const attention = wf.attention({ scheme, isCausal: axes < 2 });
  const at = positions && { positions, keyPositions: positions };
  const { output } = attention.run({ q, k, v, ...at });
  const decoded = [];
  if (axes < 2) {
    const cache = attention.cache({ capacity: count });
    const rows = (x, from, to) => ({
      data: Float32Array.from(
        [0, 1, 2, 3].flatMap((h) =>
          Array.from(x.data.subarray((h * count + from) * 16, (h * count + to) * 16)),
        ),
      ),
      shape: [4, to - from, 16],
    });
    for (const [from, to] of [
      [0, 20],
      [20, 21],
      [21, 24],
    ]) {
      const part = { q: rows(q, from, to), k: rows(k, from, to), v: rows(v, from, to) };
      decoded.push(...attention.decode(cache, part).output.data);
    }
  }
  attention.dispose();
  return { output: output.data, decoded };
}

const ids = Array.from({ length: 300 }, (_, i) => (i * i + (i >> 3)) % 11);
const configOf = (scheme) => ({
  vocabSize: 12,
  hiddenSize: 64,
  numLayers: 2,
  numHeads: 4,
  intermediateSize: 48,
  scheme,
  seed: 5,
});

/** Every tensor of a model's file, by name. */
function tensorsOf(bytes) {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const names = Object.keys(header).filter((name) => name !== "__metadata__");
  return Object.fromEntries(names.map((name) => [name, tensorOf(bytes, name)]));
}

/** Models of both after three steps: losses and tensors, and the other's name of a tensor. */
async function trained([[id, given], [, { parameters, ...written }]]) {
  const configs = [
    configOf({ id, options: optionsOf(given) }),
    configOf({
      id: "formula",
      options: { ...optionsOf(written), ...(parameters && { parameters }) },
    }),
  ];
  const first = await wf.model(configs[0]);
  const other = await wf.model(configs[1]);
  const [from, to] = [first, other].map((model) => tensorsOf(model.save()));
  const declared = Object.keys(parameters ?? {});
  const built = wf.scheme(id, given);
  const builtNames = Object.keys(built.parameters());
  built.dispose();
  const nameOf = (name) => {
    const [, place, own] = /^(.*position\.)formula\.(.*)$/.exec(name) ?? [];
    return own ? `${place}${id}.${builtNames[declared.indexOf(own)]}` : name;
  };
  for (const [name, tensor] of Object.entries(to))
    tensor.data = fitted(from[nameOf(name)], tensor.shape);
  const model = await wf.model({ config: configs[1], weights: safetensors(to) });
  const results = [first, model].map((start) => {
    const trainer = wf.trainer({
      model: start,
      task: { id: "language_model", ids },
      batchSize: 4,
      length: 16,
      totalSteps: 3,
      weightDecay: 0,
      learningRate: 1e-3,
      seed: 2,
    });
    const losses = trainer.step(3);
    const result = { losses, tensors: tensorsOf(trainer.model().save()) };
    trainer.dispose();
    return result;
  });
  for (const one of [first, other, model]) one.dispose();
  return { results, nameOf };
}

for (const pair of pairs) {
  const [[id, given], [, written]] = pair;
  const { numHeads: _h, headDim: _d, ...options } = given;
  const title = `${id} ${JSON.stringify(options)}`;
  const { positionAxes: axes } = wf.schemes.find((scheme) => scheme.id === id);
  const row = {};
  found.push([title.slice(0, 60), row]);

  test(`${title}: equal attention and decoding`, () => {
    if ("add" in written) return;
    const [built, own] = made(pair);
    const [a, b] = [built, own].map((scheme) => attend(scheme, axes));
    row.attention = largest(a.output, b.output);
    assert.ok(row.attention < 4e-6, `${row.attention}`);
    if (axes < 2) {
      row.decoding = largest(a.decoded, b.decoded);
      assert.ok(row.decoding < 4e-6, `${row.decoding}`);
    }
    for (const scheme of [built, own]) scheme.dispose();
  });

  test(`${title}: equal additions to token vectors`, () => {
    if (!("add" in written)) return;
    const [built, own] = made(pair);
    const positions = placesOf(axes) ?? [...Array(40).keys()];
    const [a, b] = [built, own].map((scheme) => scheme.embeddings(positions).data);
    row.addition = largest(a, b);
    assert.ok(row.addition < 1e-6, `${row.addition}`);
    for (const scheme of [built, own]) scheme.dispose();
  });

  test(`${title}: equal weights after three steps`, async () => {
    if (axes > 1) return;
    const { results, nameOf } = await trained(pair);
    row.losses = largest(results[0].losses, results[1].losses);
    assert.ok(row.losses < 2e-5, `${row.losses}`);
    const [a, b] = results.map(({ tensors }) => tensors);
    row.weights = 0;
    for (const [name, { data, shape }] of Object.entries(b)) {
      const wanted = fitted(a[nameOf(name)], shape);
      // AdamW divides by the size of a gradient, so that one near 0 may change its sign.
      const differing = data.filter((x, i) => Math.abs(x - wanted[i]) > 1e-4).length;
      assert.ok(differing <= data.length / 50, `${name}: ${differing} of ${data.length}`);
      row.weights = Math.max(row.weights, largest(data, wanted));
    }
  });
}

test("the file has the schemes that it names", () => {
  const named = new Set(pairs.map(([[id]]) => id));
  const wanted = ["nope", "integer", "one_hot", "sinusoidal", "learned", "t5", "alibi", "kerple"];
  const more = ["sandwich", "rope", "xpos", "sinusoidal_2d", "learned_2d", "rope_2d", "swin"];
  assert.deepEqual(
    [...wanted, ...more].filter((id) => !named.has(id)),
    [],
  );
  const kinds = wf.schemes
    .find(({ id }) => id === "rope")
    .options.find(({ key }) => key === "ropeScaling.ropeType").choices;
  const scalings = new Set(pairs.map(([[, options]]) => options.ropeScaling?.ropeType));
  assert.deepEqual(
    kinds.filter((kind) => kind !== "default" && !scalings.has(kind)),
    [],
  );
});
