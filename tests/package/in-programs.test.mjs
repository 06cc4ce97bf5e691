// Engines and their objects in other people's programs: frameworks put them into stores and behind
// proxies; programs freeze them, print them, forget an await, or may not read files.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { load } from "../../dist/index.js";
import { load as loadWorker } from "../../dist/worker.js";
import { refused, rejected } from "./golden.mjs";
import "./with-training.mjs";

const wf = await load({ variant: "simd" });
const remote = await loadWorker({ variant: "simd", training: true });
after(() => remote.dispose());
const sizes = { numHeads: 1, headDim: 2 };
const config = { vocabSize: 8, hiddenSize: 8, numLayers: 1, numHeads: 1, intermediateSize: 8 };
const training = { config, task: { id: "copy" }, length: 8, totalSteps: 100_000 };

// Vue's rule for which objects it wraps in a proxy; other stores have similar ones.
const isMadeProxy = (value) =>
  ["Object", "Array", "Map", "Set", "WeakMap", "WeakSet"].includes(
    Object.prototype.toString.call(value).slice(8, -1),
  );

test("a store that tracks changes does not wrap engines and their objects", async () => {
  const scheme = wf.scheme("alibi", sizes);
  const far = await remote.scheme("alibi", sizes);
  const model = await remote.model(config);
  const objects = [wf, scheme, wf.attention({ scheme }), wf.trainer(training), remote, far, model];
  assert.deepEqual(
    objects.map(isMadeProxy),
    objects.map(() => false),
  );
});

test("a call on a proxy gives an error that explains the remedy", async () => {
  const scheme = wf.scheme("alibi", sizes);
  const said = /^this: a Proxy \(expected the original object; in Vue: toRaw/;
  refused(() => new Proxy(wf, {}).scheme("alibi", sizes), "invalid_argument", said);
  refused(() => new Proxy(scheme, {}).bias([1], [0]), "invalid_argument", said);
  await rejected(new Proxy(remote, {}).model(config), "invalid_argument", said);
});

/** Freezes an object and everything that can be reached from it, as some stores do. */
function deepFreeze(value, seen = new Set()) {
  if (typeof value !== "object" || value === null || seen.has(value)) return value;
  seen.add(value);
  for (const name of Reflect.ownKeys(value)) deepFreeze(value[name], seen);
  return ArrayBuffer.isView(value) ? value : Object.freeze(value);
}

test("frozen engines and objects work, and can be disposed of", async () => {
  const own = deepFreeze(
    await load({
      variant: "simd",
      wasm: new URL("../../dist/simd.wasm", import.meta.url),
      training: true,
    }),
  );
  const scheme = deepFreeze(own.scheme("alibi", sizes));
  assert.equal(scheme.bias([1], [0]).data[0], -0.00390625);
  const trainer = deepFreeze(own.trainer(training));
  trainer.step(2);
  assert.equal(trainer.stepsDone, 2);
  trainer.dispose();
  refused(() => trainer.step(), "disposed");
  const far = deepFreeze(await deepFreeze(remote).trainer(training));
  await far.step(3);
  assert.equal(far.stepsDone, 3);
  far.dispose();
  await rejected(far.step(), "disposed");
});

test("a promise in place of a value is refused by name", async () => {
  const promise = remote.scheme("alibi", sizes);
  const named = /^scheme: a promise \(await it\) \(expected/;
  await rejected(remote.attention({ scheme: promise }), "invalid_argument", named);
  refused(() => wf.attention({ scheme: promise }), "invalid_argument", named);
  await rejected(remote.softmax(promise), "invalid_argument", /^arguments: a promise \(await it\)/);
});

test("a console prints an engine in few words", async () => {
  assert.ok(wf.schemes.length > 20 && remote.schemes.length > 20);
  for (const engine of [wf, remote]) assert.ok(inspect(engine).length < 120, inspect(engine));
});

test("training reports the loss and the progress of each step", async () => {
  const trainer = await remote.trainer(training);
  const losses = [];
  const stepsDone = [];
  const onProgress = (done, total, loss) => {
    losses.push(loss);
    stepsDone.push(trainer.stepsDone);
    assert.ok(done <= total);
  };
  const all = await trainer.step(5, { onProgress });
  assert.deepEqual(losses, [...all]);
  assert.deepEqual(stepsDone, [1, 2, 3, 4, 5]);
});

test("after an abort, the state of the training is available at once", async () => {
  const trainer = await remote.trainer(training);
  for (const most of [3, 40, 111]) {
    const control = new AbortController();
    let heard = 0;
    const onProgress = () => ++heard === most && control.abort();
    const before = trainer.stepsDone;
    const error = await rejected(
      trainer.step(50_000, { signal: control.signal, onProgress }),
      "aborted",
    );
    assert.equal(error.cause, control.signal.reason);
    const known = trainer.stepsDone;
    assert.ok(known >= before + most, `${known} steps after ${before} and ${most}`);
    await trainer.evaluate({ sequences: 1 });
    assert.equal(trainer.stepsDone, known);
  }
});

test("a program without permission to read files gets that reason, not a failed network", () => {
  const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
  const scripts = readdirSync(dist).filter((name) => name.endsWith(".js"));
  const [major] = process.versions.node.split(".");
  const flags = [
    major < 24 ? "--experimental-permission" : "--permission",
    ...scripts.map((name) => `--allow-fs-read=${dist}${name}`),
    `--allow-fs-read=${fileURLToPath(new URL("../../package.json", import.meta.url))}`,
  ];
  const script = `import("${dist}index.js").then(({ load }) => load())
    .catch((error) => console.log(error.code, error.message));`;
  // Keeps this process's coverage files unchanged; Node passes the variable on even if it is unset
  // here.
  const env = { ...process.env, NODE_OPTIONS: "", NODE_V8_COVERAGE: "" };
  const output = execFileSync(process.execPath, [...flags, "--eval", script], {
    encoding: "utf8",
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  assert.match(
    output,
    /^unsupported file:.*\.wasm: this program may not read the file .*--allow-read/,
  );
});
