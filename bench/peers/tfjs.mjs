// TensorFlow.js on its WebAssembly backend. Its batched products are slow, so attention is written
// by hand as matrix products for each head, which is its fastest form.

import { headAttention } from "./tfjs-attention.mjs";
import { tfjsBlock } from "./tfjs-block.mjs";
import { tfjsTraining } from "./tfjs-training.mjs";

const form = (run, tensors = []) => [
  {
    name: "TensorFlow.js",
    isAsync: false,
    run,
    dispose: () => {
      for (const tensor of tensors.flat()) tensor.dispose();
    },
  },
];

/** Runs operations and returns the numbers of the result; frees intermediate tensors. */
const numbers = (tf, work) => {
  const result = tf.tidy(work);
  const data = result.dataSync();
  result.dispose();
  return data;
};

function attention(tf, { q, k, v, bias }, { heads, tokens, width }) {
  const split = (data, columns) =>
    Array.from({ length: heads }, (_, h) => {
      const size = tokens * columns;
      return tf.tensor2d(data.subarray(h * size, (h + 1) * size), [tokens, columns]);
    });
  const parts = {
    q: split(q, width),
    k: split(k, width),
    v: split(v, width),
    bias: bias ? split(bias, tokens) : [],
  };
  const work = () =>
    tf.stack(
      parts.q.map((q, h) => {
        const head = { q, k: parts.k[h], v: parts.v[h], bias: parts.bias[h] };
        // Frees each head's tensors before the next head.
        return tf.tidy(() => headAttention(tf, head, width));
      }),
    );
  return form(() => numbers(tf, work), Object.values(parts));
}

function layerNorm(tf, { x, weight, bias }, { rows, width, epsilon }) {
  const input = tf.tensor2d(x, [rows, width]);
  const factor = tf.tensor1d(weight);
  const shift = tf.tensor1d(bias);
  const work = () => {
    const centred = tf.sub(input, tf.mean(input, 1, true));
    const variance = tf.mean(tf.square(centred), 1, true);
    const normal = tf.mul(centred, tf.rsqrt(tf.add(variance, epsilon)));
    return tf.add(tf.mul(normal, factor), shift);
  };
  return form(() => numbers(tf, work), [input, factor, shift]);
}

function rotary(tf, { x, cosine, sine }, { heads, tokens, width }) {
  const half = width / 2;
  const input = tf.tensor3d(x, [heads, tokens, width]);
  const c = tf.tensor2d(cosine, [tokens, half]);
  const s = tf.tensor2d(sine, [tokens, half]);
  const work = () => {
    const [a, b] = tf.split(input, 2, 2);
    const first = tf.sub(tf.mul(a, c), tf.mul(b, s));
    const second = tf.add(tf.mul(b, c), tf.mul(a, s));
    return tf.concat([first, second], 2);
  };
  return form(() => numbers(tf, work), [input, c, s]);
}

/** Returns the works of TensorFlow.js with this many threads. */
export async function open(host) {
  const tf = await host.importTfjs();
  await tf.ready();
  const threads = tf.wasm.getThreadsCount?.() ?? 1;
  if (threads !== host.threads && host.threads > 1)
    return { missing: `asked for ${host.threads} threads, it has ${threads}` };
  return {
    matmul: ({ a, b }, { m, k, n }) => {
      const left = tf.tensor2d(a, [m, k]);
      const right = tf.tensor2d(b, [k, n]);
      return form(() => numbers(tf, () => tf.matMul(left, right)), [left, right]);
    },
    softmax: ({ x }, { rows, width }) => {
      const input = tf.tensor2d(x, [rows, width]);
      return form(() => numbers(tf, () => tf.softmax(input)), [input]);
    },
    layerNorm: (inputs, sizes) => layerNorm(tf, inputs, sizes),
    rotary: (inputs, sizes) => rotary(tf, inputs, sizes),
    attention: (inputs, sizes) => attention(tf, inputs, sizes),
    block: (inputs, sizes) => tfjsBlock(tf, inputs, sizes),
    training: (inputs, sizes) => tfjsTraining(tf, inputs, sizes),
  };
}
