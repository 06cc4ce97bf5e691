// What the runners are given when they run.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runAll } from "../../scripts/test/run.mjs";
import { runners } from "../../scripts/test/runners.mjs";

test("a runner's own environment reaches its command, and only its own", async () => {
  const script = 'process.stdout.write(process.env.WF_FONTS ?? "none")';
  const command = [process.execPath, "-e", script];
  const read = (output) => ({ passed: 1, failed: 0, line: output.trim() });
  const plain = { title: "plain", needs: {}, command, read };
  const { env } = runners.wide;
  const { WF_FONTS, ...rest } = process.env;
  const { results } = await runAll([plain, { ...plain, env }], { extra: [], env: rest });
  assert.deepEqual(
    results.map(({ line }) => line),
    ["none", "wide"],
  );
});
