// Finds an Emscripten, or makes one in the user's cache from Debian's and npm's packages. Sources
// and versions are data: emscripten-sources.json.

import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { candidateVersion, IsolatedSuite, installPackages, updateLists } from "./apt.mjs";
import { withLock } from "./lock.mjs";
import {
  findProgram,
  isRoot,
  onInterrupt,
  readOutput,
  run,
  runOrFail,
  SetupError,
} from "./process.mjs";
import { formatBytes, Steps, say } from "./progress.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const choices = JSON.parse(readFileSync(join(here, "emscripten-sources.json"), "utf8"));
// A finished toolchain is reused while its sources are unchanged; the minimum is for others.
const { minimumVersion, ...sources } = choices;
const recipe = createHash("sha256").update(JSON.stringify(sources)).digest("hex").slice(0, 8);
const totalSteps = 6;

/** The folder outside every checkout that clones and continuous integration share. */
export function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "whereformer");
}

const llvmFolder = (major) => choices.llvmFolder.replace("{major}", major);
const llvmPackages = (major) => choices.llvmPackages.map((name) => name.replace("{major}", major));

function hasVersion(version, minimum) {
  const [a, b] = [version, minimum].map((text) => text.split(".").map(Number));
  for (let i = 0; i < 3; i += 1) if (a[i] !== b[i]) return a[i] > b[i];
  return true;
}

/** An emcc on the PATH, if it is of a version that builds this project. */
function emccOnPath() {
  const emcc = findProgram("emcc");
  const version = emcc && /(\d+\.\d+\.\d+)/.exec(readOutput(emcc, ["--version"]) ?? "")?.[1];
  if (!version || !hasVersion(version, minimumVersion)) return undefined;
  return { version, description: `Emscripten ${version} from the PATH`, env: process.env };
}

// Emscripten's entry points look up Python on the PATH, where a version manager's shim may be
// found.
function systemPython() {
  return existsSync("/usr/bin/python3") ? { EMSDK_PYTHON: "/usr/bin/python3" } : {};
}

function environment(folder) {
  return {
    ...process.env,
    ...systemPython(),
    EM_CONFIG: join(folder, "emscripten.config"),
    EM_NODE_JS: process.execPath,
    PATH: [join(folder, "emscripten"), process.env.PATH].join(delimiter),
  };
}

function readFinished(folder) {
  try {
    const facts = JSON.parse(readFileSync(join(folder, "toolchain.json"), "utf8"));
    if (facts.recipe !== recipe) return undefined;
    return { ...facts, folder, env: environment(folder) };
  } catch {
    return undefined;
  }
}

function findFinished(root) {
  if (!existsSync(root)) return undefined;
  for (const name of readdirSync(root).sort().reverse()) {
    const found = name.startsWith(".") ? undefined : readFinished(join(root, name));
    if (found) return found;
  }
  return undefined;
}

/** The LLVM major version that a source's Emscripten can use here, or undefined. */
function chooseLlvm(source, emscriptenFolder) {
  const config = readFileSync(join(emscriptenFolder, ".emscripten"), "utf8");
  const wanted = Number(/LLVM_ADD_VERSION\s*=\s*'(\d+)'/.exec(config)?.[1]);
  const majors = source.llvm.map((word) => wanted + (word === "next" ? 1 : 0));
  return majors.find(
    (major) => existsSync(join(llvmFolder(major), "clang")) || candidateVersion(`clang-${major}`),
  );
}

async function unpackSource(source, folder, steps) {
  const suite = new IsolatedSuite(join(folder, source.suite));
  steps.begin(`Emscripten from Debian's ${source.suite} suite (unpacked, not installed)`);
  await suite.open(source.suite);
  const { files, bytes } = await suite.download(
    [...choices.unpack, ...choices.runtimeLibraries],
    steps,
  );
  const parts = join(folder, source.suite, "unpacked");
  for (const [index, file] of files.entries()) {
    steps.note(`unpacking ${index + 1} of ${files.length}`);
    await runOrFail("dpkg", ["-x", file, parts]);
  }
  const emscripten = join(parts, "usr/share/emscripten");
  const versionText = readFileSync(join(emscripten, "emscripten-version.txt"), "utf8");
  const version = /\d+\.\d+\.\d+/.exec(versionText)[0];
  steps.end(`${version}, ${formatBytes(bytes)}`);
  return { parts, emscripten, version };
}

function findFiles(folder, pattern) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => pattern.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

