// The runners: what each needs built, its command, and how its closing line is read.

import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { root } from "../setup/ensure.mjs";
import { sanitizerEnvironment } from "../setup/native-compiler.mjs";
import { relaxedSimdFlags } from "../setup/process.mjs";
import { readCheck, readDoctest, readHarnesses, readNodeTest } from "./closing-lines.mjs";
import { isSlow, longFiles } from "./slow-files.mjs";
import { isPageFontsOnly } from "./wider-fonts.mjs";

const tool = (name) => join(root, "node_modules/.bin", name);

/** The test files below a folder, relative to the root; empty if there is no such folder. */
function filesBelow(folder, ending) {
  try {
    return readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith(ending))
      .map((name) => relative(root, join(root, folder, name)))
      .sort();
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

// doctest matches its patterns against the whole path of a source file.
const sourceFilter = (files) =>
  files.length ? [`--source-file=${files.map((file) => `*${file}`).join(",")}`] : [];

function coreTests(preset, files = [], what = "core") {
  const program = join(root, "build", preset, "core_tests");
  const native = preset === "sanitize";
  const flags = preset === "relaxed" ? relaxedSimdFlags() : [];
  const command = native ? [program] : [process.execPath, ...flags, `${program}.cjs`];
  return {
    title: native ? `${what}, natively under ASan and UBSan` : `${what}, as wasm (${preset})`,
    needs: { testProgram: preset },
    command: [...command, ...sourceFilter(files)],
    env: native ? sanitizerEnvironment() : {},
    read: readDoctest,
  };
}

// Folders of tests for Node's runner, and their requirements; some run their files in parallel.
const nodeFolders = {
  layout: { title: "layout", needs: {} },
  scripts: { title: "scripts", needs: {} },
  package: {
    title: "package",
    needs: { package: true, browser: true },
    usesAllCores: true,
    atOnce: availableParallelism(),
  },
  modules: {
    title: "page's modules, without a browser",
    needs: { page: true },
    usesAllCores: true,
    atOnce: availableParallelism(),
  },
  web: {
    title: "page, in Chromium",
    needs: { page: true, browser: true },
    usesAllCores: true,
    // One browser for all files.
    within: [process.execPath, join(root, "scripts/test/with-browser.mjs")],
    atOnce: Math.max(2, availableParallelism()),
    // A test that waits forever fails, with its name.
    timeout: 600_000,
    runsAgain: true,
  },
  engines: {
    title: "engines beyond Chromium",
    needs: { page: true, browsers: true },
    usesAllCores: true,
  },
  notebook: {
    title: "package for Python, in notebooks",
    needs: { package: true, browser: true },
    usesAllCores: true,
    runsAgain: true,
  },
  consumers: {
    title: "examples, installed from the tarball",
    needs: { package: true, browser: true },
    usesAllCores: true,
  },
};

const filesOf = (name) => filesBelow(`tests/${name}`, ".test.mjs");

// Files that search folders, or run other code, may use threads without naming them.
const mayMeetThreads = /threads|guides|examples|tarball|readdirSync/;

/** Whether a test file, or one beside it that it imports, may use the engine with threads. */
function asksForThreads(file) {
  const text = readFileSync(file, "utf8");
  const imported = [...text.matchAll(/\bfrom "\.\/([^"]+\.mjs)"/g)];
  const beside = imported.map(([, name]) => readFileSync(join(dirname(file), name), "utf8"));
  return mayMeetThreads.test(text) || beside.some((other) => /threads|tarball/.test(other));
}

/** Whether a test file opens a browser with windows. */
const opensWindows = (file) => /\bopenWindowed\(/.test(readFileSync(join(root, file), "utf8"));

/** The files of a folder that are not slow, or the selected ones. */
function nodeTests(name, chosen) {
  const all = chosen ?? filesOf(name).filter((file) => !isSlow(file));
  const long = longFiles.filter((file) => all.includes(file));
  const files = [...long, ...all.filter((file) => !long.includes(file))];
  const { atOnce, timeout, within = [], ...runner } = nodeFolders[name];
  const isBuilt = runner.needs.package || runner.needs.page;
  if (isBuilt && (!chosen || chosen.some((file) => asksForThreads(join(root, file)))))
    runner.needs = { ...runner.needs, threads: true };
  if (runner.needs.browser && files.some(opensWindows))
    runner.needs = { ...runner.needs, windows: true };
  // By default Node leaves one core free, which is half of two.
  const concurrency = atOnce ? [`--test-concurrency=${atOnce}`] : [];
  return {
    ...runner,
    atOnce,
    // Without a file Node would search for tests everywhere.
    missing: files.length === 0 && `there is no test in tests/${name}`,
    command: [
      ...within,
      process.execPath,
      ...relaxedSimdFlags(),
      "--test",
      "--test-reporter=spec",
      ...concurrency,
      ...(timeout ? [`--test-timeout=${timeout}`] : []),
    ],
    files,
    read: readNodeTest,
  };
}

/** The folders of the C++ tests, all of which are in one program. */
const coreFolders = ["tests/core", "tests/contract", "tests/bindings"];
const inFolders = (folders) => folders.map((folder) => `${folder}/*`);

/** All runners except those of `longRunners`, in the order of the report. */
export const runners = {
  // Two halves of one program, each of which takes a core.
  contract: coreTests("sanitize", inFolders(["tests/contract"]), "what every scheme must fulfil"),
  sanitize: coreTests("sanitize", inFolders(["tests/core", "tests/bindings"])),
  generated: {
    title: "generated files",
    needs: { generated: true },
    compare: "bindings/ts/generated",
  },
  layout: nodeTests("layout"),
  scripts: nodeTests("scripts"),
  types: {
    title: "types",
    needs: { generated: true },
    command: [tool("tsc"), "--noEmit"],
    read: readCheck,
  },
  lint: {
    title: "lint",
    needs: {},
    command: [tool("biome"), "check", "--error-on-warnings"],
    read: readCheck,
  },
  templates: {
    title: "bindings and styles in templates",
    needs: {},
    command: [tool("lit-analyzer"), "web/**/*.ts", "--format", "list", "--noColor"],
    read: readCheck,
  },
  format: {
    title: "format of C++ and templates",
    needs: {},
    command: [process.execPath, join(root, "scripts/format.mjs"), "--check"],
    read: readCheck,
  },
  package: nodeTests("package"),
  modules: nodeTests("modules"),
  web: nodeTests("web"),
};

/** The slow files of a folder. */
const slowTests = (name, seconds) => ({
  ...nodeTests(name, filesOf(name).filter(isSlow)),
  title: `${nodeFolders[name].title}, slow files`,
  seconds,
});

/**
 * Runners that `npm test` leaves out: those that take minutes and find little, third-party
 * packages, and browsers other than the main one. `seconds` is the duration of each on two cores,
 * including its build. `--rest` starts none that would not end in time, except those of several
 * files, of which it starts as many as it can.
 */
export const longRunners = {
  simd: { ...coreTests("simd"), seconds: 100 },
  slowPackage: slowTests("package", 160),
  slowWeb: slowTests("web", 540),
  relaxed: { ...coreTests("relaxed"), seconds: 120 },
  wide: {
    ...nodeTests(
      "web",
      filesOf("web").filter((file) => !isPageFontsOnly(file)),
    ),
    title: "page, wider fonts",
    seconds: 240,
    env: { WF_FONTS: "wide" },
  },
  engines: { ...nodeTests("engines"), seconds: 400 },
  consumers: { ...nodeTests("consumers"), seconds: 900 },
  notebook: { ...nodeTests("notebook"), seconds: 900 },
  fuzz: {
    title: "fuzzers, natively under ASan and UBSan",
    needs: { fuzz: true },
    command: [process.execPath, join(root, "scripts/fuzz/run.mjs")],
    usesAllCores: true,
    seconds: 600,
    read: readHarnesses,
  },
};

/** One name for several runners. */
export const bundles = {
  core: ["contract", "sanitize", "simd", "relaxed"],
  check: ["generated", "types", "templates", "lint", "format", "layout"],
};

/** All test files. */
export function testFiles() {
  return [
    ...coreFolders.flatMap((folder) => filesBelow(folder, "_test.cpp")),
    ...Object.keys(nodeFolders).flatMap((name) => filesBelow(`tests/${name}`, ".test.mjs")),
  ];
}

/** Runners for some test files: one for each kind. C++ is run natively, under the sanitizers. */
export function runnersOf(files) {
  const chosen = [];
  const native = files.filter((file) => file.endsWith(".cpp"));
  if (native.length) chosen.push(coreTests("sanitize", native));
  for (const name of Object.keys(nodeFolders)) {
    const ofFolder = files.filter((file) => file.startsWith(`tests/${name}/`));
    if (ofFolder.length) chosen.push(nodeTests(name, ofFolder));
  }
  return chosen;
}
