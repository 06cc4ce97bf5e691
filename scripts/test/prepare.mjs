// Installs and builds what the wanted runners need.

import { join } from "node:path";
import { buildTargets, engineOf, testProgramOf } from "../build/cmake.mjs";
import { build } from "../build.mjs";
import { harnesses } from "../fuzz/harnesses.mjs";
import { ensure, root } from "../setup/ensure.mjs";
import { runOrFail, SetupError } from "../setup/process.mjs";
import { Steps, say } from "../setup/progress.mjs";

/** The groups of Debian packages, see system-packages.json. */
function neededGroups(has) {
  const groups = [];
  const built = ["testProgram", "generated", "package", "page", "fuzz"];
  if (built.some(has)) groups.push("build");
  if (has("testProgram") || has("fuzz")) groups.push("core");
  if (has("browser")) groups.push("browser");
  if (has("browsers")) groups.push("engines");
  return groups;
}

// The package build writes the generated files too; alone they need one engine and no package.
async function writeGenerated(toolchain) {
  const steps = new Steps(2);
  steps.begin("Engine, simd");
  const done = await buildTargets({ root, ...engineOf("simd"), toolchain, steps });
  steps.end(done ? `${done} steps` : "unchanged");
  steps.begin("Generated files");
  for (const script of ["generate.mjs", "words.mjs"]) {
    await runOrFail(process.execPath, [join(root, "scripts", script)], { cwd: root });
  }
  steps.end();
}

/**
 * Prepares everything for the runners. Calls `onReady(runner, failure)` for each as soon as nothing
 * is left to do for it: a part that does not build fails its own runners, the others still run.
 */
export async function prepare(wanted, onReady) {
  const open = new Set(wanted);
  const finish = (runners, failure) => {
    for (const runner of runners) if (open.delete(runner)) onReady(runner, failure);
  };
  const needing = (...needs) =>
    [...open].filter((runner) => needs.some((need) => runner.needs[need]));
  const has = (need) => needing(need).length > 0;
  const attempt = async (runners, work) => {
    if (runners.length === 0) return;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      say(error.message);
      finish(runners, "it did not build");
    }
  };
  const programs = needing("testProgram");
  const isPackaged = has("package") || has("page");
  const emscripten =
    isPackaged ||
    has("generated") ||
    programs.some((runner) => runner.needs.testProgram !== "sanitize");
  const toolchain = await ensure({ groups: neededGroups(has), emscripten });
  finish(wanted.filter(({ needs }) => Object.keys(needs).length === 0));
  const fuzzers = needing("fuzz");
  const steps = new Steps(programs.length + fuzzers.length);
  for (const runner of programs) {
    const program = runner.needs.testProgram;
    steps.begin(`Test program, ${program}`);
    await attempt([runner], async () => {
      const done = await buildTargets({ root, ...testProgramOf(program), toolchain, steps });
      steps.end(done ? `${done} steps` : "unchanged");
    });
    finish([runner]);
  }
  for (const runner of fuzzers) {
    steps.begin("Harnesses of libFuzzer");
    await attempt([runner], async () => {
      const targets = harnesses.map((name) => `fuzz_${name}`);
      const done = await buildTargets({ root, preset: "fuzz", targets, steps });
      steps.end(done ? `${done} steps` : "unchanged");
    });
    finish([runner]);
  }
  if (isPackaged) {
    const parts = ["wasm", "package"];
    await attempt(needing("generated", "package", "page"), () => build(parts, toolchain));
  } else await attempt(needing("generated"), () => writeGenerated(toolchain));
  finish(needing("generated", "package"));
  await attempt(needing("page"), () => build(["web"], toolchain));
  finish([...open]);
}
