// The page that measures rows in a browser: it offers `bench.open(job)` and `bench.measure(row)`.

import { endlessWork } from "../measure/other-work.mjs";
import { measureRow, openPeers } from "../measure/row.mjs";
import { importEngine, importOrt, importTfjs } from "./page-libraries.mjs";

/** Loads a separate engine, of the binary that `load` chooses unless one is named. */
async function newEngine(named) {
  const variant = named ?? (await importEngine()).variant;
  const { load } = await import("/dist/index.js");
  const wasm = new URL(`/dist/${variant}.wasm`, location.href);
  return load({ variant, wasm, training: true });
}

/** Keeps one core busy until the returned function is called. */
function startOtherWork() {
  const worker = new Worker(URL.createObjectURL(new Blob([endlessWork])));
  return () => worker.terminate();
}

globalThis.bench = {
  async open({ where, threads, peers, settings }) {
    const host = {
      where,
      threads,
      peers,
      engine: importEngine,
      threadedEngine: async () => (await import("/dist/threads.js")).load({ threads }),
      newEngine,
      startOtherWork,
      processorTime: globalThis.processorTime,
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
