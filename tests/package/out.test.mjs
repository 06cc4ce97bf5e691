// The caller's memory for results, and matrices stored in the engine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engines, scattered, wf } from "./golden.mjs";

const rope = wf.scheme("rope", { numHeads: 3, headDim: 8 });
const alibi = wf.scheme("alibi", { numHeads: 3, headDim: 8 });
const sinusoidal = wf.scheme("sinusoidal", { numHeads: 3, headDim: 8 });
const attention = wf.attention({ scheme: alibi, isCausal: true });
const heads = (seed) => scattered([3, 5, 8], seed);
const entries = (seed) => scattered([2, 3, 5, 8], seed);
const q = heads(1);
const k = heads(2);
const v = heads(3);
const long = scattered([300, 200], 4);
const weights = wf.matrix(scattered([8, 7], 5));

/** Every call that takes `out`, as a function of it, with the length of its result. */
const calls = {
  matmul: [(out) => wf.matmul(scattered([4, 8]), scattered([8, 9]), { out }), 36],
  "matmul by a matrix": [(out) => wf.matmul(scattered([4, 8]), weights, { out }), 28],
  "softmax in pieces": [(out) => wf.softmax(long, { out }), 60_000],
  "layerNorm in pieces": [(out) => wf.layerNorm(long, { out }), 60_000],
  "rmsNorm in pieces": [(out) => wf.rmsNorm(long, undefined, { out }), 60_000],
  rotate: [(out) => rope.rotate(q, undefined, { out }), 120],
  embeddings: [(out) => sinusoidal.embeddings([0, 3], { out }), 48],
  bias: [(out) => alibi.bias([4], [0, 2], { out }), 6],
  "attention.run": [(out) => attention.run({ q, k, v, out }).output, 120],
  "attention.run of a batch": [
    (out) => attention.run({ q: entries(1), k: entries(2), v: entries(3), out }).output,
    240,
  ],
  "attention.decode": [
    (out) => attention.decode(attention.cache({ capacity: 5 }), { q, k, v, out }).output,
    120,
  ],
};

