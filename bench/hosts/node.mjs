// A fresh Node process that measures rows: it gets a job, and answers each row with its result.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { load } from "../../dist/index.js";
import { measureRow, openPeers } from "../measure/row.mjs";
import { gradientsFile } from "../peers/tfjs-gradients.mjs";

const require = createRequire(import.meta.url);

async function importTfjs() {
  const tf = require("@tensorflow/tfjs-core");
  tf.wasm = require("@tensorflow/tfjs-backend-wasm");
  await import(gradientsFile);
  await tf.setBackend("wasm");
  return tf;
}

/** Where the binary is that `load` chooses here. */
async function binary() {
  const { variant } = await load();
  return new URL(`../../dist/${variant}.wasm`, import.meta.url);
}

const hostFor = ({ threads, peers }) => ({
  where: "node",
  threads,
  peers,
  engine: load,
  threadedEngine: async () => (await import("../../dist/threads.js")).load({ threads }),
  freshEngine: async () => load({ wasm: await readFile(await binary()) }),
  importOrt: () => import("onnxruntime-web"),
  importTfjs,
});

process.on("message", async ({ job, row }) => {
  if (job) {
    const host = hostFor(job);
    globalThis.bench = { host, peers: await openPeers(host), settings: job.settings };
    process.send({ ready: process.version });
    return;
  }
  process.send({ result: await measureRow(row, globalThis.bench) });
});
