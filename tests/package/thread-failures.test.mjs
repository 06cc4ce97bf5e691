// Threads that do not start, that end while idle, and that fail during work.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inNode } from "./in-node.mjs";

const entry = new URL("../../dist/threads.js", import.meta.url).href;
const threads = new URL("threads-of-process.mjs", import.meta.url).href;

// Replaces Worker: a Node thread that begins with the given lines.
const worker = (lines) => `
  import { Worker as Thread } from "node:worker_threads";
  globalThis.Worker = class {
    constructor(url) {
      this.thread = new Thread(\`${lines} import("\${url}");\`, { eval: true });
    }
    addEventListener(kind, listener) {
      this.thread.on(kind, (value) => listener(kind === "message" ? { data: value } : value));
    }
    postMessage(message) { this.thread.postMessage(message); }
    terminate() { this.thread.terminate(); }
  };`;
const code = (lines, rest) =>
  inNode(`${worker(lines)} import { load } from ${JSON.stringify(entry)}; ${rest}`);

test("if a thread does not start, the engine has one thread, or loading is a typed error", () => {
  const attempt = `await load({ threads: 2, fallback: false })
    .catch((e) => console.log(e.code, e.message));
    const one = await load({ threads: 2 });
    console.log(one.threads, one.softmax({ data: [0, 0], shape: [1, 2] }).data[0]);`;
  assert.match(
    code("throw new Error('no such file');", attempt),
    /^internal a thread did not start: .*no such file\n1 0.5$/,
  );
  assert.match(
    code("WebAssembly.instantiate = () => Promise.reject(new Error('spoilt'));", attempt),
    /^internal a thread did not start: .*spoilt\n1 0.5$/,
  );
});

test("a thread that fails during work is a typed error, and only another engine works", () => {
  const rest = `
    const wf = await load({ threads: 2 });
    const size = 600;
    const x = { data: new Float32Array(size * 64).fill(0.5), shape: [1, size, 64] };
    const attention = wf.attention({ numHeads: 1, headDim: 64 });
    const codes = new Set();
    for (let i = 0; i < 200 && codes.size === 0; i++)
      try {
        attention.run({ q: x, k: x, v: x });
      } catch (e) { codes.add(e.code + " " + e.message); }
    console.log(...codes);
    const one = { data: [1], shape: [1, 1] };
    try { wf.matmul(one, one); } catch (e) { console.log(e.code); }
    try { attention.run({ q: x, k: x, v: x }); } catch (e) { console.log(e.code); }
    wf.dispose();
    const other = await load({ threads: 2 });
    const ones = { data: new Float32Array(256 * 256).fill(1), shape: [256, 256] };
    console.log(other.threads, other.matmul(ones, ones).data[9]);
    other.dispose();`;
  const spoil =
    "for (const name of ['log', 'exp', 'pow']) Math[name] = () => { throw new Error('spoilt'); };";
  assert.match(
    code(spoil, rest),
    /^internal the engine stopped: .*load it again\ninternal\ninternal\n2 256$/,
  );
});

/**
 * Runs a script that has the list of workers that the package starts in Node, each with a promise
 * `ready`.
 */
const withWorkers = (rest) =>
  inNode(`const threads = process.getBuiltinModule("node:worker_threads");
    const workers = [];
    threads.Worker = class extends threads.Worker {
      constructor(...args) {
        super(...args);
        this.ready = new Promise((resolve) => this.once("message", resolve));
        workers.push(this);
      }
    };
    const { load } = await import(${JSON.stringify(entry)});
    ${rest}`);
// A sleeping thread receives no message, so its error event is emitted here.
const ends = {
  "is ended": "await worker.terminate();",
  "throws where nobody catches": `
    const failed = new Promise((resolve) => worker.once("error", resolve));
    worker.emit("error", new Error("spoilt"));
    await failed;`,
};

for (const [how, end] of Object.entries(ends)) {
  test(`a thread that ${how} while idle is replaced, without loss of data`, () => {
    const rest = `
      import { setImmediate as nextTurn } from "node:timers/promises";
      import { awaitOthersAt, threadIds } from ${JSON.stringify(threads)};
      const wf = await load({ threads: 2 });
      const ones = { data: new Float32Array(512 * 512).fill(1), shape: [512, 512] };
      const matrix = wf.matrix(ones);
      const attention = wf.attention({ numHeads: 1, headDim: 4 });
      const [worker] = workers;
      const known = threadIds();
      ${end}
      console.log(wf.matmul(ones, matrix).data[9]);
      while (workers.length === 1) await nextTurn();
      await workers[1].ready;
      await awaitOthersAt(() => wf.matmul(ones, matrix), known);
      const row = { data: new Float32Array(4).fill(1), shape: [1, 1, 4] };
      const { output } = attention.run({ q: row, k: row, v: row });
      console.log(wf.threads, output.data[0], workers.length);
      wf.dispose();`;
    assert.equal(withWorkers(rest), "512\n2 1 2");
  });
}

