// Builds the npm package, dist/: the scripts, all variants of the engine, the words, the elements.

import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { withLock } from "../setup/lock.mjs";
import { runOrFail, SetupError } from "../setup/process.mjs";
import { buildIfChanged } from "./fingerprint.mjs";

export const variants = ["simd", "relaxed", "threads"];
const at = (...parts) => join(root, ...parts);
const tool = (name) => at("node_modules/.bin", name);
// The scripts before they are bundled, in the folders of bindings/ts; tests import them too.
const modules = "build/modules";
const words = ["words.en.json", "words.zh.json"];

// Descriptions of the schemes, from the engine and the documents, as types and as JSON.
async function writeGenerated() {
  for (const script of ["generate.mjs", "words.mjs"]) {
    await runOrFail(process.execPath, [at("scripts", script)], { cwd: root });
  }
}

// The glue never loads its binary: wire/compile.ts does. Its own address would only make bundlers
// follow files, and is not allowed in a classic script. If the minifier knows that the glue always
// gets an instance, it removes the code that would fetch one.
function copyGlue(variant, name, built = "engine") {
  const glue = readFileSync(at("build", variant, `${built}.mjs`), "utf8");
  const text = glue
    .replaceAll(`new URL("${built}.wasm",import.meta.url).href`, `"${built}.wasm"`)
    .replaceAll("import.meta.url", '""')
    .replace(/if\((?:instantiateWasm|Module\["instantiateWasm"\])\)\{/, "if(true){");
  if (text.includes("import.meta") || !text.includes("if(true){"))
    throw new SetupError(`The ${variant} glue finds its binary in an unknown way.`);
  writeFileSync(at(modules, "wire", `${name}.mjs`), text);
  return text;
}

// In a package without a variant, bundlers still find its file; nothing loads it, since the package
// then reports that the variant is unavailable.
const emptyBinary = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** The package's file of each variant, and its path in the build. */
const binaries = [
  { variant: "simd", name: "simd", built: "inference" },
  { variant: "simd", name: "simd-training", built: "training" },
  { variant: "relaxed", name: "relaxed", built: "inference" },
  { variant: "relaxed", name: "relaxed-training", built: "training" },
  { variant: "threads", name: "threads", built: "engine" },
];

function copyVariants(present, folder) {
  for (const { variant, name, built } of binaries) {
    const target = join(folder, `${name}.wasm`);
    if (present.includes(variant)) copyFileSync(at("build", variant, `${built}.wasm`), target);
    else writeFileSync(target, emptyBinary);
  }
  // Both single-threaded binaries are compiled from one source and linked alike, so one glue fits.
  for (const given of [["glue"], ["first-glue", "first"]]) {
    const glue = copyGlue("simd", ...given);
    if (present.includes("relaxed") && copyGlue("relaxed", ...given) !== glue)
      throw new SetupError("The glue of simd and relaxed differs: the package ships one for both.");
  }
  if (present.includes("threads")) copyGlue("threads", "threads");
  else
    writeFileSync(
      at(modules, "wire/threads.mjs"),
      'export default () => Promise.reject(new Error("threads are not built"));\n',
    );
  const gguf = readFileSync(at("build/simd/gguf.wasm"), "base64");
  writeFileSync(
    at(modules, "files/gguf-binary.js"),
    `export const ggufBinary = ${JSON.stringify(gguf)};\n`,
  );
  const has = (variant) => present.includes(variant) && present.includes("relaxed");
  writeFileSync(
    at(modules, "wire/built.js"),
    `export const hasRelaxed = ${has("relaxed")};\nexport const hasThreads = ${has("threads")};\n`,
  );
}

// Hand-written declarations for JavaScript made by Emscripten.
function copyDeclarations(folder) {
  for (const name of readdirSync(at("bindings/ts"), { recursive: true })) {
    if (/\.d\.m?ts$/.test(name)) copyFileSync(at("bindings/ts", name), join(folder, name));
  }
}

const bundle = (config) =>
  runOrFail(tool("rolldown"), ["--config", config, "--log-level", "warn"], { cwd: root });

async function buildElements() {
  await runOrFail(
    tool("vite"),
    ["build", "--config", "vite.elements.config.mjs", "--logLevel", "warn"],
    { cwd: root },
  );
}

async function assemble(present) {
  const folder = at("build/package");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await writeGenerated();
  const manifest = join(folder, "custom-elements.json");
  await runOrFail(process.execPath, [at("scripts/build/elements/manifest.mjs"), manifest], {
    cwd: root,
  });
  rmSync(at(modules), { recursive: true, force: true });
  const outputs = ["--outDir", modules, "--declarationDir", folder];
  await runOrFail(tool("tsc"), ["-p", "tsconfig.package.json", ...outputs], { cwd: root });
  copyDeclarations(folder);
  copyVariants(present, folder);
  await bundle("rolldown.config.mjs");
  for (const name of words) copyFileSync(at("bindings/ts/generated", name), join(folder, name));
  await buildElements();
  await bundle("rolldown.standalone.config.mjs");
  await runOrFail(process.execPath, [at("scripts/build/short-lines.mjs"), folder], { cwd: root });
  rmSync(at("dist"), { recursive: true, force: true });
  renameSync(folder, at("dist"));
}

/**
 * Builds dist/ from bindings/ts and the engines in build/; resolves to whether it was built. A
 * package with only some variants (`simd` is always one) treats the others as unsupported by the
 * browser.
 */
export function buildPackage(present = variants) {
  return withLock(at("build/package.lock"), "building the package", () =>
    buildIfChanged({
      root,
      name: "package",
      inputs: [
        "bindings/ts",
        "docs/schemes",
        "web",
        "scripts/build",
        "scripts/generate.mjs",
        "scripts/words.mjs",
        "tsconfig.json",
        "tsconfig.package.json",
        "rolldown.config.mjs",
        "rolldown.standalone.config.mjs",
        "vite.elements.config.mjs",
        "package-lock.json",
        "build/simd/gguf.wasm",
        "build/simd/first.mjs",
        ...present.map((variant) => `build/${variant}/engine.mjs`),
        ...binaries
          .filter(({ variant }) => present.includes(variant))
          .map(({ variant, built }) => `build/${variant}/${built}.wasm`),
      ],
      outputs: [
        "dist/index.js",
        "dist/index.d.ts",
        "dist/elements.js",
        "dist/standalone.js",
        "dist/custom-elements.json",
        ...binaries.map(({ name }) => `dist/${name}.wasm`),
      ],
      build: () => assemble(present),
    }),
  );
}
