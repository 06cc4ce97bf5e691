// The speed-up by two threads for the works of docs/threads.md, in fresh processes:
//   node --experimental-wasm-relaxed-simd bench/two-threads.mjs     (the flag before Node 22)

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { load } from "../dist/threads.js";

const tensor = (...shape) => ({
  shape,
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => Math.sin(i)),
});
const config = {
  vocabSize: 256,
  hiddenSize: 128,
  numLayers: 4,
  numHeads: 4,
  intermediateSize: 344,
};

async function worksOf(wf) {
  const works = {};
  for (const n of [256, 384, 512]) {
    const [a, b] = [tensor(n, n), tensor(n, n)];
    works[`product ${n}³`] = () => wf.matmul(a, b);
  }
  for (const n of [512, 1024]) {
    const [q, k, v] = [tensor(8, n, 64), tensor(8, n, 64), tensor(8, n, 64)];
    const attention = wf.attention({ numHeads: 8, headDim: 64 });
    works[`attention, n ${n}`] = () => attention.run({ q, k, v });
  }
  const task = { id: "copy" };
  const trainer = wf.trainer({ config, task, length: 128, batchSize: 16, seed: 1 });
  works["a step of training"] = () => trainer.step();
  const model = await wf.model(config);
  const ids = Array.from({ length: 512 }, (_, i) => i % 256);
  works["a model's pass"] = () => model.run(ids, { record: ["hidden"] });
  return works;
}

/** Returns the minimum milliseconds of as many calls as fit into a fixed time. */
function best(work) {
  let min = Number.POSITIVE_INFINITY;
  const end = performance.now() + 400;
  for (let i = 0; i < 5 || performance.now() < end; i++) {
    const start = performance.now();
    work();
    min = Math.min(min, performance.now() - start);
  }
  return min;
}

const [threads] = process.argv.slice(2);
if (threads) {
  const wf = await load({ threads: Number(threads), fallback: false });
  const works = Object.entries(await worksOf(wf));
  for (const [, work] of works) work();
  const times = works.map(([name, work]) => [name, best(work)]);
  console.log(JSON.stringify(Object.fromEntries(times)));
} else {
  const [one, two] = ["1", "2"].map((count) =>
    JSON.parse(
      execFileSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), count]),
    ),
  );
  for (const [name, time] of Object.entries(one))
    console.log(
      `${name}: ${time.toFixed(2)} ms, ${two[name].toFixed(2)} ms, ` +
        `${(time / two[name]).toFixed(2)} ×`,
    );
}
