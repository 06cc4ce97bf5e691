// The checks of set-up and build that decide whether a step must run again.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { buildIfChanged } from "../../scripts/build/fingerprint.mjs";
import { withLock } from "../../scripts/setup/lock.mjs";
import { readCheck, readDoctest, readNodeTest } from "../../scripts/test/closing-lines.mjs";

let root;
let runs;

beforeEach((context) => {
  root = mkdtempSync(join(tmpdir(), "whereformer-build-"));
  runs = 0;
  writeFileSync(join(root, "input"), "a");
  context.after?.(() => rmSync(root, { recursive: true }));
});

const build = (work = () => writeFileSync(join(root, "output"), "made")) =>
  buildIfChanged({
    root,
    name: "thing",
    inputs: ["input"],
    outputs: ["output"],
    build: () => {
      runs += 1;
      return work();
    },
  });

test("an unchanged input is built once, whatever its date", async () => {
  assert.equal(await build(), true);
  utimesSync(join(root, "input"), new Date(), new Date(Date.now() + 5000));
  assert.equal(await build(), false);
  assert.equal(runs, 1);
});

test("a changed input or a missing output is built again", async () => {
  await build();
  writeFileSync(join(root, "input"), "b");
  assert.equal(await build(), true);
  rmSync(join(root, "output"));
  assert.equal(await build(), true);
});

test("a failed build does not count as finished", async () => {
  await build();
  writeFileSync(join(root, "input"), "b");
  await assert.rejects(
    build(() => {
      throw new Error("interrupted");
    }),
  );
  writeFileSync(join(root, "input"), "a");
  assert.equal(await build(), true, "even if the input is the same as before");
});

test("a lock admits one holder at a time and is removed afterwards", async () => {
  const file = join(root, "lock");
  const order = [];
  const enter = (name) =>
    withLock(file, "a test", async () => {
      order.push(`${name} in`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      order.push(`${name} out`);
    });
  await Promise.all([enter("a"), enter("b")]);
  assert.equal(order.length, 4);
  assert.equal(order[0].split(" ")[0], order[1].split(" ")[0]);
  assert.equal(existsSync(file), false);
});

test("a lock of a process that has ended is taken over", async () => {
  const file = join(root, "lock");
  const { pid } = spawnSync("true");
  writeFileSync(file, `${pid} 1`);
  assert.equal(
    await withLock(file, "a test", () => readFileSync(file, "utf8").split(" ")[0]),
    `${process.pid}`,
  );
});

test("a lock is removed if its work fails", async () => {
  const file = join(root, "lock");
  await assert.rejects(
    withLock(file, "a test", () => {
      throw new Error("broken");
    }),
  );
  assert.equal(existsSync(file), false);
});

test("doctest's last line is read, and an output without it counts as failed", () => {
  const output =
    "x\n[doctest] test cases:  61 |  60 passed | 1 failed | 0 skipped\n[doctest] assertions: 9\n";
  const { passed, failed } = readDoctest(output);
  assert.deepEqual([passed, failed], [60, 1]);
  assert.equal(readDoctest("Segmentation fault") ?? undefined, undefined);
});

test("cancelled tests of Node's runner count as failed", () => {
  const output =
    "ℹ tests 5\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\nℹ todo 0\n";
  const { passed, failed } = readNodeTest(output);
  assert.deepEqual([passed, failed], [3, 2]);
  assert.equal(readNodeTest("nothing"), undefined);
});

test("a checker passes or fails by its exit code, and its result is shown", () => {
  assert.equal(readCheck("", 0).passed, 1);
  assert.equal(readCheck("a.ts(1,1): error TS1: no\n", 2).failed, 1);
  assert.equal(readCheck("x\nFound 3 errors.\ncheck ━━━\n  × Some\n", 1).line, "Found 3 errors.");
});