test("calls work although threads are ended repeatedly just before them", () => {
  const rest = `
    const { threadIds } = await import(${JSON.stringify(threads)});
    const wf = await load({ threads: 3 });
    const moment = new Int32Array(new SharedArrayBuffer(4));
    const ones = { data: new Float32Array(256 * 256).fill(1), shape: [256, 256] };
    let right = 0;
    for (let i = 0; i < 8; i++) {
      const before = threadIds();
      const areLeft = (ids) => before.filter((id) => ids.includes(id)).length > before.length - 2;
      const ended = workers.slice(-2).map((worker) => worker.terminate());
      // Gone, and the engine has not been told: one that has begun its part would fail in it.
      while (areLeft(threadIds())) Atomics.wait(moment, 0, 0, 1);
      if (wf.matmul(ones, ones).data[77] === 256) right++;
      const count = workers.length;
      await Promise.all(ended);
      while (workers.length < count + 2) await new Promise((next) => setImmediate(next));
      await Promise.all(workers.slice(-2).map(({ ready }) => ready));
    }
    console.log(right, workers.length);
    wf.dispose();`;
  assert.equal(withWorkers(rest), "8 18");
});

const works = {
  attention: `const x = { data: new Float32Array(600 * 64).fill(0.5), shape: [1, 600, 64] };
    const attention = wf.attention({ numHeads: 1, headDim: 64 });
    const work = () => attention.run({ q: x, k: x, v: x });`,
  training: `const ofSizes = { vocabSize: 40, hiddenSize: 64, numLayers: 2, numHeads: 4 };
    const config = { ...ofSizes, intermediateSize: 128 };
    const trainer = wf.trainer({ config, task: { id: "copy" }, length: 64, batchSize: 8 });
    const work = () => trainer.step(1);`,
};

for (const [name, work] of Object.entries(works)) {
  test(`a thread that disappears within ${name} is a typed error, the next engine works`, () => {
    // The exponential runs in the middle of a thread's part; process.exit ends the thread without
    // an event.
    const vanish =
      "for (const name of ['log', 'exp', 'pow', 'sqrt']) Math[name] = () => process.exit(3);";
    const rest = `
      const wf = await load({ threads: 3 });
      ${work}
      const seen = [];
      const attempt = () => {
        try {
          work();
          return false;
        } catch (e) {
          seen.push(e.code + " " + e.message);
          return true;
        }
      };
      for (let i = 0; i < 300 && !attempt(); i++);
      try { wf.memory(); } catch (e) { seen.push(e.code); }
      console.log(seen.join("\\n"));
      wf.dispose();
      delete globalThis.Worker;
      const other = await load({ threads: 2 });
      const ones = { data: new Float32Array(256 * 256).fill(1), shape: [256, 256] };
      console.log(other.threads, other.matmul(ones, ones).data[9]);
      other.dispose();`;
    const nodeWorkers = `
      import { createRequire } from "node:module";
      const threads = createRequire(import.meta.url)("node:worker_threads");
      const { Worker } = threads;
      threads.Worker = class extends Worker {
        constructor(url, options) {
          const program = \`${vanish} import("\${url}");\`;
          if (globalThis.spoils) super(program, { ...options, eval: true });
          else super(url, options);
        }
      };
      globalThis.spoils = true;
      const { load } = await import(${JSON.stringify(entry)});`;
    const spared = rest.replace("delete globalThis.Worker", "globalThis.spoils = false");
    const script = `${nodeWorkers} ${spared}`;
    assert.match(inNode(script), /^internal the engine stopped: .*load it again\ninternal\n2 256$/);
  });
}

test("a thread terminated during work finishes its part or gives a typed error", () => {
  const rest = `
    const ones = { data: new Float32Array(512 * 512).fill(1), shape: [512, 512] };
    const outcomes = new Set();
    for (let i = 0; i < 6; i++) {
      const first = workers.length;
      const wf = await load({ threads: 3 });
      await Promise.all(workers.slice(first).map(({ ready }) => ready));
      for (const worker of workers.slice(first)) worker.terminate();
      try {
        for (let n = 0; n < 5; n++) outcomes.add(String(wf.matmul(ones, ones).data[9]));
      } catch (error) {
        outcomes.add(error.code);
      }
      wf.dispose();
    }
    for (const outcome of ["512", "internal"]) outcomes.delete(outcome);
    console.log(outcomes.size);`;
  assert.equal(withWorkers(rest), "0");
});
