// Runs the selected runners once their builds are ready, in parallel if they use one core.

import { availableParallelism } from "node:os";
import { fingerprint } from "../build/fingerprint.mjs";
import { root } from "../setup/ensure.mjs";
import { run } from "../setup/process.mjs";
import { say } from "../setup/progress.mjs";
import { failedFiles } from "./closing-lines.mjs";
import { prepare } from "./prepare.mjs";
import { Slots } from "./slots.mjs";

// The build writes generated files. If the committed ones differ, that is reported as a failure
// once: by then they are updated and must be committed.
function compareGenerated(runner, before) {
  const same = before === fingerprint(root, [runner.compare]);
  const line = same
    ? `${runner.compare} is what the build writes`
    : `${runner.compare} was out of date; the build has rewritten it, commit it`;
  return { title: runner.title, passed: same ? 1 : 0, failed: same ? 0 : 1, line, bad: !same };
}

async function runGroup(runner, files, { extra, env }, print) {
  // The outer shell may itself be a test of Node's runner; the inner one must not report to it.
  const { NODE_TEST_CONTEXT, ...rest } = { ...env, ...runner.env };
  const [command, ...args] = [...runner.command, ...extra, ...files];
  const { code, output } = await run(command, args, { cwd: root, env: rest, onLine: print });
  const counts = runner.read(output, code) ?? {
    passed: 0,
    failed: 1,
    line: `no closing line, exit ${code}`,
  };
  return { code, output, counts };
}

const isLate = ({ end = Infinity }, seconds = 0) => Date.now() + seconds * 1000 > end;

/** Runs the files of a runner, a few at a time if there is an end, after which none is started. */
async function runFiles(runner, files, options, print) {
  if (options.end === undefined || files.length === 0)
    return runGroup(runner, files, options, print);
  const { atOnce = 1 } = runner;
  const parts = [];
  let at = 0;
  for (; at < files.length && !isLate(options); at += atOnce)
    parts.push(await runGroup(runner, files.slice(at, at + atOnce), options, print));
  const sum = (key) => parts.reduce((total, { counts }) => total + counts[key], 0);
  const left = files.slice(at);
  const line = `pass ${sum("passed")}, fail ${sum("failed")}`;
  return {
    code: parts.find(({ code }) => code !== 0)?.code ?? 0,
    output: parts.map(({ output }) => output).join("\n"),
    counts: {
      passed: sum("passed"),
      failed: sum("failed"),
      line: left.length ? `${line}; not in the time left: ${left.join(", ")}` : line,
    },
    isLeftOut: parts.length === 0,
  };
}

// A browser on a busy machine is sometimes late. Files with a failed test run once more, alone, and
// the summary names those that passed only then: that is a defect too, of the test or of the page,
// but it does not hide the results of the others.
async function runAgain(runner, first, options, print) {
  const files = runner.runsAgain ? failedFiles(first.output) : [];
  if (first.code === 0 || files.length === 0) return first;
  print(`\n== once more, alone: ${files.join(", ")}`);
  const again = await runFiles(runner, files, options, print);
  if (again.code !== 0 || again.counts.failed > 0 || again.isLeftOut) return first;
  const { passed, failed, line } = first.counts;
  return {
    ...again,
    counts: {
      passed: passed + failed,
      failed: 0,
      line: `${line}; PASSED ONLY WHEN RUN AGAIN: ${files.join(", ")}`,
    },
  };
}

/** Runs one runner, whose lines go to `print`. */
export async function runOne(runner, options, print) {
  const started = Date.now();
  const first = await runFiles(runner, runner.files ?? [], options, print);
  const { code, counts, isLeftOut } = await runAgain(runner, first, options, print);
  const seconds = (Date.now() - started) / 1000;
  const none = counts.passed + counts.failed === 0 && !isLeftOut;
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

// A runner that runs alone prints as it runs; one in parallel with others prints at its end.
async function runAloud(runner, options, isAlone) {
  const lines = [];
  if (isAlone) say(`\n== ${runner.title}`);
  const result = await runOne(runner, options, isAlone ? say : (line) => lines.push(line));
  if (!isAlone) say([`\n== ${runner.title}`, ...lines].join("\n"));
  return result;
}

const refused = (runner, line) => ({ title: runner.title, passed: 0, failed: 1, line, bad: true });

const leftOut = (runner) => ({ ...refused(runner, "not in the time left"), failed: 0, bad: false });

// The runners of the list that end before `end` if they run one after the other; those without a
// number of `seconds` count as 0. A runner of several files may begin without time for all of them.
function thoseInTime(runners, end) {
  let free = Date.now();
  return runners.filter(({ seconds = 0, files = [] }) => {
    const isShort = free + seconds * 1000 <= end;
    if (!isShort && (files.length < 2 || free >= end)) return false;
    free = Math.min(end, free + seconds * 1000);
    return true;
  });
}

/**
 * Prepares and runs the runners; resolves to their results, in their order, and to the seconds that
 * preparing took. `extra` are arguments and `env` the environment of all of them, to which a runner
 * adds its own. Those that would not end before `end`, a time in milliseconds, are left out and
 * named.
 */
export async function runAll(all, options) {
  const started = Date.now();
  const wanted = thoseInTime(all, options.end ?? Infinity);
  const left = all.filter((runner) => !wanted.includes(runner));
  if (left.length) say(`Left out, for lack of time: ${left.map(({ title }) => title).join("; ")}`);
  const before = new Map(
    wanted
      .filter(({ compare }) => compare)
      .map((each) => [each, fingerprint(root, [each.compare])]),
  );
  const slots = new Slots(availableParallelism());
  const results = new Map();
  const running = [];
  const begin = (runner) => {
    const taken = runner.usesAllCores ? slots.count : 1;
    const isAlone = wanted.length === 1 || taken === slots.count;
    return slots.use(taken, () =>
      // Building what the runners need took time, too.
      isLate(options, runner.files ? 0 : runner.seconds)
        ? leftOut(runner)
        : runAloud(runner, options, isAlone),
    );
  };
  const onReady = (runner, failure) => {
    const reason = failure || runner.missing;
    if (reason) results.set(runner, refused(runner, reason));
    else if (runner.compare) results.set(runner, compareGenerated(runner, before.get(runner)));
    else running.push(begin(runner).then((result) => results.set(runner, result)));
  };
  // Compilers use every core except while linking.
  await slots.use(1, () => prepare(wanted, onReady));
  const prepared = (Date.now() - started) / 1000;
  await Promise.all(running);
  return { results: wanted.map((runner) => results.get(runner)), prepared };
}
