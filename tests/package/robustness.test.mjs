// Refused memory, disposed objects, and unusual arguments.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { Core } from "../../build/modules/wire/core.js";
import { load } from "../../dist/index.js";
import { near, refused, wf } from "./golden.mjs";
import {
  alibi,
  attention,
  cache,
  config,
  goesOn,
  input,
  invalid,
  model,
  rope,
  sizes,
  task,
} from "./spoilt.mjs";
import "./with-training.mjs";

test("too much memory is a typed error, repeatedly, without affecting other objects", () => {
  for (let i = 0; i < 3; i++) {
    refused(
      () => attention.cache({ capacity: 2 ** 30 }),
      "out_of_memory",
      /out of memory: 34359738368 numbers asked for/,
    );
    // 2 GiB of keys and values: each fits into the address space, both do not fit into memory.
    refused(
      () => attention.cache({ capacity: 12_000_000 }),
      "out_of_memory",
      /out of memory: .* bytes asked for/,
    );
    const many = Int32Array.from({ length: 200_000 }, (_, place) => place);
    refused(() => alibi.bias(many, many), "out_of_memory");
    refused(() => model.generate([1], { maxTokens: 2 ** 31 - 1 }), "out_of_memory");
    refused(
      () =>
        wf.trainer({
          config: { ...config, vocabSize: 2 ** 20, hiddenSize: 2 ** 14, headDim: 8 },
          task,
        }),
      "out_of_memory",
    );
  }
  goesOn();
});

