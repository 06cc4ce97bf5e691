import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load, WhereformerError } from "../../dist/index.js";
import { rejected } from "./golden.mjs";

const dist = new URL("../../dist/", import.meta.url);
const bytes = readFileSync(new URL("simd.wasm", dist));

/** A server for one test; `answers` are functions by path. */
async function serve(context, answers) {
  const server = createServer((request, response) => answers[request.url](response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

test("loading again gives the same engine; auto chooses relaxed SIMD", async () => {
  const [first, second] = await Promise.all([load({ variant: "simd" }), load({ variant: "simd" })]);
  assert.equal(first, second);
  assert.equal(await load({ variant: "simd" }), first);
  const best = await load();
  assert.equal(best.variant, "relaxed");
  assert.notEqual(best, first);
  assert.equal(await load({ variant: "relaxed" }), best);
});

test("a binary by URL, as bytes or as a module gives a separate engine each", async (context) => {
  const wasm = (type) => (response) => response.writeHead(200, { "content-type": type }).end(bytes);
  const origin = await serve(context, {
    "/right": wasm("application/wasm"),
    "/plain": wasm("application/octet-stream"),
  });
  const module = await WebAssembly.compile(bytes);
  const ways = [
    `${origin}/right`,
    new URL(`${origin}/plain`),
    new URL("simd.wasm", dist),
    bytes,
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
    module,
  ];
  const engines = await Promise.all(ways.map((wasm) => load({ wasm })));
  assert.equal(new Set(engines).size, ways.length);
  for (const engine of engines) {
    assert.equal(engine.variant, "simd");
    assert.equal(
      engine.scheme("alibi", { numHeads: 1, headDim: 1 }).bias([1], [0]).data[0],
      -0.00390625,
    );
  }
});

test("a download reports progress and can be aborted", async (context) => {
  const slow = async (response) => {
    response.writeHead(200, { "content-type": "application/wasm", "content-length": bytes.length });
    for (let from = 0; from < bytes.length && !response.destroyed; from += 50_000) {
      response.write(bytes.subarray(from, from + 50_000));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    response.end();
  };
  const origin = await serve(context, { "/slow": slow });
  const steps = [];
  await load({ wasm: `${origin}/slow`, onProgress: (...step) => steps.push(step) });
  assert.ok(steps.length > 1);
  assert.ok(
    steps.every(
      ([loaded, total], i) => total === bytes.length && loaded >= (steps[i - 1]?.[0] ?? 0),
    ),
  );
  const control = new AbortController();
  await rejected(
    load({ wasm: `${origin}/slow`, signal: control.signal, onProgress: () => control.abort() }),
    "aborted",
  );
  await rejected(load({ signal: AbortSignal.abort() }), "aborted");
});

test("a file that is not the binary is refused with its address", async (context) => {
  const page = (response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
  const missing = (response) => response.writeHead(404).end();
  const liar = (response) =>
    response.writeHead(200, { "content-type": "application/wasm" }).end("<!doctype html>");
  const origin = await serve(context, { "/page": page, "/missing": missing, "/liar": liar });
  await rejected(
    load({ wasm: `${origin}/page` }),
    "network",
    /\/page: the server answered with a page \(HTML\)/,
  );
  await rejected(
    load({ wasm: `${origin}/liar` }),
    "malformed_file",
    /\/liar: not a WebAssembly binary/,
  );
  const error = await rejected(
    load({ wasm: `${origin}/missing` }),
    "network",
    /\/missing: the server answered 404/,
  );
  assert.deepEqual([error.details.status, error.details.url], [404, `${origin}/missing`]);
  await rejected(load({ wasm: "http://127.0.0.1:9/x.wasm" }), "network", /could not be reached/);
  await rejected(load({ wasm: new URL("nothing.wasm", dist) }), "network", /could not be read/);
  await rejected(load({ wasm: new Uint8Array(4) }), "malformed_file");
  const empty = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  await rejected(load({ wasm: empty }), "malformed_file", /not the simd binary/);
  await rejected(load({ wasm: "simd" }), "invalid_argument", /^wasm: "simd" \(expected a URL/);
  await rejected(load({ wasm: "./none.wasm" }), "network", /none\.wasm: could not be read/);
  await rejected(load({ wasm: 7 }), "invalid_argument", /^wasm: 7/);
});

test("options are checked", async () => {
  await rejected(
    load({ variant: "fast" }),
    "invalid_argument",
    /^variant: "fast" \(expected one of "auto", "simd", "relaxed"/,
  );
  await rejected(
    load({ variants: "simd" }),
    "unknown_option",
    /unknown option "variants" \(expected one of variant, wasm/,
  );
  await rejected(load({ signal: true }), "invalid_argument", /^signal: true/);
  await rejected(load({ onProgress: 1 }), "invalid_argument", /^onProgress: 1/);
  await rejected(load(null), "invalid_argument", /^options: null/);
});

/** Runs code in a separate Node process; without `flags` as a user starts it. */
function inNode(code, flags = []) {
  const args = ["--input-type=module", ...flags, "--eval", code];
  return execFileSync(process.execPath, args, {
    encoding: "utf8",
    cwd: fileURLToPath(dist),
    env: { PATH: process.env.PATH },
  }).trim();
}

test("an import has no effect: no network, no globals, no file read", () => {
  const code = `
    const before = Object.getOwnPropertyNames(globalThis).length;
    globalThis.fetch = () => { throw new Error("network"); };
    const fs = process.getBuiltinModule("node:fs");
    const real = fs.readFileSync;
    fs.readFileSync = (...all) => {
      if (String(all[0]).includes(".wasm")) throw new Error("read");
      return real(...all);
    };
    await import("./index.js");
    await import("./worker.js");
    const kept = /TCP|UDP|DNS|Timeout|Worker|MessagePort/;
    const resources = process.getActiveResourcesInfo().filter((name) => kept.test(name));
    console.log(Object.getOwnPropertyNames(globalThis).length - before, resources.length);`;
  assert.equal(inNode(code), "0 0");
});

test("plain Node needs no flag: auto falls back to a variant that runs", () => {
  const code = `
    const { load } = await import("./index.js");
    const wf = await load();
    const alibi = wf.scheme("alibi", { numHeads: 1, headDim: 1 });
    console.log(wf.variant, alibi.bias([1], [0]).data[0]);`;
  const variant = Number.parseInt(process.versions.node, 10) < 22 ? "simd" : "relaxed";
  assert.equal(inNode(code), `${variant} -0.00390625`);
});

test("without SIMD, or without relaxed SIMD, the message names the requirement", () => {
  const code = (variant) => `
    const { load } = await import("./index.js");
    WebAssembly.validate = () => false;
    const say = ({ code, message }) => console.log(code, message);
    await load({ variant: "${variant}" }).catch(say);`;
  assert.match(
    inNode(code("auto")),
    /^unsupported this JavaScript engine has no WebAssembly SIMD; .*Node 16\.4/,
  );
  assert.match(
    inNode(code("relaxed")),
    /^unsupported variant: "relaxed" \(expected "simd" or "auto", since .* no relaxed SIMD/,
  );
});

test("errors are Errors", async () => {
  const error = await rejected(load({ variant: 3 }), "invalid_argument");
  assert.ok(error instanceof WhereformerError && error instanceof Error);
  assert.deepEqual(error.details, {
    argument: "variant",
    value: 3,
    allowed: 'one of "auto", "simd", "relaxed"',
  });
});
