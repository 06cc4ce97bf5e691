// A page that passes one model's bytes to the engine in memory of every kind and as objects of
// another frame, on the page and in a worker; for any browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { ggufModel } from "../package/gguf.mjs";

const { bytes, ids } = ggufModel("llama");
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};
// Shared memory needs a page isolated from other origins.
const isolated = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
const contentOf = (path) => {
  if (path === "/m.gguf") return bytes;
  if (path === "/favicon.ico") return "";
  if (path === "/") return "<!doctype html><title>memory</title><iframe></iframe>";
  return readFileSync(new URL(`../..${path}`, import.meta.url));
};

/** Serves the page; returns its `address`, and `close`. */
export async function serveMemoryPage() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    response.writeHead(200, {
      "content-type":
        types[extname(pathname === "/" ? "/index.html" : pathname)] ?? "application/octet-stream",
      ...isolated,
    });
    response.end(contentOf(pathname));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** In the page: runs the model from each kind of memory and object, with each engine. */
async function readEach(ids) {
  const bytes = new Uint8Array(await (await fetch("/m.gguf")).arrayBuffer());
  const copied = (memory) => {
    new Uint8Array(memory).set(bytes);
    return memory;
  };
  const max = { maxByteLength: bytes.length + 64 };
  const { contentWindow: frame } = document.querySelector("iframe");
  const shared = new WebAssembly.Memory({ initial: 32, maximum: 32, shared: true }).buffer;
  const given = {
    own: bytes,
    shared: copied(new SharedArrayBuffer(bytes.length)),
    growable: copied(new SharedArrayBuffer(bytes.length, max)),
    resizable: copied(new ArrayBuffer(bytes.length, max)),
    "of a shared WebAssembly.Memory": new Uint8Array(copied(shared), 0, bytes.length),
    "bytes of a frame": frame.Uint8Array.from(bytes),
    "a Blob of a frame": new frame.Blob([bytes]),
    "a File of a frame": new frame.File([bytes], "m.gguf"),
    "an address of a frame": new frame.URL("/m.gguf?download=true", location.href),
    "an answer of a frame": await frame.fetch("/m.gguf"),
  };
  const kinds = {
    list: (data) => data,
    shared: (data) => {
      const view = new Float32Array(new SharedArrayBuffer(4 * data.length));
      view.set(data);
      return view;
    },
    resizable: (data) => {
      const view = new Float32Array(new ArrayBuffer(4 * data.length, { maxByteLength: 4096 }));
      view.set(data);
      return view;
    },
    "of a frame": (data) => frame.Float32Array.from(data),
  };
  const answers = {};
  for (const [name, script] of [
    ["page", "/dist/index.js"],
    ["worker", "/dist/worker.js"],
  ]) {
    const { load } = await import(script);
    const wf = await load();
    for (const [kind, source] of Object.entries(given)) {
      const again = source instanceof frame.Response ? source.clone() : source;
      try {
        const model = await wf.model(again);
        const { mean } = await model.loss(frame.Array.from(ids));
        await model.dispose();
        answers[`${name}: ${kind}`] = mean;
      } catch (error) {
        answers[`${name}: ${kind}`] = String(error);
      }
    }
    const scheme = await wf.scheme("rope", { numHeads: 1, headDim: 4 });
    for (const [kind, of] of Object.entries(kinds)) {
      const x = { data: of([1, 2, 3, 4, 5, 6, 7, 8]), shape: frame.Array.of(1, 2, 4) };
      const { data } = await scheme.rotate(x);
      answers[`${name}: rotate ${kind}`] = [...data].join();
    }
    wf.dispose?.();
  }
  return answers;
}

/** Checks the results in a page that playwright or puppeteer has opened at the address. */
export async function assertEachIsRead(page) {
  const answers = await page.evaluate(readEach, [...ids]);
  assert.equal(typeof answers["page: own"], "number");
  assert.ok(Object.keys(answers).length > 24);
  for (const [name, answer] of Object.entries(answers)) {
    const like = name.includes("rotate") ? "page: rotate list" : "page: own";
    assert.equal(answer, answers[like], name);
  }
}
