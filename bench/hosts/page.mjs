// The page that measures rows in a browser: it offers `bench.open(job)` and `bench.measure(row)`.

import { measureRow, openPeers } from "../measure/row.mjs";

const modules = "/bench/node_modules";

const script = (address) =>
  new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = address;
    element.onload = resolve;
    element.onerror = () => reject(new Error(`${address} did not load`));
    document.head.append(element);
  });

/** TensorFlow.js as a page has it, with its WebAssembly backend. */
export async function importTfjs(threads) {
  await script(`${modules}/@tensorflow/tfjs-core/dist/tf-core.min.js`);
  await script(`${modules}/@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js`);
  const { tf } = globalThis;
  tf.wasm.setWasmPaths(`${modules}/@tensorflow/tfjs-backend-wasm/dist/`);
  tf.wasm.setThreadsCount(threads);
  await tf.setBackend("wasm");
  return tf;
}

/** ONNX Runtime Web's smallest build. */
export const importOrt = () => import(`${modules}/onnxruntime-web/dist/ort.wasm.min.mjs`);

export const importEngine = async () => (await import("/dist/index.js")).load();

async function freshEngine() {
  const { variant } = await importEngine();
  const { load } = await import("/dist/index.js");
  return load({ wasm: new URL(`/dist/${variant}.wasm`, location.href) });
}

globalThis.bench = {
  async open({ where, threads, peers, settings }) {
    const host = {
      where,
      threads,
      peers,
      engine: importEngine,
      freshEngine,
      importOrt,
      importTfjs: async () => {
        const tf = await importTfjs(threads);
        await import("/bench/build/tfjs-gradients.mjs");
        return tf;
      },
    };
    this.process = { host, peers: await openPeers(host), settings };
  },
  measure(row) {
    return measureRow(row, this.process);
  },
};