test("a disposed object says so; disposing twice does nothing", async () => {
  const scheme = wf.scheme("rope", sizes);
  const using = wf.attention({ scheme, isCausal: true });
  scheme.dispose();
  scheme.dispose();
  refused(() => scheme.rotate(input.q), "disposed", /the scheme was disposed/);
  refused(() => wf.attention({ scheme }), "disposed");
  near(
    using.run(input).output.data.slice(0, 8),
    input.v.data.slice(0, 8),
    1e-6,
    "attention keeps its scheme alive",
  );
  const kept = using.cache({ capacity: 5 });
  using[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
  refused(() => using.run(input), "disposed", /the attention was disposed/);
  kept.dispose();
  refused(() => kept.length, "disposed", /the cache was disposed/);
  const gone = await wf.model(config);
  gone.dispose();
  refused(() => gone.run([1]), "disposed", /the model was disposed/);
  const trainer = wf.trainer({ config, task });
  trainer.dispose();
  refused(() => trainer.step(), "disposed", /the trainer was disposed/);
});

test("disposing releases memory", async () => {
  const before = wf.memory();
  for (let i = 0; i < 40; i++) attention.cache({ capacity: 200_000 }).dispose();
  const grown = wf.memory() - before;
  assert.ok(grown < 3 * 200_000 * 4 * 8 * 4 * 2, `${grown} bytes for forty caches, one at a time`);
});

/** What a program prints that may call the garbage collector. */
function withCollector(code) {
  const flags = ["--expose-gc", "--input-type=module", "--eval", code];
  return execFileSync(process.execPath, flags, { encoding: "utf8" }).trim();
}

test("objects that are never disposed of are released by the garbage collector", () => {
  // Thirty caches of 300 MB would not fit into 2 GiB.
  const code = `
    import { load } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)};
    const wf = await load();
    const attention = wf.attention({ numHeads: 1, headDim: 64 });
    for (let i = 0; i < 30; i++) {
      attention.cache({ capacity: 586_000 });
      gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    console.log("freed");`;
  assert.equal(withCollector(code), "freed");
});

for (const script of ["index.js", "worker.js"])
  test(`an object keeps what it was made with: ${script}`, () => {
    const code = `
    import { load } from ${JSON.stringify(new URL(`../../dist/${script}`, import.meta.url).href)};
    const collect = async () => {
      for (let i = 0; i < 3; i++) {
        let registry;
        const collected = new Promise((resolve) => (registry = new FinalizationRegistry(resolve)));
        registry.register({}, "");
        for (let isOver = false; !isOver; gc())
          isOver = await Promise.race([collected.then(() => true), new Promise(setImmediate)]);
      }
    };
    const config = ${JSON.stringify(config)};
    const session = await (await (await load()).model(config)).session();
    const bent = await (await (await load()).model(config)).bend({ positions: "none" });
    const attention = await (async () => {
      const wf = await load();
      const scheme = await wf.scheme("alibi", { numHeads: 1, headDim: 4 });
      return wf.attention({ scheme });
    })();
    await collect();
    const ids = [];
    for await (const { id } of (await session.fork()).generate([1, 2], { maxTokens: 3 })) {
      ids.push(id);
      await collect();
    }
    const row = { shape: [1, 2, 4], data: new Float32Array(8) };
    const { output } = await attention.run({ q: row, k: row, v: row });
    console.log(ids.length, (await bent.loss([1, 2, 1])).perToken.length, output.shape.join());
    process.exit();`;
    assert.equal(withCollector(code), "3 2 1,2,4");
  });

test("an engine that trapped is not called again; JavaScript's lack of memory is typed", () => {
  const untouched = () => assert.fail("the engine was called");
  const core = new Core({ HEAPU8: new Uint8Array(64), reserve: untouched, release: untouched });
  const full = () => {
    throw new RangeError("Array buffer allocation failed");
  };
  const trap = () => {
    throw new WebAssembly.RuntimeError("unreachable");
  };
  refused(() => core.run(0, full), "out_of_memory", /Array buffer allocation failed/);
  assert.equal(core.broken, undefined);
  const stopped = /the engine stopped: unreachable; load it again/;
  refused(() => core.run(0, trap), "internal", stopped);
  refused(() => core.run(0, untouched), "internal", stopped);
  refused(() => core.run(64, untouched), "internal", stopped);
  core.free({ delete: untouched });
});

test("lists of unexpected sizes never exceed the shared block of memory", () => {
  const memory = new Uint8Array(2 ** 18);
  const core = new Core({ HEAPU8: memory, reserve: () => 64, release() {} });
  const put = (floats) => core.run(64, () => core.put(new Float32Array(floats).fill(1)));
  assert.equal(put(16), 64);
  refused(() => put(2 ** 14 + 1), "internal", /more was put into the block/);
  assert.ok(memory.subarray(64 + 2 ** 16).every((byte) => byte === 0));
});

test("objects of one engine are refused by another", async () => {
  const another = await load({
    wasm: readFileSync(new URL("../../dist/simd.wasm", import.meta.url)),
  });
  refused(
    () => another.attention({ scheme: rope }),
    invalid,
    /^scheme: a scheme \(expected a scheme of the same engine/,
  );
  const foreign = another.attention(sizes);
  refused(
    () => foreign.decode(cache, input),
    invalid,
    /^cache: a cache \(expected a cache of the same engine/,
  );
});

test("any input gives a typed error or a result", () => {
  const anything = fc.anything({
    withBigInt: true,
    withTypedArray: true,
    withSparseArray: true,
    withMap: true,
  });
  const attempts = [
    (x, y) => wf.scheme(x, y),
    (x) => wf.scheme("rope", { ...sizes, ropeTheta: x }),
    (x) => wf.attention(x),
    (x, y) => rope.rotate(x, y),
    (x, y) => rope.rotate({ data: x, shape: y }),
    (x, y) => alibi.bias(x, y),
    (x) => attention.run({ ...input, q: x }),
    (x) => attention.run({ ...input, mask: x }),
    (x) => attention.run({ ...input, record: x, region: x }),
    (x) => attention.run({ ...input, segments: x, keyLengths: x, queryOffset: x }),
    (x, y) => model.run(x, y),
    (x, y) => model.generate(x, y),
    (x) => wf.trainer(x),
    (x) => wf.trainer({ config: x, task }),
    (x) => wf.schemeFromConfig(x),
  ];
  fc.assert(
    fc.property(fc.nat({ max: attempts.length - 1 }), anything, anything, (which, x, y) => {
      try {
        attempts[which](x, y);
      } catch (error) {
        assert.equal(error.name, "WhereformerError", String(error?.stack));
        assert.notEqual(error.code, "internal", error.message);
      }
    }),
    { numRuns: process.env.WF_LONG ? 50_000 : 3_000, seed: process.env.WF_LONG ? undefined : 1 },
  );
});