// Binaryen is linked against a newer libc than this machine's: each program gets a wrapper that
// calls the loader shipped with it. Paths are relative, so the folder can be renamed.
function wrapBinaryen(folder, parts) {
  mkdirSync(join(folder, "binaryen/bin"), { recursive: true });
  renameSync(join(parts, "usr"), join(folder, "binaryen/usr"));
  const root = join(folder, "binaryen");
  const loader = findFiles(join(root, "usr/lib"), /^ld-linux.*\.so\.\d+$/)[0];
  const libraries = [...new Set(findFiles(join(root, "usr/lib"), /^lib.*\.so\.\d+$/).map(dirname))];
  const inside = (path) => `"$here/..${path.slice(root.length)}"`;
  for (const name of readdirSync(join(root, "usr/bin")).filter((item) => /^wasm/.test(item))) {
    const file = join(root, "bin", name);
    writeFileSync(
      file,
      `#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")")\n` +
        `exec ${inside(loader)} --library-path ${libraries.map(inside).join(":")} ` +
        `${inside(join(root, "usr/bin", name))} "$@"\n`,
    );
    chmodSync(file, 0o755);
  }
}

// Emscripten's JavaScript optimiser imports a parser that Debian packages separately.
async function addParser(folder) {
  const project = join(folder, "parser");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true }\n');
  await runOrFail(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...choices.npmPackages],
    { cwd: project },
  );
  renameSync(join(project, "node_modules"), join(folder, "emscripten/node_modules"));
  rmSync(project, { recursive: true });
}

function writeConfig(folder, finalFolder, source, llvm) {
  const shipped = source.systemLibraries === "shipped";
  const cache = join(finalFolder, shipped ? "emscripten/cache" : "system-cache");
  const lines = [
    `LLVM_ROOT = '${llvmFolder(llvm)}'`,
    `BINARYEN_ROOT = '${join(finalFolder, "binaryen")}'`,
    `EMSCRIPTEN_ROOT = '${join(finalFolder, "emscripten")}'`,
    `NODE_JS = '${process.execPath}'`,
    `CACHE = '${cache}'`,
    ...(shipped ? ["FROZEN_CACHE = True"] : []),
  ];
  writeFileSync(join(folder, "emscripten.config"), `${lines.join("\n")}\n`);
}

const probeText = `#include <emscripten/bind.h>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>
float total(float x) {
  std::vector<float> values(8, std::exp(x));
  return values[3] + std::stof(std::to_string(x));
}
EMSCRIPTEN_BINDINGS(probe) { emscripten::function("total", &total); }
int main() { std::printf("%.1f\\n", total(0)); }
`;
const lean = ["-fno-exceptions", "-fno-rtti", "-DEMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0"];
// The engine's link flags. Other programs need other variants of the libraries, which Emscripten
// builds at their first link.
const probeFlags = ["-O3", ...lean, "-msimd128", "-sMALLOC=emmalloc", "-sDYNAMIC_EXECUTION=0"];

// Linking fills the cache of system libraries; running the result proves that the toolchain works.
async function buildLibraries(folder, source, steps) {
  steps.begin("WebAssembly system libraries (built once, takes minutes)");
  const env = { ...environment(folder), EM_BINARYEN_ROOT: join(folder, "binaryen") };
  if (source.systemLibraries === "built") env.EM_CACHE = join(folder, "system-cache");
  else env.EM_CACHE = join(folder, "emscripten/cache");
  env.EM_EMSCRIPTEN_ROOT = join(folder, "emscripten");
  const probe = join(folder, "probe");
  mkdirSync(probe);
  writeFileSync(join(probe, "probe.cpp"), probeText);
  let built = 0;
  const onLine = (line) => {
    const library = /generating system (?:library|asset|headers): (\S+?)\.{3}/.exec(line)?.[1];
    if (!library) return;
    built += 1;
    steps.note(`${library.split("/").pop()}, no. ${built}`);
  };
  const output = join(probe, "probe.js");
  const file = join(probe, "probe.cpp");
  const args = [file, "-o", output, "--bind", "-Wno-version-check", ...probeFlags];
  let result = await run("em++", args, { env, onLine });
  if (result.code !== 0 && result.output.includes("less than stack size")) {
    result = await run("em++", [...args, "-Wl,--no-stack-first"], { env, onLine });
  }
  if (result.code !== 0) throw new SetupError(`em++ failed:\n${result.output.slice(-4000)}`);
  const { output: said } = await runOrFail(process.execPath, [output]);
  if (said.trim() !== "1.0") throw new SetupError(`The test program printed ${said.trim()}.`);
  rmSync(probe, { recursive: true });
  steps.end(`${built} built, a test program compiled and run`);
}

