// Builds the engine, the npm package and the page:
//   node scripts/build.mjs [wasm] [package] [web]      (everything if none is named)

import { fileURLToPath } from "node:url";
import { buildTargets, engineOf } from "./build/cmake.mjs";
import { buildPackage, variants } from "./build/package.mjs";
import { buildPage } from "./build/page.mjs";
import { ensure, root } from "./setup/ensure.mjs";
import { runMain, unexpected } from "./setup/process.mjs";
import { Steps } from "./setup/progress.mjs";

const parts = ["wasm", "package", "web"];

async function buildEngines(steps, toolchain, present) {
  for (const variant of present) {
    steps.begin(`Engine, ${variant}`);
    const done = await buildTargets({ root, ...engineOf(variant), toolchain, steps });
    steps.end(done ? `${done} steps` : "unchanged");
  }
}

/**
 * Builds the named parts in their order, with all variants of the engine or those of `present`;
 * `wasm` and `web` need the toolchain of `ensureEmscripten`.
 */
export async function build(names, toolchain, present = variants) {
  const steps = new Steps(names.length + (names.includes("wasm") ? present.length - 1 : 0));
  if (names.includes("wasm")) await buildEngines(steps, toolchain, present);
  if (names.includes("package")) {
    steps.begin("npm package");
    steps.end((await buildPackage(present)) ? "dist" : "unchanged");
  }
  if (names.includes("web")) {
    steps.begin("Page");
    steps.end((await buildPage(toolchain)) ? "dist-web" : "unchanged");
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const names = process.argv.length > 2 ? process.argv.slice(2) : parts;
    const unknown = names.find((name) => !parts.includes(name));
    if (unknown) throw unexpected("part", unknown, `one of ${parts.join(", ")}`);
    const emscripten = names.some((name) => name !== "package");
    const groups = names.includes("wasm") ? ["build"] : [];
    await build(names, await ensure({ groups, emscripten }));
  });
}
