// A page in which nothing is loaded: measures the time until a library's first result of attention,
// one head of 64 tokens and 64 channels.

import { importOrt, importTfjs } from "./page-libraries.mjs";

const size = 64;
const numbers = (step, factor = 1) =>
  Float32Array.from({ length: size * size }, (_, i) => factor * Math.sin(i * step));
const query = numbers(0.7);
const key = numbers(1.3);
const value = numbers(1.9);
/** Divided by the square root of the width, a power of two, so without rounding. */
const scaledQuery = numbers(0.7, 1 / Math.sqrt(size));

/** Transposes a matrix. */
const transposed = (matrix) =>
  Float32Array.from(matrix, (_, i) => matrix[(i % size) * size + Math.floor(i / size)]);

const libraries = {
  async whereformer() {
    const { load } = await import("/dist/index.js");
    const wf = await load();
    const attention = wf.attention({ numHeads: 1, headDim: size });
    const shape = [1, size, size];
    const tensor = (data) => ({ data, shape });
    return attention.run({ q: tensor(query), k: tensor(key), v: tensor(value) }).output.data;
  },
  async "TensorFlow.js"() {
    const tf = await importTfjs(1);
    const tensor = (data) => tf.tensor2d(data, [size, size]);
    const logits = tf.matMul(tensor(scaledQuery), tensor(key), false, true);
    return tf.matMul(tf.softmax(logits), tensor(value)).dataSync();
  },
  async ORT(model) {
    const ort = await importOrt();
    ort.env.wasm.numThreads = 1;
    const session = await ort.InferenceSession.create(model, { executionProviders: ["wasm"] });
    const tensor = (data) => new ort.Tensor("float32", data, [size, size]);
    const inputs = { q: tensor(scaledQuery), k: tensor(transposed(key)), v: tensor(value) };
    return (await session.run(inputs)).y.data;
  },
};

/** Returns the milliseconds, and the first numbers of the output. */
globalThis.firstResult = async (name, model) => {
  const bytes = Uint8Array.from(model);
  const begin = performance.now();
  const output = await libraries[name](bytes);
  return { ms: performance.now() - begin, corner: output[0] };
};
