// Sources of a worker's script: beside the package, at another address, or given by the caller.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { load as loadHere } from "../../dist/index.js";
import { load as loadThreads } from "../../dist/threads.js";
import { load } from "../../dist/worker.js";
import { rejected } from "./golden.mjs";

const dist = new URL("../../dist/", import.meta.url);
const script = new URL("worker-host.js", dist);
const hosts = ["worker-host.js", "threads-host.js", "elements-host.js"];

test("scripts of workers import nothing and contain no address, classic or not", () => {
  for (const name of hosts) {
    const text = readFileSync(new URL(name, dist), "utf8");
    assert.doesNotMatch(text, /\bimport\b|\bexport\b|\brequire\(/, name);
    // A worker's classic script is parsed like the body of a function.
    assert.doesNotThrow(() => new Function(text), name);
  }
});

async function assertWorks(wf) {
  const scheme = await wf.scheme("alibi", { numHeads: 1, headDim: 2 });
  assert.equal((await scheme.bias([1], [0])).data[0], -0.00390625);
}

const ways = {
  "a URL": () => script,
  "an address": () => script.href,
  "a worker": () => new Worker(script),
  "a function that gives a URL": () => () => script,
  "a function that makes a worker": () => () => new Worker(script),
};
for (const [what, worker] of Object.entries(ways))
  test(`a worker may be given as ${what}`, async (context) => {
    const wf = await load({ variant: "simd", worker: worker() });
    context.after(() => wf.dispose());
    await assertWorks(wf);
  });

test("a function is called again when its worker fails; a worker is used once", async (context) => {
  const made = [];
  const make = () => {
    made.push(new Worker(script));
    return made.at(-1);
  };
  const wf = await load({ variant: "simd", worker: make });
  context.after(() => wf.dispose());
  await made[0].terminate();
  await assertWorks(wf);
  assert.equal(made.length, 2);
  const only = new Worker(script);
  const other = await load({ variant: "simd", worker: only });
  context.after(() => other.dispose());
  await only.terminate();
  await rejected(other.memory(), "invalid_argument", /^worker: .*a function that makes one\)$/);
  await rejected(load({ worker: only }), "invalid_argument", /an unused worker/);
});

test("a value that is no worker is refused, and a function's error is reported", async () => {
  for (const worker of [7, {}, null, () => 7, []])
    await rejected(load({ worker }), "invalid_argument", /^worker: .* \(expected a URL, a worker/);
  // In Node a string may be a path.
  await rejected(load({ worker: "no-such-host.js" }), "network", /no-such-host\.js: .*not start/);
  const thrower = () => {
    throw new Error("not today");
  };
  await rejected(load({ worker: thrower }), "invalid_argument", /^worker: threw .*not today/);
  await rejected(loadThreads({ worker: 7, threads: 2 }), "invalid_argument", /^worker: 7/);
});

test("the script of threads can be given, too", async (context) => {
  const made = [];
  const threads = await loadThreads({
    threads: 3,
    worker: () => {
      made.push(new Worker(new URL("threads-host.js", dist)));
      return made.at(-1);
    },
  });
  context.after(() => threads.dispose());
  assert.deepEqual([threads.threads, made.length], [3, 2]);
});

test("of two binaries, that of the variant is used", async (context) => {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end(readFileSync(new URL(`.${request.url}`, dist)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const at = (name) => `http://127.0.0.1:${server.address().port}/${name}.wasm`;
  const wasm = { simd: at("simd"), relaxed: at("relaxed") };
  assert.equal((await loadHere({ wasm })).variant, "relaxed");
  assert.equal((await loadHere({ wasm, variant: "simd" })).variant, "simd");
  assert.equal((await loadHere({ wasm: { simd: wasm.simd } })).variant, "simd");
  assert.deepEqual(asked, ["/relaxed.wasm", "/simd.wasm", "/simd.wasm"]);
  const missing = { wasm: { simd: wasm.simd }, variant: "relaxed" };
  await rejected(loadHere(missing), "invalid_argument", /^wasm\.relaxed: undefined/);
  await rejected(loadHere({ wasm: { plain: wasm.simd } }), "unknown_option", /"plain"/);
  await rejected(loadHere({ wasm: null }), "invalid_argument", /^wasm: null/);
});
