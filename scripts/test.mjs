// Builds and runs the tests:
//   node scripts/test.mjs [--long | --rest MINUTES] [NAME ...] [-- ARGUMENTS]
// NAME is a runner, or a test file of any kind: its path, a folder, or a part of its name. Only
// what it needs is built. Without names all runners run. Arguments after -- are passed to the
// runners themselves. --long adds the runners that take minutes and sets WF_LONG=1, with which
// tests use more seeds and longer inputs.

import { runMain } from "./setup/process.mjs";
import { formatSeconds, say } from "./setup/progress.mjs";
import { runAll } from "./test/run.mjs";
import { bundles, longRunners, runners, runnersOf, testFiles } from "./test/runners.mjs";
import { readWords } from "./test/select.mjs";

const all = { ...runners, ...longRunners };

function chosenRunners(words) {
  if (words.rest) return Object.values(longRunners);
  if (words.runners.length === 0 && words.files.length === 0) {
    return Object.values(words.long ? all : runners);
  }
  if (words.files.length) say(`Test files: ${words.files.join(", ")}`);
  return [...words.runners.map((name) => all[name]), ...runnersOf(words.files)];
}

await runMain(async () => {
  const started = Date.now();
  const words = readWords(process.argv.slice(2), {
    runnerNames: Object.keys(all),
    bundles,
    files: testFiles(),
  });
  const env = { ...process.env, ...(words.long && { WF_LONG: "1" }) };
  const { results, prepared } = await runAll(chosenRunners(words), {
    extra: words.extra,
    env,
    end: words.rest ? started + words.rest * 60_000 : undefined,
  });
  const total = (Date.now() - started) / 1000;
  say(`\n== summary, after ${formatSeconds(total)}, of which ${formatSeconds(prepared)} to build`);
  for (const { title, line, bad, seconds } of results) {
    say(
      `${bad ? "FAILED" : "ok    "} ${title}: ` +
        `${line}${seconds ? ` [${formatSeconds(seconds)}]` : ""}`,
    );
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  say(`${sum("passed")} passed, ${sum("failed")} failed`);
  return results.some((result) => result.bad) ? 1 : 0;
});
