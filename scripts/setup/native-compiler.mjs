// The compiler of native test and fuzz builds: Clang, which takes half of g++'s time and whose
// sanitizers detect more kinds of undefined behaviour (such as an offset added to a null pointer).
// Usually the WebAssembly toolchain includes one; otherwise Debian's is used.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { installPackages } from "./apt.mjs";
import { cacheFolder } from "./emscripten.mjs";
import { withLock } from "./lock.mjs";
import { findProgram, readOutput } from "./process.mjs";
import { Steps } from "./progress.mjs";

/** Debian's Clangs, newest first: `{ major, program, symbolizer }`. */
function installedClangs(folder = "/usr/lib") {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => /^llvm-(\d+)$/.exec(name)?.[1] ?? [])
    .map((major) => ({ major, bin: join(folder, `llvm-${major}`, "bin") }))
    .filter(({ bin }) => existsSync(join(bin, "clang++")))
    .sort((a, b) => b.major - a.major)
    .map(({ major, bin }) => ({
      major,
      program: join(bin, "clang++"),
      symbolizer: join(bin, "llvm-symbolizer"),
    }));
}

/** Whether a Clang has the libraries of its sanitizers. */
function hasSanitizers({ program }) {
  const folder = readOutput(program, ["-print-runtime-dir"])?.trim();
  const folders = folder ? [folder, join(folder, "../linux")] : [];
  return folders.some(
    (path) =>
      existsSync(path) && readdirSync(path).some((name) => name.startsWith("libclang_rt.asan")),
  );
}

/** The environment of a sanitized program, so that its reports name files and lines. */
export function sanitizerEnvironment() {
  const symbolizer = installedClangs().find((clang) => existsSync(clang.symbolizer))?.symbolizer;
  return symbolizer ? { ASAN_SYMBOLIZER_PATH: symbolizer, UBSAN_SYMBOLIZER_PATH: symbolizer } : {};
}

/**
 * A Clang with its sanitizers, installed if it is missing (as root): `{ program, description }`.
 */
export async function ensureClang() {
  const ready = () => {
    const found = installedClangs().find(hasSanitizers);
    return found && { program: found.program, description: found.program };
  };
  const here = ready();
  if (here) return here;
  // Systems other than Debian install both elsewhere, and together.
  const other = installedClangs().length === 0 && findProgram("clang++");
  if (other && hasSanitizers({ program: other })) return { program: other, description: other };
  return withLock(join(cacheFolder(), "apt.lock"), "installing Debian packages", async () => {
    const [newest] = installedClangs();
    const names = newest ? [`libclang-rt-${newest.major}-dev`] : ["clang", "libclang-rt-dev"];
    const steps = new Steps(1);
    steps.begin(`Clang for the sanitizers: ${names.join(", ")}`);
    steps.end(await installPackages(names, steps));
    return ready();
  });
}
