// A fresh Node process that measures rows: it receives a job, and replies to each row with its
// result. Of two builds that are compared each has such a process, which prepares a row, times it
// when it is asked to, and disposes of it.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { prepareBuild } from "../measure/against.mjs";
import { endlessWork } from "../measure/other-work.mjs";
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

const currentBuild = new URL("../../dist/", import.meta.url);

/**
 * Returns the functions of a Node process that rows need; `dist` is the folder of the built
 * package.
 */
async function hostFor({ threads, peers }, dist = currentBuild) {
  const { load } = await import(new URL("index.js", dist));
  // Older packages lack this option, and always include training.
  const whole = (options) =>
    load({ ...options, training: true }).catch((error) => {
      if (error.code !== "unknown_option") throw error;
      return load(options);
    });
  // An engine with memory of its own: loaded from bytes, so that no engine is shared.
  const newEngine = async () => {
    const { variant } = await load();
    return load({ variant, wasm: await readFile(new URL(`${variant}.wasm`, dist)) });
  };
  return {
    where: "node",
    threads,
    peers,
    engine: () => whole(),
    threadedEngine: async () => (await import(new URL("threads.js", dist))).load({ threads }),
    // Processor time of all threads, in milliseconds.
    processorTime: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    newEngine,
    // Keeps one core busy until the returned function is called.
    startOtherWork: () => {
      const worker = new Worker(endlessWork, { eval: true });
      return () => worker.terminate();
    },
    importOrt: () => import("onnxruntime-web"),
    importTfjs,
  };
}

let here;
let prepared;

/** By the name of a request, its answer. */
const requests = {
  open: async (job) => {
    const host = await hostFor(job, job.dist && pathToFileURL(`${job.dist}/`));
    here = { host, peers: await openPeers(host), settings: job.settings };
    return process.version;
  },
  measure: (row) => measureRow(row, here),
  prepare: async (row) => {
    prepared = await prepareBuild(row, here);
    return prepared.about;
  },
  time: (calls) => prepared.time(calls),
  dispose: () => prepared.dispose(),
};

process.on("message", async ({ name, argument }) => {
  process.send({ result: await requests[name](argument) });
});
