// Loading after an abort, after an error in the caller's callback, or after an engine has stopped:
// later loads are not affected.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { load } from "../../dist/index.js";
import { load as loadThreads } from "../../dist/threads.js";
import { load as loadWorker } from "../../dist/worker.js";
import { rejected } from "./golden.mjs";
import { inNode } from "./in-node.mjs";

const entry = JSON.stringify(new URL("../../dist/index.js", import.meta.url).href);
const spoilt = () => {
  throw new Error("spoilt");
};

test("an engine that a page aborts and loads again works (React mounts twice)", () => {
  const script = `
    const { load } = await import(${entry});
    const first = new AbortController();
    const given = load({ signal: first.signal }).catch((error) => error.code);
    first.abort();
    const wf = await load({ signal: new AbortController().signal });
    const [a, b] = [2, 3].map((number) => ({ data: [number], shape: [1, 1] }));
    console.log(await given, wf.matmul(a, b).data[0]);
    console.log((await load()) === wf);`;
  assert.equal(inNode(script), "aborted 6\ntrue");
});

test("if one of two callers aborts, the other still gets the engine", () => {
  const script = `
    const { load } = await import(${entry});
    const first = new AbortController();
    const given = load({ signal: first.signal }).catch((error) => error.code);
    const kept = load();
    first.abort();
    console.log(await given, (await kept) === (await load()));
    first.abort();
    console.log((await kept) === (await load()));`;
  assert.equal(inNode(script), "aborted true\ntrue");
});

test("aborting a signal after the engine has loaded changes nothing", async () => {
  const control = new AbortController();
  const wf = await load({ signal: control.signal });
  control.abort();
  assert.equal(await load(), wf);
});

test("an engine that stopped is not returned again", () => {
  const script = `
    const { cos } = Math;
    let stops = true;
    Math.cos = (angle) => {
      if (stops) throw new WebAssembly.RuntimeError("unreachable");
      return cos(angle);
    };
    const { load } = await import(${entry});
    const wf = await load();
    const rows = { data: [1, 2], shape: [1, 1, 2] };
    const ofOne = { numHeads: 1, headDim: 2 };
    const turn = (engine) => engine.scheme("rope", ofOne).rotate(rows, [0]).data[0];
    try { turn(wf); } catch (error) { console.log(error.code); }
    stops = false;
    const other = await load();
    console.log(other === wf, turn(other), (await load()) === other);`;
  assert.equal(inNode(script), "internal\nfalse 1 true");
});

test("a stack overflow leaves no engine in the middle of a call", () => {
  const script = `
    const { load } = await import(${entry});
    const wf = await load();
    const attention = wf.attention({ numHeads: 2, headDim: 8 });
    const x = { data: new Float32Array(800).fill(1), shape: [2, 50, 8] };
    const codes = new Set();
    let wrong = 0;
    // On the way back up there is ever more room, until the call fits.
    const fall = () => {
      try {
        fall();
      } catch {}
      try {
        const { data } = attention.run({ q: x, k: x, v: x }).output;
        if (data.some((value) => Math.abs(value - 1) > 1e-6))
          wrong++;
      } catch (error) {
        codes.add(error.code ?? error.name);
      }
    };
    fall();
    for (const code of ["internal", "invalid_argument", "RangeError"]) codes.delete(code);
    const next = await load();
    const [a, b] = [2, 3].map((number) => ({ data: [number], shape: [1, 1] }));
    console.log([...codes].join(), wrong, next.matmul(a, b).data[0]);`;
  assert.equal(inNode(script), "0 6");
});

/** Serves a number of bytes that are not an engine. */
async function serve(context, length) {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    response.end(Buffer.alloc(length));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}/`;
}

test("an error thrown by onProgress is passed to the caller", async (context) => {
  const address = await serve(context, 100_000);
  const said = /^onProgress: threw Error: spoilt/;
  for (const wasm of [address, new URL("../../dist/simd.wasm", import.meta.url)]) {
    const { cause } = await rejected(load({ wasm, onProgress: spoilt }), "invalid_argument", said);
    assert.equal(cause.message, "spoilt");
    await rejected(loadWorker({ wasm, onProgress: spoilt }), "invalid_argument", said);
  }
  await rejected(loadThreads({ onProgress: spoilt }), "invalid_argument", said);
  const wf = await load();
  const source = { config: address, weights: address };
  await rejected(wf.model(source, { onProgress: spoilt }), "malformed_file", /^config: not JSON/);
  const weights = new URL("size.test.mjs", import.meta.url);
  const sizes = { vocab_size: 4, hidden_size: 4, num_hidden_layers: 1, rope_theta: 1e4 };
  const config = { ...sizes, num_attention_heads: 1, intermediate_size: 4 };
  await rejected(wf.model({ config, weights }, { onProgress: spoilt }), "invalid_argument", said);
});

test("an onProgress that throws does not affect other callers waiting for the same engine", () => {
  const script = `
    const { load } = await import(${entry});
    const onProgress = () => { throw new Error("spoilt"); };
    const given = load({ onProgress }).catch((error) => error.message);
    const wf = await load();
    console.log(await given, wf === (await load()));`;
  assert.match(inNode(script), /^onProgress: threw Error: spoilt.* true$/);
});

test("objects that only resemble a signal are refused", async () => {
  const wf = await load();
  const like = Object.create(AbortSignal.prototype);
  for (const signal of [like, { aborted: false }, "x", {}, null]) {
    const said = /^signal: /;
    await rejected(load({ signal }), "invalid_argument", said);
    await rejected(loadThreads({ signal }), "invalid_argument", said);
    await rejected(loadWorker({ signal }), "invalid_argument", said);
    await rejected(wf.model({}, { signal }), "invalid_argument", said);
  }
});
