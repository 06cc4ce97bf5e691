// The binary with training, loaded on request into a running engine.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "../../dist/index.js";
import { load as loadThreads } from "../../dist/threads.js";
import { load as loadWorker } from "../../dist/worker.js";
import { near, refused, rejected } from "./golden.mjs";
import { config, task } from "./spoilt.mjs";

const address = (name) => new URL(`../../dist/${name}.wasm`, import.meta.url);
const bytes = (name) => readFileSync(address(name));
const options = { config, task, length: 12, seed: 3 };
const without = /loaded without its training part; use load\(\{ training: true \}\)/;

const whole = await load({ variant: "simd", wasm: bytes("simd"), training: true });
const losses = whole.trainer(options).step(4);

test("without training the engine says so; with it, the same engine object trains", async () => {
  const wf = await load({ variant: "simd" });
  refused(() => wf.trainer(options), "unsupported", without);
  const model = await wf.model({ ...config, seed: 1 });
  await rejected(load({ variant: "simd", training: new Uint8Array(8) }), "malformed_file");
  const before = model.loss([1, 2, 3]).mean;
  assert.equal(await load({ variant: "simd", training: true }), wf);
  assert.deepEqual(wf.trainer(options).step(4), losses);
  assert.equal(model.loss([1, 2, 3]).mean, before);
});

test("training loaded later equals training loaded at once, for each scheme", async () => {
  const schemes = whole.schemes.filter(
    ({ id, positionAxes }) => positionAxes === 1 && id !== "nope",
  );
  assert.ok(schemes.length > 15);
  const wf = await load({ variant: "relaxed" });
  await load({ variant: "relaxed", training: true });
  for (const { id } of schemes) {
    const own = { ...options, config: { ...config, scheme: id } };
    near(wf.trainer(own).step(3), whole.trainer(own).step(3), 1e-4, id);
  }
});

test("the binary can be an address, bytes or a compiled module, one for each variant", async () => {
  const name = "simd-training";
  const ways = [
    address(name),
    address(name).href,
    bytes(name),
    await WebAssembly.compile(bytes(name)),
    { simd: bytes(name), relaxed: bytes("relaxed-training") },
  ];
  for (const training of ways) {
    const wf = await load({ variant: "simd", wasm: bytes("simd"), training });
    assert.deepEqual(wf.trainer(options).step(4), losses);
  }
  const wf = await load({ variant: "simd", wasm: bytes("simd"), training: false });
  refused(() => wf.trainer(options), "unsupported", without);
});

test("a binary of another engine is refused, and the engine still works", async () => {
  const wrong = [
    [7, "invalid_argument", /^training: 7 \(expected true, false, a URL/],
    [null, "invalid_argument", /^training: null/],
    ["x", "invalid_argument", /^training: "x" \(expected a URL/],
    [{}, "invalid_argument", /^training\.simd: undefined/],
    [{ plain: 1 }, "unknown_option", /unknown option "plain"/],
    [new Uint8Array(4), "malformed_file", /^training: not a WebAssembly binary/],
    [
      bytes("relaxed-training"),
      "malformed_file",
      /it belongs to another engine, or to its other variant/,
    ],
    [bytes("threads"), "malformed_file", /^training: not the training part of this engine/],
    [address("nothing"), "network", /nothing\.wasm: could not be read/],
  ];
  for (const [training, code, message] of wrong) {
    await rejected(load({ variant: "simd", wasm: bytes("simd"), training }), code, message);
    await rejected(loadWorker({ variant: "simd", training }), code, message);
  }
  // If training is loaded already, the binary is not read.
  await rejected(load({ variant: "simd", training: 7 }), "invalid_argument", /^training: 7/);
});

test("progress covers both files, and a signal aborts both", async () => {
  const steps = [];
  const wasm = { simd: address("simd") };
  const onProgress = (...step) => steps.push(step);
  await load({ variant: "simd", wasm, training: true, onProgress });
  const total = bytes("simd").length + bytes("simd-training").length;
  assert.deepEqual(steps.at(-1), [total, total]);
  const signal = AbortSignal.abort();
  await rejected(load({ variant: "simd", wasm, training: true, signal }), "aborted");
});

test("a restarted worker gets the binary again; threads always have it", async () => {
  const bare = await loadWorker({ variant: "simd" });
  await rejected(bare.trainer(options), "unsupported", without);
  bare.dispose();
  const far = await loadWorker({ variant: "simd", training: true });
  assert.deepEqual(await (await far.trainer(options)).step(4), losses);
  far.dispose();
  for (const threads of [1, 2]) {
    const wf = await loadThreads({ threads });
    near(wf.trainer(options).step(4), losses, 1e-4);
    wf.dispose();
  }
  await loadThreads({ threads: 1, training: false }).then((wf) => wf.dispose());
});
