import assert from "node:assert/strict";
import { test } from "node:test";
import { staleFiles } from "../../scripts/generate.mjs";

test("generated types match the description in the built engine", async () => {
  assert.deepEqual(
    await staleFiles(),
    [],
    "out of date: run node scripts/generate.mjs and commit the result",
  );
});
