// The compiler of what is built natively to be tested or fuzzed: Clang, which compiles these in
// half of g++'s time and whose sanitizers know more kinds of undefined behaviour (an offset added
// to a null pointer, for one). The toolchain of WebAssembly has brought one as a rule; else
// Debian's.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { installPackages } from "./apt.mjs";
import { cacheFolder } from "./emscripten.mjs";
import { withLock } from "./lock.mjs";
import { findProgram, readOutput } from "./process.mjs";
import { Steps } from "./progress.mjs";

/** Debian's Clangs by falling version: `{ major, program, symbolizer }`. */
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

/** Whether a Clang has the libraries of its sanitizers beside it. */
function hasSanitizers({ program }) {
  const folder = readOutput(program, ["-print-runtime-dir"])?.trim();
  const places = folder ? [folder, join(folder, "../linux")] : [];
  return places.some(
    (place) =>
      existsSync(place) && readdirSync(place).some((name) => name.startsWith("libclang_rt.asan")),
  );
}

/** What a sanitized program is run with, so that what it reports names files and lines. */
export function sanitizerEnvironment() {
  const symbolizer = installedClangs().find((clang) => existsSync(clang.symbolizer))?.symbolizer;
  return symbolizer ? { ASAN_SYMBOLIZER_PATH: symbolizer, UBSAN_SYMBOLIZER_PATH: symbolizer } : {};
}

/**
 * A Clang with its sanitizers, installed where it is missing (as root): `{ program, description }`.
 */
export async function ensureClang() {
  const ready = () => {
    const found = installedClangs().find(hasSanitizers);
    return found && { program: found.program, description: found.program };
  };
  const here = ready();
  if (here) return here;
  // A system that is no Debian keeps both elsewhere, and together.
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
