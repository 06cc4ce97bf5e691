// Builds and runs the tests:
//   node scripts/test.mjs [--long] [NAME ...] [-- ARGUMENTS]
// NAME is a runner, or a test file of any kind: its path, a folder, or a part of its name. Only
// what it needs is built. Without names all runners run. Arguments after -- go to the runners
// themselves. --long adds the runners that take minutes and sets WF_LONG=1, with which tests take
// more seeds and longer inputs.

import { fingerprint } from "./build/fingerprint.mjs";
import { root } from "./setup/ensure.mjs";
import { run, runMain } from "./setup/process.mjs";
import { formatSeconds, say } from "./setup/progress.mjs";
import { prepare } from "./test/prepare.mjs";
import { bundles, longRunners, runners, runnersOf, testFiles } from "./test/runners.mjs";
import { readWords } from "./test/select.mjs";

const all = { ...runners, ...longRunners };

function chosenRunners(words) {
  if (words.runners.length === 0 && words.files.length === 0) {
    return Object.values(words.long ? all : runners);
  }
  if (words.files.length) say(`Test files: ${words.files.join(", ")}`);
  return [...words.runners.map((name) => all[name]), ...runnersOf(words.files)];
}

// The build writes generated files. Committed ones that were not what it writes are a failure,
// once: by then they have been mended and want to be committed.
function compareGenerated(runner, before) {
  const same = before === fingerprint(root, [runner.compare]);
  const line = same
    ? `${runner.compare} is what the build writes`
    : `${runner.compare} was out of date; the build has rewritten it, commit it`;
  return { title: runner.title, passed: same ? 1 : 0, failed: same ? 0 : 1, line, bad: !same };
}

async function runOne(runner, extra, env, failure) {
  say(`\n== ${runner.title}`);
  const reason = failure || runner.missing;
  if (reason) return { title: runner.title, passed: 0, failed: 1, line: reason, bad: true };
  const started = Date.now();
  // The outer shell may itself be a test of Node's runner; the inner one must not report to it.
  const { NODE_TEST_CONTEXT, ...rest } = env;
  const [command, ...args] = [...runner.command, ...extra, ...(runner.files ?? [])];
  const { code, output } = await run(command, args, {
    cwd: root,
    env: { ...rest, ...runner.env },
    onLine: say,
  });
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
  const words = readWords(process.argv.slice(2), {
    runnerNames: Object.keys(all),
    bundles,
    files: testFiles(),
  });
  const wanted = chosenRunners(words);
  const before = fingerprint(root, [runners.generated.compare]);
  const failures = await prepare(wanted);
  const env = { ...process.env, ...(words.long && { WF_LONG: "1" }) };
  const prepared = (Date.now() - started) / 1000;
  const results = [];
  for (const runner of wanted) {
    const failure = failures.get(runner);
    if (runner.compare && !failure) results.push(compareGenerated(runner, before));
    else results.push(await runOne(runner, words.extra, env, failure));
  }
  const total = (Date.now() - started) / 1000;
  say(`\n== summary, after ${formatSeconds(total)}, of which ${formatSeconds(prepared)} to build`);
  for (const { title, line, bad, seconds } of results) {
    say(
      `${bad ? "FAILED" : "ok    "} ${title}: ${line}${seconds ? ` [${formatSeconds(seconds)}]` : ""}`,
    );
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  say(`${sum("passed")} passed, ${sum("failed")} failed`);
  return results.some((result) => result.bad) ? 1 : 0;
});
