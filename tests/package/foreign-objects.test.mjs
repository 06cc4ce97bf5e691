// Objects of another realm (a frame, a test runner's context) and of an emulated page, memory of
// every kind, and a store's proxies work like ordinary ones, on the page and in the worker.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { load } from "../../dist/index.js";
import { load as loadWorker } from "../../dist/worker.js";
import { ggufModel } from "./gguf.mjs";
import { rejected, wf } from "./golden.mjs";

const remote = await loadWorker({ variant: "simd" });
after(() => remote.dispose());
const engines = { page: wf, worker: remote };
const realm = vm.createContext({});
const there = (code) => vm.runInContext(code, realm);
const { bytes: gguf, ids } = ggufModel("llama");
const sizes = { numHeads: 2, headDim: 8 };
const numbers = Array.from({ length: 80 }, (_, i) => Math.sin(i));
const expected = (await wf.scheme("rope", sizes)).rotate({ data: numbers, shape: [2, 5, 8] }).data;

/** Copies bytes into memory of a kind. */
function inMemory(Memory, options, data) {
  const memory = new Memory(data.byteLength, options);
  new Uint8Array(memory).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return memory;
}
const most = (data) => ({ maxByteLength: data.byteLength + 64 });
const memories = {
  shared: (data) => inMemory(SharedArrayBuffer, undefined, data),
  growable: (data) => inMemory(SharedArrayBuffer, most(data), data),
  resizable: (data) => inMemory(ArrayBuffer, most(data), data),
  "of another realm": (data) => {
    const memory = there(`new ArrayBuffer(${data.byteLength})`);
    new Uint8Array(memory).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return memory;
  },
  "of a shared WebAssembly.Memory": (data) => {
    const { buffer } = new WebAssembly.Memory({ initial: 64, maximum: 64, shared: true });
    new Uint8Array(buffer).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return buffer;
  },
};

