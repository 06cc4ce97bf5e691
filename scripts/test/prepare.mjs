// Installs and builds what the wanted runners need.

import { join } from "node:path";
import { buildTargets } from "../build/cmake.mjs";
import { build } from "../build.mjs";
import { ensure, root } from "../setup/ensure.mjs";
import { runOrFail, SetupError } from "../setup/process.mjs";
import { Steps, say } from "../setup/progress.mjs";

/** The groups of Debian packages, see system-packages.json. */
function neededGroups(has) {
  const groups = [];
  if (has("testProgram") || has("generated") || has("package") || has("page")) groups.push("build");
  if (has("testProgram")) groups.push("core");
  if (has("browser")) groups.push("browser");
  if (has("browsers")) groups.push("engines");
  return groups;
}

// The package build writes the generated files too; alone they need one engine and no package.
async function writeGenerated(toolchain) {
  const steps = new Steps(2);
  steps.begin("Engine, simd");
  const done = await buildTargets({ root, preset: "simd", targets: ["engine"], toolchain, steps });
  steps.end(done ? `${done} steps` : "unchanged");
  steps.begin("Generated files");
  for (const script of ["generate.mjs", "words.mjs"]) {
    await runOrFail(process.execPath, [join(root, "scripts", script)], { cwd: root });
  }
  steps.end();
}

/**
 * Prepares everything for the runners. Resolves to a map from a runner to the reason why it cannot
 * run: a part that does not build fails its own runners, the others still run and report.
 */
export async function prepare(wanted) {
  const failures = new Map();
  const needing = (...needs) =>
    wanted.filter((runner) => needs.some((need) => runner.needs[need]) && !failures.has(runner));
  const has = (need) => needing(need).length > 0;
  const attempt = async (runners, work) => {
    if (runners.length === 0) return;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      say(error.message);
      for (const runner of runners) failures.set(runner, "it did not build");
    }
  };
  const programs = needing("testProgram");
  const isPackaged = has("package") || has("page");
  const emscripten =
    isPackaged ||
    has("generated") ||
    programs.some((runner) => runner.needs.testProgram !== "sanitize");
  const toolchain = await ensure({ groups: neededGroups(has), emscripten });
  const steps = new Steps(programs.length);
  for (const runner of programs) {
    const preset = runner.needs.testProgram;
    steps.begin(`Test program, ${preset}`);
    await attempt([runner], async () => {
      const done = await buildTargets({ root, preset, targets: ["core_tests"], toolchain, steps });
      steps.end(done ? `${done} steps` : "unchanged");
    });
  }
  if (isPackaged) {
    await attempt(needing("generated", "package", "page"), () =>
      build(["wasm", "package"], toolchain),
    );
  } else await attempt(needing("generated"), () => writeGenerated(toolchain));
  await attempt(needing("page"), () => build(["web"], toolchain));
  return failures;
}
