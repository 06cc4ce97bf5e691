// A page in which nothing has been loaded: how long until a library's first product is there.

const size = 64;
const modules = "/bench/node_modules";
const numbers = (step) => Float32Array.from({ length: size * size }, (_, i) => Math.sin(i * step));
const a = numbers(0.7);
const b = numbers(1.3);

const script = (address) =>
  new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = address;
    element.onload = resolve;
    element.onerror = () => reject(new Error(`${address} did not load`));
    document.head.append(element);
  });

const libraries = {
  async whereformer() {
    const { load } = await import("/dist/index.js");
    const wf = await load();
    if (!wf.matmul) return undefined;
    const shape = [size, size];
    return wf.matmul({ data: a, shape }, { data: b, shape }).data;
  },
  async "TensorFlow.js"() {
    await script(`${modules}/@tensorflow/tfjs-core/dist/tf-core.min.js`);
    await script(`${modules}/@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js`);
    const { tf } = globalThis;
    tf.wasm.setWasmPaths(`${modules}/@tensorflow/tfjs-backend-wasm/dist/`);
    tf.wasm.setThreadsCount(1);
    await tf.setBackend("wasm");
    return tf.matMul(tf.tensor2d(a, [size, size]), tf.tensor2d(b, [size, size])).dataSync();
  },
  async ORT(model) {
    const ort = await import(`${modules}/onnxruntime-web/dist/ort.wasm.min.mjs`);
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
