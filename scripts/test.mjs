// Builds and runs the tests:
//   node scripts/test.mjs [--long] [RUNNER ...] [-- ARGUMENTS]
// Without names all runners run. Arguments after -- go to the runner itself. --long adds the runners
// that take minutes and sets WF_LONG=1, with which tests take more seeds and longer inputs.

import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { buildTargets } from "./build/cmake.mjs";
import { fingerprint } from "./build/fingerprint.mjs";
import { build } from "./build.mjs";
import { ensure, root } from "./setup/ensure.mjs";
import { relaxedSimdFlags, run, runMain, SetupError } from "./setup/process.mjs";
import { formatSeconds, Steps, say } from "./setup/progress.mjs";
import { readCheck, readDoctest, readNodeTest } from "./test/closing-lines.mjs";

const tool = (name) => join(root, "node_modules/.bin", name);

function coreTests(preset) {
  const program = join(root, "build", preset, "core_tests");
  const native = preset === "sanitize";
  const flags = preset === "relaxed" ? relaxedSimdFlags() : [];
  return {
    title: native ? "core, natively under ASan and UBSan" : `core, as wasm (${preset})`,
    needs: { preset, emscripten: !native },
    command: native ? [program] : [process.execPath, ...flags, `${program}.cjs`],
    read: readDoctest,
  };
}

function nodeTests(folder, title, needs) {
  const files = existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true })
        .filter((name) => name.endsWith(".test.mjs"))
        .map((name) => relative(root, join(root, folder, name)))
        .sort()
    : [];
  return {
    title,
    needs,
    // Without a file Node would look for tests everywhere.
    missing: files.length === 0 && `there is no test in ${folder}`,
    command: [process.execPath, ...relaxedSimdFlags(), "--test", "--test-reporter=spec"],
    files,
    read: readNodeTest,
  };
}

const runners = {
  sanitize: coreTests("sanitize"),
  simd: coreTests("simd"),
  relaxed: coreTests("relaxed"),
  generated: {
    title: "generated files",
    needs: { package: true },
    compare: "bindings/ts/generated",
  },
  layout: nodeTests("tests/layout", "layout", {}),
  scripts: nodeTests("tests/scripts", "scripts", {}),
  types: {
    title: "types",
    needs: { package: true },
    command: [tool("tsc"), "--noEmit"],
    read: readCheck,
  },
  lint: {
    title: "lint",
    needs: {},
    command: [tool("biome"), "check", "--error-on-warnings"],
    read: readCheck,
  },
  package: nodeTests("tests/package", "package", { package: true }),
  web: nodeTests("tests/web", "page, in Chromium", { package: true, web: true }),
};
// What takes minutes, or browsers beyond the one that the page is developed in.
const longRunners = {
  engines: nodeTests("tests/engines", "engines beyond Chromium", {
    package: true,
    web: true,
    engines: true,
  }),
};
const bundles = {
  core: ["sanitize", "simd", "relaxed"],
  check: ["generated", "types", "lint", "layout"],
};

function readArguments() {
  const all = process.argv.slice(2);
  const cut = all.indexOf("--");
  const extra = cut < 0 ? [] : all.slice(cut + 1);
  const words = cut < 0 ? all : all.slice(0, cut);
  const long = words.includes("--long");
  const names = words
    .filter((word) => word !== "--long")
    .flatMap((word) => bundles[word] ?? [word]);
  const unknown = names.find((name) => !(name in runners || name in longRunners));
  if (unknown) {
    const known = [runners, longRunners, bundles].flatMap(Object.keys).join(", ");
    throw new SetupError(`${unknown}? The runners are ${known}.`);
  }
  return {
    names: names.length ? names : Object.keys(long ? { ...runners, ...longRunners } : runners),
    extra,
    long,
  };
}

function neededGroups(wanted, needsPackage) {
  const groups = [];
  if (needsPackage || wanted.some((runner) => runner.needs.preset)) groups.push("build");
  if (wanted.some((runner) => runner.needs.preset)) groups.push("core");
  if (wanted.some((runner) => runner.needs.web)) groups.push("browser");
  if (wanted.some((runner) => runner.needs.engines)) groups.push("engines");
  return groups;
}

