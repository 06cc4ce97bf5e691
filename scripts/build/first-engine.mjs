// Reduces an engine to the functions that the first figures call, so that they work before the
// whole engine is loaded:
//   node [--experimental-wasm-relaxed-simd] scripts/build/first-engine.mjs VARIANT
// build/VARIANT/first.wasm, which CMake links with the calls that they need, becomes
// build/first-engine/VARIANT.wasm: an instrumented copy executes every kind of request that those
// figures make (web/engine/worker/first-questions.ts), and functions that did not run are removed.
// A call of a removed function traps, which is a typed error. Run by the page's build, with
// Emscripten on the PATH.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { runMain, SetupError } from "../setup/process.mjs";
import { binaryen, strip } from "./binaryen.mjs";
import { openSources } from "./page-sources.mjs";

const target = join(root, "build/first-engine");

/** Makes an engine of this binary; returns it with its instance's exports, which are not public. */
async function open(file, variant) {
  const { makeFirstEngine } = await import("../../build/modules/api/first-engine.js");
  const { instantiate } = WebAssembly;
  let exported;
  WebAssembly.instantiate = async (...given) => {
    const made = await instantiate(...given);
    exported = made.exports;
    return made;
  };
  try {
    const wf = await makeFirstEngine(await WebAssembly.compile(readFileSync(file)), variant);
    return { wf, exported };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

const maxBytes = 2 ** 16;

/** The functions that an instance has run, in Binaryen's format. */
function readProfile({ __write_profile: write, ...exported }) {
  const memory = Object.values(exported).find((item) => item instanceof WebAssembly.Memory);
  const address = memory.buffer.byteLength;
  memory.grow(1);
  const bytes = write(address, maxBytes);
  if (bytes > maxBytes) throw new SetupError(`A profile of ${bytes} bytes does not fit.`);
  return new Uint8Array(memory.buffer, address, bytes);
}

async function ask(wf) {
  const sources = await openSources();
  try {
    const { askEverything } = await sources.load("/engine/worker/first-questions.ts");
    await askEverything(wf);
  } finally {
    await sources.close();
  }
}

/** A partly built package has an empty binary for a missing variant. */
const isThere = (whole) => readFileSync(whole).length > 100;

async function reduce(variant) {
  const whole = join(root, "dist", `${variant}.wasm`);
  const engine = join(root, "build", variant, "first.wasm");
  mkdirSync(target, { recursive: true });
  if (!isThere(whole)) return copyFileSync(whole, join(target, `${variant}.wasm`));
  const work = mkdtempSync(join(tmpdir(), "whereformer-first-"));
  const at = (name) => join(work, name);
  try {
    await binaryen("wasm-split", ["--instrument", engine, "-o", at("instrumented.wasm")]);
    const { wf, exported } = await open(at("instrumented.wasm"), variant);
    await ask(wf);
    writeFileSync(at("profile"), readProfile(exported));
    await binaryen("wasm-split", [
      engine,
      "--split",
      `--profile=${at("profile")}`,
      "--no-placeholders",
      "-o1",
      at("first.wasm"),
      "-o2",
      at("rest.wasm"),
    ]);
    await strip(at("first.wasm"), join(target, `${variant}.wasm`));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

await runMain(() => reduce(process.argv[2]));