async function assemble(source, unpacked, llvm, partial, root, steps) {
  const name = `emscripten-${unpacked.version}-${source.suite}-llvm${llvm}-${recipe}`;
  const finalFolder = join(root, name);
  steps.begin(`LLVM ${llvm} from this release`);
  if (existsSync(join(llvmFolder(llvm), "clang"))) steps.end("already installed");
  else steps.end(await installPackages(llvmPackages(llvm), steps));
  steps.begin("Binaryen with its own C library, and the JavaScript parser from npm");
  renameSync(unpacked.emscripten, join(partial, "emscripten"));
  wrapBinaryen(partial, unpacked.parts);
  rmSync(join(partial, source.suite), { recursive: true });
  await addParser(partial);
  steps.end();
  writeConfig(partial, finalFolder, source, llvm);
  await buildLibraries(partial, source, steps);
  steps.begin(`Moving it to ${finalFolder}`);
  const facts = {
    recipe,
    version: unpacked.version,
    description: `Emscripten ${unpacked.version} (Debian ${source.suite}) with LLVM ${llvm}`,
  };
  writeFileSync(join(partial, "toolchain.json"), `${JSON.stringify(facts, null, 2)}\n`);
  rmSync(finalFolder, { recursive: true, force: true });
  renameSync(partial, finalFolder);
  steps.end();
  return readFinished(finalFolder);
}

async function provision(root) {
  for (const name of existsSync(root) ? readdirSync(root) : []) {
    if (name.startsWith(".partial-")) rmSync(join(root, name), { recursive: true, force: true });
  }
  const partial = join(root, `.partial-${process.pid}`);
  mkdirSync(partial, { recursive: true });
  const removePartial = onInterrupt(() => rmSync(partial, { recursive: true, force: true }));
  const steps = new Steps(totalSteps);
  try {
    steps.begin("Package lists of this release");
    if (isRoot()) await updateLists();
    steps.end();
    const refused = [];
    for (const source of choices.sources) {
      const unpacked = await unpackSource(source, partial, steps);
      const llvm = chooseLlvm(source, unpacked.emscripten);
      if (llvm) return await assemble(source, unpacked, llvm, partial, root, steps);
      refused.push(`${source.suite}: Emscripten ${unpacked.version} finds no matching LLVM here`);
      say(`      ${refused.at(-1)}; trying the next source`);
      rmSync(join(partial, source.suite), { recursive: true });
      steps.addOne();
    }
    throw new SetupError(
      `No usable Emscripten (${refused.join("; ")}): install emcc ` +
        `${minimumVersion} or newer by hand and put it on the PATH.`,
    );
  } finally {
    removePartial();
  }
}

function requireMeans() {
  if (!findProgram("apt-get") || !findProgram("dpkg")) {
    throw new SetupError(
      `This machine has no emcc on its PATH and no apt to get one: install Emscripten ` +
        `${minimumVersion} or newer and run the same command again.`,
    );
  }
  const hasLlvm = readdirSync(dirname(dirname(choices.llvmFolder))).some((name) =>
    /^llvm-\d+$/.test(name),
  );
  if (!isRoot() && !hasLlvm) {
    throw new SetupError(
      `There is no emcc on the PATH and no right to install one: install Emscripten ` +
        `${minimumVersion} or newer, or run the same command as root once.`,
    );
  }
}

// The cache may outlive the system that it was made on, as in a new container with a kept home
// folder: LLVM is the only part of the toolchain outside it.
async function withLlvm(toolchain) {
  const config = readFileSync(join(toolchain.folder, "emscripten.config"), "utf8");
  const [, folder] = /LLVM_ROOT = '([^']+)'/.exec(config) ?? [];
  if (!folder || existsSync(join(folder, "clang"))) return toolchain;
  requireMeans();
  const steps = new Steps(1);
  steps.begin("LLVM, which the toolchain was set up with and this system lacks");
  steps.end(await installPackages(llvmPackages(/\d+/.exec(folder)[0]), steps));
  return toolchain;
}

/**
 * An Emscripten that is ready to use: `{ version, description, env }`, where `env` is the
 * environment in which `emcc`, `em++` and `emcmake` are found. All slow steps happen only once per
 * machine, in a temporary folder that is renamed when it is complete.
 */
export async function ensureEmscripten() {
  const onPath = emccOnPath();
  if (onPath) return onPath;
  const root = join(cacheFolder(), "toolchain");
  const ready = findFinished(root);
  if (ready) return withLlvm(ready);
  requireMeans();
  return withLock(join(root, ".lock"), "setting up Emscripten", async () => {
    return findFinished(root) ?? (await provision(root));
  });
}
