// Tensors stored in the engine: the same results as with arrays, and errors by name.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engines, scattered, wf } from "./golden.mjs";

const rope = wf.scheme("rope", { numHeads: 3, headDim: 8 });
const attention = wf.attention({ scheme: rope });
const heads = (seed) => scattered([3, 5, 8], seed);
const entries = (seed) => scattered([2, 3, 5, 8], seed);
const long = scattered([300, 200], 4);
const vector = (seed) => scattered([200], seed);

/** Returns a mask for [2,3,5,5] that hides the last key and adds to the others. */
function maskFor(shape) {
  const mask = scattered(shape, 9);
  for (let i = 4; i < mask.data.length; i += 5) mask.data[i] = -Infinity;
  return mask;
}

/** Calls by name, as functions of the form in which an operand is passed. */
const calls = {
  matmul: (as) => wf.matmul(as(scattered([4, 8], 1)), as(scattered([8, 9], 2))),
  "matmul, transposed": (as) =>
    wf.matmul(scattered([4, 8], 1), as(scattered([9, 8], 2)), { transposeB: true }),
  matrix: (as) => wf.matmul(as(scattered([4, 8], 1)), wf.matrix(as(scattered([8, 9], 2)))),
  softmax: (as) => wf.softmax(as(long)),
  layerNorm: (as) => wf.layerNorm(as(long), { weight: as(vector(1)), bias: as(vector(2)) }),
  rmsNorm: (as) => wf.rmsNorm(as(long), as(vector(1))),
  rotate: (as) => rope.rotate(as(heads(1)), [0, 3, 4, 9, 1]),
  "attention.run": (as) =>
    attention.run({ q: as(heads(1)), k: as(heads(2)), v: heads(3), mask: as(maskFor([3, 5, 5])) })
      .output,
  "attention.run of a batch": (as) =>
    attention.run({
      q: as(entries(1)),
      k: as(entries(2)),
      v: as(entries(3)),
      mask: as(maskFor([2, 1, 5, 5])),
    }).output,
  "attention.decode": (as) =>
    attention.decode(attention.cache({ capacity: 5 }), {
      q: as(heads(1)),
      k: as(heads(2)),
      v: as(heads(3)),
    }).output,
};

for (const [name, call] of Object.entries(calls)) {
  test(`${name}: a stored tensor gives the same as its numbers, and does not change`, () => {
    const expected = call((value) => value);
    const kept = [];
    const as = (value) => {
      kept.push({ tensor: wf.tensor(value), value });
      return kept.at(-1).tensor;
    };
    assert.deepEqual(call(as), expected);
    assert.ok(kept.length > 0);
    for (const { tensor, value } of kept) {
      assert.deepEqual(tensor.shape, value.shape);
      assert.deepEqual(tensor.read(), { data: value.data, shape: [...value.shape] });
      tensor.dispose();
    }
  });
}

test("a tensor is a copy, survives growth of memory, and can be read into given memory", () => {
  const given = scattered([3, 4], 1);
  const tensor = wf.tensor(given);
  const before = given.data.slice();
  given.data.fill(0);
  const bytes = wf.memory();
  const large = wf.tensor({ data: new Float32Array(bytes / 4), shape: [bytes / 4] });
  assert.ok(wf.memory() > bytes, "memory did not grow");
  const out = new Float32Array(12);
  assert.equal(tensor.read({ out }).data, out);
  assert.deepEqual(out, before);
  large.dispose();
  assert.deepEqual(
    wf.tensor({ data: [1, -Infinity], shape: [2] }).read().data,
    Float32Array.of(1, -Infinity),
  );
  assert.throws(() => tensor.read({ out: new Float32Array(3) }), { message: /^out\.length: 3/ });
});

test("values that cannot be a tensor, or not in this argument, are refused by name", () => {
  const refused = (call, message, code = "invalid_argument") =>
    assert.throws(call, { code, message });
  const holding = (number) => ({ data: Float32Array.of(1, 2, number, 4), shape: [2, 2] });
  refused(
    () => wf.tensor(holding(NaN)),
    /^value\.data\[2\]: NaN \(expected a finite number or -Inf/,
  );
  refused(() => wf.tensor(holding(Infinity)), /^value\.data\[2\]: Infinity/);
  refused(() => wf.tensor({ data: [1, 2], shape: [3] }), /^value\.shape: \[3\]/);
  refused(
    () => wf.tensor(new Float32Array(3)),
    /^value: a Float32Array \(expected \{ data, shape \}/,
  );
  const hidden = wf.tensor(holding(-Infinity));
  refused(
    () => wf.matmul(hidden, holding(3)),
    /^a: a tensor \(expected a tensor of finite numbers; this/,
  );
  refused(() => wf.softmax(hidden), /^x: a tensor \(expected a tensor of finite/);
  const tensor = wf.tensor(holding(3));
  refused(() => wf.matmul(scattered([2, 3]), tensor), /^b\.shape: \[2, 2\] \(expected \[3,N\]/);
  refused(() => rope.rotate(tensor), /^x\.shape: \[2, 2\] \(expected \[H,T,D\]/);
  refused(() => engines.relaxed.matmul(tensor, holding(3)), /^a: .* a tensor of the same engine/);
  const q = heads(1);
  refused(
    () => attention.run({ q, k: q, v: q, mask: tensor }),
    /^mask\.shape: \[2, 2\] \(expected /,
  );
  tensor.dispose();
  tensor.dispose();
  refused(() => wf.matmul(tensor, holding(3)), /the tensor was disposed/, "disposed");
  refused(() => tensor.read(), /the tensor was disposed/, "disposed");
});

test("a number that is not finite in an operand is found; overflow is allowed", () => {
  const sizes = [5, 7, 6];
  const [m, k, n] = sizes;
  for (const number of [NaN, Infinity, -Infinity]) {
    for (let place = 0; place < m * k; place++) {
      const a = scattered([m, k], 1);
      a.data[place] = number;
      assert.throws(() => wf.matmul(a, scattered([k, n], 2)), {
        message: new RegExp(`^a\\.data\\[${place}\\]`),
      });
    }
    for (let place = 0; place < k * n; place++) {
      for (const transposeB of [false, true]) {
        const b = scattered(transposeB ? [n, k] : [k, n], 2);
        b.data[place] = number;
        const call = () => wf.matmul(scattered([m, k], 1), b, { transposeB });
        assert.throws(call, { message: new RegExp(`^b\\.data\\[${place}\\]`) });
      }
    }
  }
  const huge = { data: [3e38, 1], shape: [2, 1] };
  assert.deepEqual(
    wf.matmul(huge, { data: [10], shape: [1, 1] }).data,
    Float32Array.of(Infinity, 10),
  );
});