/** Resembles a page's class, as in emulated pages, but is not an instance of it. */
class Blob2 {
  #bytes;
  constructor(bytes) {
    this.#bytes = bytes;
  }
  get size() {
    return this.#bytes.length;
  }
  get type() {
    return "";
  }
  slice(first, end) {
    return new Blob2(this.#bytes.slice(first, end));
  }
  async arrayBuffer() {
    return this.#bytes.slice().buffer;
  }
  get [Symbol.toStringTag]() {
    return "Blob";
  }
}

/** Wraps objects and lists in proxies at any depth, as stores do, and nothing else. */
const stored = (value) =>
  typeof value === "object" && value !== null && !ArrayBuffer.isView(value)
    ? new Proxy(value, { get: (target, key) => stored(Reflect.get(target, key)) })
    : value;

for (const [where, engine] of Object.entries(engines)) {
  test(`${where}: memory of every kind is accepted for numbers, ids and weights`, async () => {
    const scheme = await engine.scheme("rope", sizes);
    for (const [what, make] of Object.entries(memories)) {
      const data = new Float32Array(make(Float32Array.from(numbers)), 0, 80);
      const rotated = await scheme.rotate({ data, shape: [2, 5, 8] });
      assert.deepEqual(rotated.data, expected, what);
      for (const weights of [make(gguf), new Uint8Array(make(gguf), 0, gguf.length)]) {
        const model = await engine.model({ weights });
        const result = await model.run(new Int32Array(make(Int32Array.from(ids)), 0, ids.length));
        assert.deepEqual(result.ids, ids, what);
        model.dispose();
      }
    }
  });

  test(`${where}: lists, objects and Blobs of another realm are accepted`, async () => {
    const list = there(`[${numbers}]`);
    const scheme = await engine.scheme("rope", there(`({ numHeads: 2, headDim: 8 })`));
    const tensor = Object.assign(there("({ shape: [2, 5, 8] })"), { data: list });
    assert.deepEqual((await scheme.rotate(tensor)).data, expected);
    for (const source of [new Blob2(gguf), { weights: new Blob2(gguf) }, [new Blob2(gguf)]]) {
      const model = await engine.model(source, {
        tokenizer: there("(async () => ({ encode: () => [1, 2], decode: () => '' }))()"),
      });
      assert.deepEqual((await model.run("text")).ids, [1, 2]);
      model.dispose();
    }
  });

  test(`${where}: proxies of a store are read like the objects behind them`, async () => {
    const scheme = await engine.scheme("rope", stored({ ...sizes }));
    const tensor = stored({ data: numbers, shape: [2, 5, 8] });
    assert.deepEqual((await scheme.rotate(tensor, stored([0, 1, 2, 3, 4]))).data, expected);
    const model = await engine.model({ weights: gguf });
    const options = stored({ record: ["weights"], region: { rows: [0] } });
    assert.deepEqual((await model.run(stored(ids), options)).ids, ids);
    const loss = await model.loss(stored(ids));
    assert.ok(loss.mean > 0);
    model.dispose();
  });

  test(`${where}: token ids may be large integers`, async () => {
    const model = await engine.model({ weights: gguf });
    const wide = ids.map(BigInt);
    const plain = await model.run(ids, { record: ["hidden"] });
    for (const given of [wide, BigInt64Array.from(wide), BigUint64Array.from(wide)]) {
      const { hidden, ids: read } = await model.run(given, { record: ["hidden"] });
      assert.deepEqual([read, hidden.data], [ids, plain.hidden.data]);
      assert.equal((await model.embed(given)).length, (await model.embed(ids)).length);
      assert.deepEqual((await model.loss(given)).mean, (await model.loss(ids)).mean);
    }
    assert.equal((await model.embed([wide, wide])).length, 2);
    await rejected(
      (async () => model.run([2n ** 60n]))(),
      "invalid_argument",
      /^input\[0\]: 1152921504606846976 \(expected an integer from 0/,
    );
    model.dispose();
  });

  test(`${where}: detached memory is refused with that reason`, async () => {
    const scheme = await engine.scheme("rope", sizes);
    const model = await engine.model({ weights: gguf });
    const gone = (list) => {
      structuredClone(list.buffer, { transfer: [list.buffer] });
      return list;
    };
    const shrunk = () => {
      const memory = new ArrayBuffer(320, { maxByteLength: 320 });
      const list = new Float32Array(memory, 160, 40);
      memory.resize(8);
      return list;
    };
    const said = /: an? \w+ whose memory was transferred \(detached\) or shrunk \(expected/;
    const calls = [
      () => scheme.rotate({ data: gone(new Float32Array(80)), shape: [2, 5, 8] }),
      () => scheme.rotate({ data: shrunk(), shape: [2, 5, 8] }),
      () => model.run(gone(new Int32Array(4))),
      () => model.run([1, 2], { attentionMask: gone(new Uint8Array(2)) }),
      () => engine.model({ weights: gone(gguf.slice()) }),
      () => engine.model(gone(gguf.slice()).buffer),
      () => engine.softmax({ data: gone(new Float32Array(4)), shape: [2, 2] }),
    ];
    for (const call of calls) await rejected((async () => call())(), "invalid_argument", said);
    model.dispose();
  });

  test(`${where}: in Node a path is accepted as an address`, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "whereformer-"));
    context.after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "m.gguf");
    writeFileSync(file, gguf);
    writeFileSync(join(folder, "no ending"), gguf);
    const places = [file, relative(".", file), pathToFileURL(file), `${pathToFileURL(file)}?a=b`];
    for (const source of [...places, join(folder, "no ending")]) {
      const model = await engine.model(source);
      assert.deepEqual((await model.run(ids)).ids, ids, String(source));
      model.dispose();
    }
    await rejected(
      engine.model(join(folder, "none")),
      "network",
      /config\.json: could not be read/,
    );
    await rejected(engine.model("nowhere"), "invalid_argument", /a URL \(in Node .* path/);
  });

  test(`${where}: objects of another engine are refused with that reason`, async () => {
    const [mine, other] = where === "page" ? [wf, remote] : [remote, wf];
    const scheme = await other.scheme("rope", sizes);
    const tensor = await other.tensor({ data: numbers, shape: [10, 8] });
    const model = await other.model({ weights: gguf });
    const kind = where === "page" ? "a worker's" : "a";
    for (const [call, noun] of [
      [() => mine.attention({ scheme }), "scheme"],
      [() => mine.softmax(tensor), "tensor"],
      [() => mine.matmul(tensor, tensor), "tensor"],
    ])
      await rejected(
        (async () => call())(),
        "invalid_argument",
        new RegExp(`: ${kind} ${noun} \\(expected an? \\w+ of the same engine`),
      );
    for (const one of [scheme, tensor, model]) one.dispose();
  });
}

test("a binary is accepted in memory of every kind and from another realm", async () => {
  const wasm = readFileSync(new URL("../../dist/simd.wasm", import.meta.url));
  for (const make of Object.values(memories)) {
    const engine = await load({ wasm: new Uint8Array(make(wasm), 0, wasm.length) });
    assert.ok(engine.schemes.length > 10);
    engine.dispose?.();
  }
});

test("an argument for a worker causes neither a hang nor endless memory use", async () => {
  const scheme = await remote.scheme("rope", sizes);
  const wide = Array.from({ length: 300 }, () => new Array(2 ** 20));
  const ring = [];
  ring.push(ring);
  for (const bad of [new Array(2 ** 32 - 1), wide, stored(ring), ring]) {
    const began = performance.now();
    await rejected(scheme.rotate({ data: bad, shape: [2, 5, 8] }), "invalid_argument");
    assert.ok(performance.now() - began < 20_000);
  }
});
