// Installs and builds all that the selected runners need.

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildTargets, engineOf, testProgramOf } from "../build/cmake.mjs";
import { variants } from "../build/package.mjs";
import { build } from "../build.mjs";
import { harnesses } from "../fuzz/harnesses.mjs";
import { ensure, ensureSystemPackages, root } from "../setup/ensure.mjs";
import { ensureClang } from "../setup/native-compiler.mjs";
import { runOrFail, SetupError } from "../setup/process.mjs";
import { Steps, say } from "../setup/progress.mjs";

/** The groups of Debian packages that building needs, see system-packages.json. */
function groupsToBuild(has) {
  const groups = [];
  const built = ["testProgram", "generated", "package", "page", "fuzz"];
  if (built.some(has)) groups.push("build");
  if (has("testProgram") || has("fuzz")) groups.push("core");
  return groups;
}

/** The groups that only running needs. */
const groupsToRun = (has) => [
  ...(has("browser") ? ["browser"] : []),
  ...(has("windows") ? ["windows"] : []),
  ...(has("browsers") ? ["engines"] : []),
];

/** The time when the newest of some files, and of the files of some folders, was written. */
function newest(paths) {
  const within = (path) => readdirSync(path, { recursive: true }).map((name) => join(path, name));
  const all = paths.flatMap((path) => (statSync(path).isDirectory() ? within(path) : [path]));
  return Math.max(...all.map((path) => statSync(path).mtimeMs));
}

/** Whether the engine with threads is built and, judging by times, up to date. */
function hasThreads() {
  const engine = join(root, "build/threads/engine.wasm");
  const sources = ["src", "bindings/calls", "bindings/embind", "CMakeLists.txt"];
  return existsSync(engine) && newest(sources.map((name) => join(root, name))) < newest([engine]);
}

/**
 * The engines of a package for these runners. The one with threads is a separate compilation: it is
 * included if a runner needs it, or if it is built already, so that the package stays the same.
 */
function enginesFor(has) {
  if (has("threads") || hasThreads()) return variants;
  say("Without the engine with threads, which these tests do not need.");
  return variants.filter((name) => name !== "threads");
}

// The package build writes the generated files too; alone they need one engine and no package.
async function writeGenerated(toolchain) {
  const steps = new Steps(2);
  steps.begin("Engine, simd");
  const done = await buildTargets({ root, ...engineOf("simd"), toolchain, steps });
  steps.end(done ? `${done} steps` : "unchanged");
  steps.begin("Generated files");
  for (const script of ["generate.mjs", "words.mjs", "build/elements/manifest.mjs"]) {
    await runOrFail(process.execPath, [join(root, "scripts", script)], { cwd: root });
  }
  steps.end();
}

/**
 * Prepares everything for the runners. Calls `onReady(runner, failure)` for each as soon as all it
 * needs is ready: if a part fails to build, only the runners that need it fail.
 */
export async function prepare(wanted, onReady) {
  const open = new Set(wanted);
  const finish = (runners, failure) => {
    for (const runner of runners) if (open.delete(runner)) onReady(runner, failure);
  };
  const needing = (...needs) =>
    [...open].filter((runner) => needs.some((need) => runner.needs[need]));
  const has = (need) => needing(need).length > 0;
  const attempt = async (runners, work, failure = "it did not build") => {
    if (runners.length === 0) return;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      say(error.message);
      finish(runners, failure);
    }
  };
  const programs = needing("testProgram");
  const isNative = (runner) => runner.needs.testProgram === "sanitize";
  const isPackaged = has("package") || has("page");
  const emscripten = isPackaged || has("generated") || programs.some((runner) => !isNative(runner));
  const toolchain = await ensure({
    groups: groupsToBuild(has),
    emscripten,
    onNodePackages: () => finish(wanted.filter(({ needs }) => Object.keys(needs).length === 0)),
  });

  const buildPrograms = async (runners) => {
    const steps = new Steps(runners.length);
    for (const runner of runners) {
      const program = runner.needs.testProgram;
      steps.begin(`Test program, ${program}`);
      await attempt([runner], async () => {
        const done = await buildTargets({ root, ...testProgramOf(program), toolchain, steps });
        steps.end(done ? `${done} steps` : "unchanged");
      });
      finish([runner]);
    }
  };
  const buildNative = async () => {
    await buildPrograms(programs.filter(isNative));
    const fuzzers = needing("fuzz");
    const steps = new Steps(fuzzers.length);
    for (const runner of fuzzers) {
      steps.begin("Harnesses of libFuzzer");
      await attempt([runner], async () => {
        const targets = harnesses.map((name) => `fuzz_${name}`);
        const done = await buildTargets({ root, preset: "fuzz", targets, steps });
        steps.end(done ? `${done} steps` : "unchanged");
      });
      finish([runner]);
    }
  };
  const installBrowsers = () =>
    attempt(
      needing("browser", "windows", "browsers"),
      () => ensureSystemPackages(...groupsToRun(has)),
      "no browser was installed",
    );
  const buildWebAssembly = async () => {
    await buildPrograms(programs.filter((runner) => !isNative(runner)));
    if (isPackaged) {
      const parts = ["wasm", "package"];
      const engines = enginesFor(has);
      await attempt(needing("generated", "package", "page"), () =>
        build(parts, toolchain, engines),
      );
    } else await attempt(needing("generated"), () => writeGenerated(toolchain));
    finish(needing("generated"));
    await attempt(needing("page"), () => build(["web"], toolchain));
  };
  // Before the browsers, for which the package manager is busy longer.
  if (programs.some(isNative) || has("fuzz")) await ensureClang();
  // Side by side: compilers use every core, but linkers, bundlers and package managers use one.
  await Promise.all([buildNative(), buildWebAssembly(), installBrowsers()]);
  finish([...open]);
}