// A part that does not build fails its own runners; the others still run and report.
async function attempt(failures, runnersOfIt, work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    for (const runner of runnersOfIt) failures.set(runner, "it did not build");
  }
}

// The build writes generated files. Committed ones that were not what it writes are a failure, once:
// by then they have been mended and want to be committed.
function compareGenerated(runner, before) {
  const same = before === fingerprint(root, [runner.compare]);
  const line = same
    ? `${runner.compare} is what the build writes`
    : `${runner.compare} was out of date; the build has rewritten it, commit it`;
  return { title: runner.title, passed: same ? 1 : 0, failed: same ? 0 : 1, line, bad: !same };
}

async function prepare(wanted) {
  const failures = new Map();
  const packaged = wanted.filter((runner) => runner.needs.package);
  const emscripten = packaged.length > 0 || wanted.some((runner) => runner.needs.emscripten);
  const toolchain = await ensure({ groups: neededGroups(wanted, packaged.length > 0), emscripten });
  const compiled = wanted.filter((runner) => runner.needs.preset);
  const steps = new Steps(compiled.length);
  for (const runner of compiled) {
    const { preset } = runner.needs;
    steps.begin(`Test program, ${preset}`);
    await attempt(failures, [runner], async () => {
      const done = await buildTargets({ root, preset, targets: ["core_tests"], toolchain, steps });
      steps.end(done ? `${done} steps` : "unchanged");
    });
  }
  if (packaged.length > 0) {
    await attempt(failures, packaged, () => build(["wasm", "package"], toolchain));
  }
  const pages = packaged.filter((runner) => runner.needs.web && !failures.has(runner));
  if (pages.length > 0) await attempt(failures, pages, () => build(["web"], toolchain));
  return failures;
}

async function runOne(runner, extra, env, failure) {
  say(`\n== ${runner.title}`);
  const reason = failure || runner.missing;
  if (reason) return { title: runner.title, passed: 0, failed: 1, line: reason, bad: true };
  const started = Date.now();
  // The outer shell may itself be a test of Node's runner; the inner one must not report to it.
  const { NODE_TEST_CONTEXT, ...rest } = env;
  const [command, ...args] = [...runner.command, ...extra, ...(runner.files ?? [])];
  const { code, output } = await run(command, args, { cwd: root, env: rest, onLine: say });
  const seconds = (Date.now() - started) / 1000;
  const counts = runner.read(output, code) ?? {
    passed: 0,
    failed: 1,
    line: `no closing line, exit ${code}`,
  };
  const none = counts.passed + counts.failed === 0;
  const crashed = code !== 0 && counts.failed === 0;
  return {
    title: runner.title,
    passed: counts.passed,
    failed: counts.failed + (none || crashed ? 1 : 0),
    line: `${counts.line}${none ? " (no test ran)" : crashed ? ` (exit ${code})` : ""}`,
    bad: code !== 0 || counts.failed > 0 || none,
    seconds,
  };
}

await runMain(async () => {
  const started = Date.now();
  const { names, extra, long } = readArguments();
  const wanted = names.map((name) => runners[name] ?? longRunners[name]);
  const before = fingerprint(root, [runners.generated.compare]);
  const failures = await prepare(wanted);
  const env = { ...process.env, ...(long && { WF_LONG: "1" }) };
  const results = [];
  for (const runner of wanted) {
    const failure = failures.get(runner);
    if (runner.compare && !failure) results.push(compareGenerated(runner, before));
    else results.push(await runOne(runner, extra, env, failure));
  }
  say(`\n== summary, after ${formatSeconds((Date.now() - started) / 1000)}`);
  for (const { title, line, bad, seconds } of results) {
    say(
      `${bad ? "FAILED" : "ok    "} ${title}: ${line}${seconds ? ` [${formatSeconds(seconds)}]` : ""}`,
    );
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  say(`${sum("passed")} passed, ${sum("failed")} failed`);
  return results.some((result) => result.bad) ? 1 : 0;
});
