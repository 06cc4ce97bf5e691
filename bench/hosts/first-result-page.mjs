// A page in which nothing has been loaded: how long until a library's first product is there.

import { importEngine, importOrt, importTfjs } from "./page-libraries.mjs";

const size = 64;
const numbers = (step) => Float32Array.from({ length: size * size }, (_, i) => Math.sin(i * step));
const a = numbers(0.7);
const b = numbers(1.3);

const libraries = {
  async whereformer() {
    const wf = await importEngine();
    if (!wf.matmul) return undefined;
    const shape = [size, size];
    return wf.matmul({ data: a, shape }, { data: b, shape }).data;
  },
  async "TensorFlow.js"() {
    const tf = await importTfjs(1);
    return tf.matMul(tf.tensor2d(a, [size, size]), tf.tensor2d(b, [size, size])).dataSync();
  },
  async ORT(model) {
    const ort = await importOrt();
    ort.env.wasm.numThreads = 1;
    const session = await ort.InferenceSession.create(model, { executionProviders: ["wasm"] });
    const tensor = (data) => new ort.Tensor("float32", data, [size, size]);
    return (await session.run({ a: tensor(a), b: tensor(b) })).y.data;
  },
};

/** Milliseconds, and the corner of the product; null where the library has none. */
globalThis.firstResult = async (name, model) => {
  const bytes = Uint8Array.from(model);
  const begin = performance.now();
  const product = await libraries[name](bytes);
  const ms = performance.now() - begin;
  return product ? { ms, corner: product[0] } : null;
};
