// Plain JavaScript: straightforward loops over Float32Array. Their results are also the reference
// for the others', if the loops are not too slow. They are shown beside the peers, and do not count
// for the bars.

const sync = (run) => [{ name: "plain JavaScript", run, isAsync: false, isRuntime: false }];

function multiply(a, b, c, { m, k, n }) {
  c.fill(0);
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      const factor = a[i * k + p];
      for (let j = 0; j < n; j++) c[i * n + j] += factor * b[p * n + j];
    }
  }
  return c;
}

function softmaxRow(row) {
  let max = Number.NEGATIVE_INFINITY;
  for (const value of row) if (value > max) max = value;
  let sum = 0;
  for (let j = 0; j < row.length; j++) {
    row[j] = Math.exp(row[j] - max);
    sum += row[j];
  }
  for (let j = 0; j < row.length; j++) row[j] /= sum;
}

function attend({ q, k, v, bias }, { heads, tokens, width }) {
  const output = new Float32Array(q.length);
  const weights = new Float32Array(tokens);
  const scale = 1 / Math.sqrt(width);
  for (let h = 0; h < heads; h++) {
    const base = h * tokens * width;
    for (let i = 0; i < tokens; i++) {
      const at = base + i * width;
      for (let j = 0; j < tokens; j++) {
        const other = base + j * width;
        let sum = 0;
        for (let c = 0; c < width; c++) sum += q[at + c] * k[other + c];
        weights[j] = sum * scale + (bias ? bias[(h * tokens + i) * tokens + j] : 0);
      }
      softmaxRow(weights);
      for (let j = 0; j < tokens; j++) {
        const other = base + j * width;
        for (let c = 0; c < width; c++) output[at + c] += weights[j] * v[other + c];
      }
    }
  }
  return output;
}

function normalise({ x, weight, bias }, { rows, width, epsilon }) {
  const output = new Float32Array(x.length);
  for (let i = 0; i < rows; i++) {
    const row = x.subarray(i * width, (i + 1) * width);
    let mean = 0;
    for (const value of row) mean += value / width;
    let variance = 0;
    for (const value of row) variance += (value - mean) ** 2 / width;
    const factor = 1 / Math.sqrt(variance + epsilon);
    for (let j = 0; j < width; j++)
      output[i * width + j] = (row[j] - mean) * factor * weight[j] + bias[j];
  }
  return output;
}

function rotate({ x, cosine, sine }, { heads, tokens, width }) {
  const output = new Float32Array(x.length);
  const half = width / 2;
  for (let h = 0; h < heads; h++) {
    for (let t = 0; t < tokens; t++) {
      const at = (h * tokens + t) * width;
      for (let i = 0; i < half; i++) {
        const c = cosine[t * half + i];
        const s = sine[t * half + i];
        output[at + i] = x[at + i] * c - x[at + half + i] * s;
        output[at + half + i] = x[at + half + i] * c + x[at + i] * s;
      }
    }
  }
  return output;
}

/** Maximum operations for plain JavaScript: a row with more would spend its whole time on it. */
const maxOperations = 1e8;

export const open = async () => ({
  matmul: ({ a, b }, sizes) =>
    2 * sizes.m * sizes.k * sizes.n > maxOperations
      ? []
      : sync(() => multiply(a, b, new Float32Array(sizes.m * sizes.n), sizes)),
  softmax: ({ x }, { rows, width }) =>
    sync(() => {
      const output = Float32Array.from(x);
      for (let i = 0; i < rows; i++) softmaxRow(output.subarray(i * width, (i + 1) * width));
      return output;
    }),
  layerNorm: (inputs, sizes) => sync(() => normalise(inputs, sizes)),
  rotary: (inputs, sizes) => sync(() => rotate(inputs, sizes)),
  attention: (inputs, sizes) =>
    4 * sizes.heads * sizes.tokens ** 2 * sizes.width > maxOperations
      ? []
      : sync(() => attend(inputs, sizes)),
});
