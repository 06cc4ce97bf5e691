// The arguments that the runners of tests receive.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readNodeTest } from "../../scripts/test/closing-lines.mjs";
import { runAll, runOne } from "../../scripts/test/run.mjs";
import { longRunners, runners, testFiles } from "../../scripts/test/runners.mjs";
import { longFiles, slowFiles } from "../../scripts/test/slow-files.mjs";

test("a runner's environment reaches its own command, and no other", async () => {
  const script = 'process.stdout.write(process.env.WF_FONTS ?? "none")';
  const command = [process.execPath, "-e", script];
  const read = (output) => ({ passed: 1, failed: 0, line: output.trim() });
  const plain = { title: "plain", needs: {}, command, read };
  const { env } = longRunners.wide;
  const { WF_FONTS, ...rest } = process.env;
  const { results } = await runAll([plain, { ...plain, env }], { extra: [], env: rest });
  assert.deepEqual(
    results.map(({ line }) => line),
    ["none", "wide"],
  );
});

/**
 * Runs two test files, once with a second try and once without; the file `flaky` fails until it has
 * run `times` times.
 */
async function runFlaky(times) {
  const folder = mkdtempSync(join(tmpdir(), "wf-run-"));
  const write = (name, body) => {
    const file = join(folder, name);
    writeFileSync(file, `import { test } from "node:test";\n${body}`);
    return file;
  };
  const count = join(folder, "count");
  writeFileSync(count, "");
  const files = [
    write("sound.test.mjs", 'test("sound", () => {});'),
    write(
      "flaky.test.mjs",
      `import { appendFileSync, readFileSync } from "node:fs";
      test("flaky", () => {
        appendFileSync(${JSON.stringify(count)}, "x");
        const count = readFileSync(${JSON.stringify(count)}, "utf8").length;
        if (count < ${times}) throw new Error("late");
      });`,
    ),
  ];
  const command = [process.execPath, "--test", "--test-reporter=spec"];
  const runner = { title: "t", needs: {}, command, files, read: readNodeTest, runsAgain: true };
  const options = { extra: [], env: process.env };
  const quiet = () => {};
  return [
    await runOne(runner, options, quiet),
    await runOne({ ...runner, runsAgain: false }, options, quiet),
  ];
}

test("a file that fails once is run again, and the summary lists it", async () => {
  const [again] = await runFlaky(2);
  assert.equal(again.bad, false);
  assert.deepEqual([again.passed, again.failed], [2, 0]);
  assert.match(again.line, /fail 1, .*PASSED ONLY WHEN RUN AGAIN: .*flaky\.test\.mjs$/);
});

test("a file that fails twice has failed; files of other runners are not repeated", async () => {
  for (const { bad, failed, line } of await runFlaky(99)) {
    assert.equal(bad, true);
    assert.equal(failed, 1);
    assert.doesNotMatch(line, /AGAIN/);
  }
});

test("a file that would not end in time is left out; a shorter one still runs", async () => {
  const command = [process.execPath, "-e", ""];
  const read = () => ({ passed: 1, failed: 0, line: "" });
  const made = (title, seconds) => ({ title, seconds, needs: {}, command, read });
  const all = [made("first", 20), made("long", 90), made("last", 30)];
  const options = { extra: [], env: process.env, end: Date.now() + 60_000 };
  const { results } = await runAll(all, options);
  assert.deepEqual(
    results.map(({ title }) => title),
    ["first", "last"],
  );
});

test("no file starts after the end, nor a runner whose build took too long", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wf-run-"));
  const files = ["a", "b", "c"].map((name) => {
    const file = join(folder, `${name}.test.mjs`);
    const body = 'import { test } from "node:test";\ntest("slow", () => setTimeout(2500));';
    writeFileSync(file, `import { setTimeout } from "node:timers/promises";\n${body}`);
    return file;
  });
  const command = [process.execPath, "--test", "--test-reporter=spec"];
  const several = { title: "several", needs: {}, seconds: 9, command, files, read: readNodeTest };
  const late = { title: "late", needs: {}, seconds: 1, command: ["false"], read: readNodeTest };
  const options = { extra: [], env: process.env, end: Date.now() + 2000 };
  const { results } = await runAll([several, late], options);
  const [{ passed, failed, bad, line }, ...others] = results;
  assert.deepEqual({ passed, failed, bad }, { passed: 1, failed: 0, bad: false });
  assert.equal(line, `pass 1, fail 0; not in the time left: ${files.slice(1).join(", ")}`);
  assert.deepEqual(others, []);
  const past = await runAll([{ ...several, seconds: 0 }], { ...options, end: Date.now() - 1 });
  assert.deepEqual(past.results, []);
});

test("every test file is run by npm test or by npm run test:rest", () => {
  const run = [runners, longRunners].flatMap((some) => Object.values(some));
  const files = new Set(run.flatMap(({ files = [] }) => files));
  const native = (file) => file.endsWith(".cpp");
  assert.deepEqual(
    testFiles().filter((file) => !native(file) && !files.has(file)),
    [],
  );
  const named = [...Object.values(slowFiles).flat(), ...longFiles];
  assert.deepEqual(
    named.filter((file) => !testFiles().includes(file)),
    [],
  );
  assert.equal(new Set(named).size, named.length);
  for (const { files = [] } of Object.values(runners)) {
    const long = longFiles.filter((file) => files.includes(file));
    assert.deepEqual(files.slice(0, long.length), long);
  }
});
