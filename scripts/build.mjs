// Builds the engine, the npm package and the page:
//   node scripts/build.mjs [wasm] [package] [web]      (everything when none is named)

import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildTargets } from "./build/cmake.mjs";
import { buildIfChanged } from "./build/fingerprint.mjs";
import { ensure, root } from "./setup/ensure.mjs";
import { withLock } from "./setup/lock.mjs";
import { runMain, runOrFail, SetupError } from "./setup/process.mjs";
import { Steps } from "./setup/progress.mjs";

const variants = ["simd", "relaxed"];
const at = (...parts) => join(root, ...parts);
const tool = (name) => at("node_modules/.bin", name);

async function buildWasm(steps, toolchain) {
  for (const preset of variants) {
    steps.begin(`Engine, ${preset}`);
    const done = await buildTargets({ root, preset, targets: ["engine"], toolchain, steps });
    steps.end(done ? `${done} steps` : "unchanged");
  }
}

// The glue looks for its binary under the name it was linked with. In the package both variants lie
// side by side, and bundlers want a literal "./" (Emscripten leaves it out).
function copyVariant(variant, folder) {
  const glue = readFileSync(at("build", variant, "engine.mjs"), "utf8");
  const name = '"engine.wasm"';
  if (glue.split(name).length !== 2) {
    throw new SetupError(`The ${variant} glue does not name its binary exactly once.`);
  }
  writeFileSync(join(folder, `${variant}.mjs`), glue.replace(name, `"./${variant}.wasm"`));
  copyFileSync(at("build", variant, "engine.wasm"), join(folder, `${variant}.wasm`));
}

// Declarations are written by hand where the JavaScript is Emscripten's.
function copyDeclarations(folder) {
  for (const name of readdirSync(at("bindings/ts"))) {
    if (/\.d\.m?ts$/.test(name)) copyFileSync(at("bindings/ts", name), join(folder, name));
  }
}

async function buildPackage(steps) {
  steps.begin("npm package");
  const built = await withLock(at("build/package.lock"), "building the package", () =>
    buildIfChanged({
      root,
      name: "package",
      inputs: [
        "bindings/ts",
        "scripts/build.mjs",
        "tsconfig.json",
        "tsconfig.package.json",
        "package-lock.json",
        ...variants.flatMap((v) => [`build/${v}/engine.mjs`, `build/${v}/engine.wasm`]),
      ],
      outputs: ["dist/index.js", "dist/index.d.ts", ...variants.map((v) => `dist/${v}.wasm`)],
      build: async () => {
        const folder = at("build/package");
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true });
        await runOrFail(tool("tsc"), ["-p", "tsconfig.package.json"], { cwd: root });
        copyDeclarations(folder);
        for (const variant of variants) copyVariant(variant, folder);
        rmSync(at("dist"), { recursive: true, force: true });
        renameSync(folder, at("dist"));
      },
    }),
  );
  steps.end(built ? "dist" : "unchanged");
}

// Weights and tokenizer are served from the page's own origin.
function copyModels() {
  const target = at("dist-web/models");
  mkdirSync(target, { recursive: true });
  for (const entry of readdirSync(at("models"), { withFileTypes: true })) {
    if (/^tokenizer.*\.json$/.test(entry.name))
      cpSync(at("models", entry.name), join(target, entry.name));
    if (!entry.isDirectory() || !existsSync(at("models", entry.name, "model.safetensors")))
      continue;
    mkdirSync(join(target, entry.name), { recursive: true });
    for (const file of ["config.json", "model.safetensors", "training.json"]) {
      cpSync(at("models", entry.name, file), join(target, entry.name, file));
    }
  }
}

async function buildWeb(steps) {
  steps.begin("Page");
  const built = await withLock(at("build/web.lock"), "building the page", () =>
    buildIfChanged({
      root,
      name: "web",
      inputs: [
        "web",
        "dist",
        "models",
        "docs/schemes",
        "vite.config.mjs",
        "scripts/build.mjs",
        "package-lock.json",
      ],
      outputs: ["dist-web/index.html"],
      build: async () => {
        await runOrFail(tool("vite"), ["build", "--logLevel", "warn"], { cwd: root });
        copyModels();
      },
    }),
  );
  steps.end(built ? "dist-web" : "unchanged");
}

const verbs = { wasm: buildWasm, package: buildPackage, web: buildWeb };

/** Builds the named parts in their order; `toolchain` is needed for `wasm`. */
export async function build(names, toolchain) {
  const steps = new Steps(names.length + (names.includes("wasm") ? 1 : 0));
  for (const name of Object.keys(verbs)) {
    if (names.includes(name)) await verbs[name](steps, toolchain);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(verbs);
    const unknown = names.find((name) => !(name in verbs));
    if (unknown)
      throw new SetupError(`${unknown}? The parts are ${Object.keys(verbs).join(", ")}.`);
    const emscripten = names.includes("wasm");
    await build(names, await ensure({ groups: emscripten ? ["build"] : [], emscripten }));
  });
}
