// The plain kernels: products of matrices, softmax, layer norm.
import assert from "node:assert/strict";
import { test } from "node:test";
import { wf } from "./golden.mjs";

function random(...shape) {
  let state = 7 + shape.length;
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state / 2 ** 31 - 1;
  };
  return { shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, next) };
}

const close = (found, expected, tolerance) => {
  assert.equal(found.length, expected.length);
  found.forEach((x, i) => {
    assert.ok(Math.abs(x - expected[i]) <= tolerance, `[${i}]: ${x}, expected ${expected[i]}`);
  });
};

for (const [m, k, n] of [
  [1, 1, 1],
  [3, 5, 7],
  [13, 300, 41],
  [80, 33, 520],
]) {
  test(`a [${m},${k}] by [${k},${n}] is the sum of products, with b plain or transposed`, () => {
    const a = random(m, k);
    const b = random(k, n);
    const transposed = { shape: [n, k], data: new Float32Array(n * k) };
    const expected = new Float64Array(m * n);
    for (let j = 0; j < n; j++)
      for (let p = 0; p < k; p++) {
        transposed.data[j * k + p] = b.data[p * n + j];
        for (let i = 0; i < m; i++) expected[i * n + j] += a.data[i * k + p] * b.data[p * n + j];
      }
    // Rounding error of the largest sum of 300 products of numbers below 1, in float32.
    const tolerance = 2e-7 * k;
    const plain = wf.matmul(a, b);
    assert.deepEqual(plain.shape, [m, n]);
    close(plain.data, expected, tolerance);
    close(wf.matmul(a, transposed, { transposeB: true }).data, expected, tolerance);
  });
}

test("softmax is over the last axis and does not overflow", () => {
  const x = random(2, 3, 9);
  x.data[4] = 3e38;
  const { data, shape } = wf.softmax(x);
  assert.deepEqual(shape, [2, 3, 9]);
  for (let row = 0; row < 6; row++) {
    const values = [...x.data.subarray(9 * row, 9 * row + 9)];
    const most = Math.max(...values);
    const powers = values.map((value) => Math.exp(value - most));
    const sum = powers.reduce((a, b) => a + b);
    close(
      data.subarray(9 * row, 9 * row + 9),
      powers.map((power) => power / sum),
      2e-7,
    );
  }
});

test("layer norm has mean 0 and variance 1 before weight and bias", () => {
  const x = random(4, 37);
  const weight = random(37);
  const bias = { shape: [37], data: random(2, 37).data.subarray(0, 37) };
  const expected = [];
  for (let row = 0; row < 4; row++) {
    const values = [...x.data.subarray(37 * row, 37 * row + 37)];
    const mean = values.reduce((a, b) => a + b) / 37;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 37;
    values.forEach((value, i) => {
      const normed = (value - mean) / Math.sqrt(variance + 1e-6);
      expected.push(normed * weight.data[i] + bias.data[i]);
    });
  }
  close(wf.layerNorm(x, { weight, bias, epsilon: 1e-6 }).data, expected, 2e-6);
  assert.deepEqual(wf.layerNorm(x).shape, [4, 37]);
});

test("a number that is not finite, and sizes that do not match, are refused by name", () => {
  const a = random(2, 3);
  const b = random(3, 4);
  b.data[5] = Number.NaN;
  const message = (pattern) => ({ code: "invalid_argument", message: pattern });
  assert.throws(() => wf.matmul(a, b), message(/^b\.data\[5\]: NaN \(expected a finite/));
  assert.throws(() => wf.softmax(b), message(/^x\.data\[5\]: NaN/));
  assert.throws(() => wf.layerNorm(b), message(/^x\.data\[5\]: NaN/));
  assert.throws(
    () => wf.matmul(a, random(4, 3)),
    message(/^b\.shape: \[4, 3\] \(expected \[3,N\]/),
  );
  assert.throws(
    () => wf.layerNorm(a, { weight: random(4) }),
    message(/^weight\.shape: \[4\] \(expected \[3\]/),
  );
});

test("rmsNorm divides each row by the root of its mean square, times the weight", () => {
  const x = random(2, 3, 37);
  const weight = random(37);
  const epsilon = 1e-3;
  const expected = Array.from(x.data, (value, i) => {
    const row = x.data.subarray(i - (i % 37), i - (i % 37) + 37);
    const meanSquare = row.reduce((sum, one) => sum + one * one, 0) / 37;
    return (value / Math.sqrt(meanSquare + epsilon)) * weight.data[i % 37];
  });
  const { data, shape } = wf.rmsNorm(x, weight, { epsilon });
  assert.deepEqual(shape, [2, 3, 37]);
  close(data, expected, 2e-6);
  const out = new Float32Array(6 * 37);
  assert.equal(wf.rmsNorm(wf.tensor(x), wf.tensor(weight), { epsilon, out }).data, out);
  assert.deepEqual(out, data);
  const ones = { data: new Float32Array(37).fill(1), shape: [37] };
  assert.deepEqual(wf.rmsNorm(x), wf.rmsNorm(x, ones, { epsilon: 1e-5 }));
  assert.throws(() => wf.rmsNorm(x, random(36)), { message: /^weight\.shape: \[36\] \(expected / });
  assert.throws(() => wf.rmsNorm(x, weight, { epsilon: -1 }), { message: /^epsilon: -1/ });
  assert.throws(() => wf.rmsNorm({ data: Float32Array.of(NaN), shape: [1] }), {
    message: /^x\.data\[0\]: NaN/,
  });
});
