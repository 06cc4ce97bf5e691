// Loads the libraries in a page.

const modules = "/bench/node_modules";

const script = (address) =>
  new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = address;
    element.onload = resolve;
    element.onerror = () => reject(new Error(`${address} did not load`));
    document.head.append(element);
  });

/** Loads TensorFlow.js with its WebAssembly backend. */
export async function importTfjs(threads) {
  await script(`${modules}/@tensorflow/tfjs-core/dist/tf-core.min.js`);
  await script(`${modules}/@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js`);
  const { tf } = globalThis;
  tf.wasm.setWasmPaths(`${modules}/@tensorflow/tfjs-backend-wasm/dist/`);
  tf.wasm.setThreadsCount(threads);
  await tf.setBackend("wasm");
  return tf;
}

/** Loads ONNX Runtime Web's smallest build. */
export const importOrt = () => import(`${modules}/onnxruntime-web/dist/ort.wasm.min.mjs`);

export const importEngine = async () => (await import("/dist/index.js")).load({ training: true });
