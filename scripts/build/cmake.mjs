// Configures and builds CMake presets, with Ninja's counts as progress.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../setup/lock.mjs";
import { ensureClang } from "../setup/native-compiler.mjs";
import { run, runOrFail, SetupError } from "../setup/process.mjs";

const wasmPresets = ["wasm", "threads"];
const clangPresets = ["sanitize", "fuzz", "mutation"];

/** Preset and targets of an engine; both kinds of SIMD share one build folder. */
export function engineOf(variant) {
  if (variant === "threads") return { preset: "threads", targets: ["engine_threads"] };
  const targets = [`engine_${variant}`, `first_${variant}`];
  return { preset: "wasm", targets: variant === "simd" ? [...targets, "gguf"] : targets };
}

/** Preset and target of the C++ tests: `sanitize`, `simd` or `relaxed`. */
export function testProgramOf(build) {
  if (build === "sanitize") return { preset: "sanitize", targets: ["core_tests"] };
  return { preset: "wasm", targets: [`core_tests_${build}`] };
}

async function configure(root, preset, toolchain, targets) {
  const folder = join(root, "build", preset);
  const mark = join(folder, "configured-with");
  const description = toolchain?.description ?? "native";
  const before = existsSync(mark) ? readFileSync(mark, "utf8").split("\n") : undefined;
  const isComplete = existsSync(join(folder, "build.ninja"));
  // Headers that only tests need may have been installed after the first configuration.
  const hasTargets = before && targets.every((target) => before.includes(target));
  if (isComplete && before?.[0] === description && hasTargets) return;
  // A cache of another toolchain, or an incomplete configuration, cannot be repaired: start again.
  // A complete configuration made by hand is kept.
  if (!isComplete || (before && before[0] !== description)) {
    rmSync(folder, { recursive: true, force: true });
  }
  const [command, ...rest] = wasmPresets.includes(preset) ? ["emcmake", "cmake"] : ["cmake"];
  const env = toolchain?.env ?? process.env;
  const compiler = toolchain?.program ? [`-DCMAKE_CXX_COMPILER=${toolchain.program}`] : [];
  await runOrFail(command, [...rest, "--preset", preset, ...compiler], { cwd: root, env });
  mkdirSync(folder, { recursive: true });
  const all = new Set([...(before?.slice(1) ?? []), ...targets]);
  writeFileSync(mark, [description, ...all].join("\n"));
}

/**
 * Builds targets of a preset. WebAssembly presets need the toolchain of `ensureEmscripten`; the
 * sanitizers' presets use a Clang.
 * Resolves to the number of steps that Ninja executed.
 */
export async function buildTargets({ root, preset, targets, toolchain, steps }) {
  if (clangPresets.includes(preset)) toolchain = await ensureClang();
  else if (!wasmPresets.includes(preset)) toolchain = undefined;
  return withLock(join(root, "build", `${preset}.lock`), `building ${preset}`, async () => {
    await configure(root, preset, toolchain, targets);
    let done = 0;
    const onLine = (line) => {
      const count = /^\[(\d+)\/(\d+)\]/.exec(line);
      if (!count || line.includes("Re-checking")) return;
      done = Number(count[1]);
      steps?.note(`${count[1]} of ${count[2]}`);
    };
    const options = { cwd: root, env: toolchain?.env ?? process.env, onLine };
    const result = await run(
      "cmake",
      ["--build", `build/${preset}`, "--target", ...targets],
      options,
    );
    if (result.code === 0) return done;
    const text = result.output
      .split("\n")
      .filter((line) => !/^\[\d+\/\d+\] (Building|Re-ch)/.test(line));
    throw new SetupError(
      `Building ${targets.join(" and ")} (${preset}) failed:\n${text.join("\n")}`,
    );
  });
}
