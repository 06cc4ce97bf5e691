// Runs Binaryen's programs from the toolchain on the PATH.

import { join } from "node:path";
import { readOutput, runOrFail } from "../setup/process.mjs";

/** As in the engine's compilation. Without reference types Binaryen uses a single table. */
const features = [
  "--mvp-features",
  "simd",
  "relaxed-simd",
  "bulk-memory",
  "bulk-memory-opt",
  "mutable-globals",
  "nontrapping-float-to-int",
  "sign-ext",
].map((name) => (name.startsWith("--") ? name : `--enable-${name}`));

/** Runs one of them on a binary of the engine. */
export function binaryen(name, args) {
  const folder = readOutput("em-config", ["BINARYEN_ROOT"]).trim();
  return runOrFail(join(folder, "bin", name), [...features, ...args]);
}

/** Strips debugging information from a binary. */
export const strip = (from, to) =>
  binaryen("wasm-opt", [
    from,
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
    "-o",
    to,
  ]);
