// The page that measures rows in a browser: it offers `bench.open(job)` and `bench.measure(row)`.

import { measureRow, openPeers } from "../measure/row.mjs";
import { importEngine, importOrt, importTfjs } from "./page-libraries.mjs";

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
      threadedEngine: async () => (await import("/dist/threads.js")).load({ threads }),
      freshEngine,
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
