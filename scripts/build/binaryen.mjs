// Binaryen's programs, as the toolchain on the path has them.

import { join } from "node:path";
import { readOutput, runOrFail } from "../setup/process.mjs";

/** As the engine is compiled. Without reference types Binaryen keeps to one table. */
const features = [
  "--mvp-features",
  ...["simd", "relaxed-simd", "bulk-memory", "bulk-memory-opt", "mutable-globals"],
  ...["nontrapping-float-to-int", "sign-ext"],
].map((name) => (name.startsWith("--") ? name : `--enable-${name}`));

/** Runs one of them over a binary of the engine. */
export function binaryen(name, args) {
  const folder = readOutput("em-config", ["BINARYEN_ROOT"]).trim();
  return runOrFail(join(folder, "bin", name), [...features, ...args]);
}

/** Writes a binary without what only its makers read. */
export const strip = (from, to) =>
  binaryen("wasm-opt", [
    ...[from, "--strip-debug", "--strip-producers", "--strip-target-features"],
    ...["-o", to],
  ]);