for (const [name, [call, length]] of Object.entries(calls)) {
  test(`${name} writes into the given memory, and refuses any other length`, () => {
    const expected = call();
    assert.equal(expected.data.length, length);
    const out = new Float32Array(length).fill(7);
    const found = call(out);
    assert.equal(found.data, out);
    assert.deepEqual(found, expected);
    // Repeated, with the last call's data still in the engine's memory.
    const tensor = { data: new Float32Array(length + 4).subarray(3, length + 3), shape: [length] };
    assert.equal(call(tensor).data, tensor.data);
    assert.deepEqual(tensor.data, expected.data);
    const refused = (value, message) =>
      assert.throws(() => call(value), { code: "invalid_argument", message });
    refused(
      new Float32Array(length + 1),
      new RegExp(`^out\\.length: ${length + 1}.* ${length}\\)$`),
    );
    refused(new Float64Array(length), /^out: a Float64Array \(expected a Float32Array/);
    refused({ data: [1], shape: [1] }, /^out: an object/);
    refused(null, /^out: null/);
  });
}

test("out may be an argument's memory, or overlap it", () => {
  for (const shift of [0, 1, 5000]) {
    for (const [name, call] of [
      ["softmax", (x, options) => wf.softmax(x, options)],
      ["layerNorm", (x, options) => wf.layerNorm(x, options)],
      ["rmsNorm", (x, options) => wf.rmsNorm(x, undefined, options)],
    ]) {
      const expected = call(long).data;
      const memory = new Float32Array(long.data.length + 5000);
      const x = { data: memory.subarray(0, long.data.length), shape: long.shape };
      x.data.set(long.data);
      const out = memory.subarray(shift, shift + long.data.length);
      assert.deepEqual(call(x, { out }).data, expected, `${name}, ${shift}`);
    }
  }
  const x = { data: Float32Array.from(long.data), shape: long.shape };
  const weight = { data: x.data.subarray(0, 200), shape: [200] };
  const expected = wf.layerNorm(x, { weight }).data;
  assert.deepEqual(wf.layerNorm(x, { weight, out: x }).data, expected);
  const square = scattered([6, 6], 9);
  const product = wf.matmul(square, square).data;
  assert.deepEqual(wf.matmul(square, square, { out: square }).data, product);
  const batch = { q: entries(1), k: entries(2), v: entries(3) };
  const { output } = attention.run(batch);
  assert.deepEqual(attention.run({ ...batch, out: batch.v }).output.data, output.data);
  assert.equal(attention.run({ ...batch, out: batch.v }).output.data, batch.v.data);
});

test("a loop with `out` allocates no memory", () => {
  const out = new Float32Array(60_000);
  const x = { data: Float32Array.from(long.data), shape: long.shape };
  const loop = (options) => {
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    for (let i = 0; i < 20; i++) {
      wf.softmax(x, options);
      wf.layerNorm(x, options);
      wf.rmsNorm(x, undefined, options);
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    return most;
  };
  loop({ out });
  const inEngine = wf.memory();
  assert.ok(loop({ out }) < 4 * out.length, "more than one result was allocated");
  // Without `out`, the same loop allocates memory.
  assert.ok(loop({}) >= 4 * out.length);
  assert.equal(wf.memory(), inEngine);
});

test("a matrix gives the same products as the tensor it was made from", () => {
  for (const [m, kk, n] of [
    [1, 5, 3],
    [2, 7, 17],
    [3, 576, 33],
    [4, 300, 40],
    [80, 513, 521],
  ]) {
    const a = scattered([m, kk], 1);
    for (const transposeB of [false, true]) {
      const b = scattered(transposeB ? [n, kk] : [kk, n], 2);
      const matrix = wf.matrix(b, { transposeB });
      assert.deepEqual(matrix.shape, [kk, n]);
      const found = wf.matmul(a, matrix);
      assert.deepEqual(found.shape, [m, n]);
      for (let i = 0; i < m; i++)
        for (let j = 0; j < n; j += 7) {
          let sum = 0;
          for (let p = 0; p < kk; p++)
            sum += a.data[i * kk + p] * b.data[transposeB ? j * kk + p : p * n + j];
          const difference = Math.abs(found.data[i * n + j] - sum);
          assert.ok(
            difference < 2e-7 * kk,
            `[${i},${j}] of ${[m, kk, n]}: deviation of ${difference}`,
          );
        }
      matrix.dispose();
      matrix.dispose();
      assert.throws(() => wf.matmul(a, matrix), { code: "disposed", message: /the matrix was/ });
    }
  }
});

test("operands that do not fit a matrix are refused by name", () => {
  const refused = (call, message, code = "invalid_argument") =>
    assert.throws(call, { code, message });
  const a = scattered([2, 3]);
  refused(
    () => wf.matmul(a, weights),
    /^b\.shape: \[8, 7\] \(expected \[3,N\], since a has 3 columns/,
  );
  refused(() => wf.matmul(a, weights, { transposeB: true }), /^transposeB: true \(expected undef/);
  refused(() => wf.matrix(scattered([3])), /^b\.shape: \[3\] \(expected \[K,N\]/);
  refused(() => wf.matrix(scattered([3, 3]), { transpose: true }), /"transpose"/, "unknown_option");
  const bad = scattered([2, 2]);
  bad.data[2] = Number.POSITIVE_INFINITY;
  refused(() => wf.matrix(bad), /^b\.data\[2\]: Infinity \(expected a finite/);
  refused(() => wf.matmul(bad, wf.matrix(scattered([2, 2]))), /^a\.data\[2\]: Infinity/);
  refused(
    () => engines.relaxed.matmul(a, weights),
    /^b: a matrix \(expected a matrix of the same engine/,
  );
});
