import assert from "node:assert/strict";
import { test } from "node:test";
import { staleFiles } from "../../scripts/generate.mjs";

test("generated types are what the built engine says of itself", async () => {
  assert.deepEqual(await staleFiles(), [], "run node scripts/generate.mjs and commit");
});
