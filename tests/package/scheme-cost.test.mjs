import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { wf } from "./golden.mjs";

const costOf = (id, options, sizes) => {
  const scheme = wf.scheme(id, { numHeads: 4, headDim: 8, ...options });
  const cost = scheme.cost(sizes);
  scheme.dispose();
  return cost;
};

test("a scheme gives its costs: parameters, operations, numbers in the cache", () => {
  assert.deepEqual(costOf("alibi", {}, { queries: 10 }), {
    modelParameters: 0,
    layerParameters: 0,
    onceFlops: 0,
    layerFlops: 4 * (10 * 10 + 2 * 19),
    cacheFloats: 2 * 4 * 8,
  });
  assert.equal(costOf("learned", { maxPositions: 100 }, { width: 48 }).modelParameters, 4800);
  assert.equal(costOf("rope", { numKvHeads: 2 }, {}).cacheFloats, 2 * 2 * 8);
});

test("Shaw's parameters depend on the clipping distance and not on the length", () => {
  const at = (queries) => costOf("shaw", { maxDistance: 5 }, { queries }).layerParameters;
  assert.equal(at(10), 2 * 11 * 8);
  assert.equal(at(10_000), at(10));
});

test("the width defaults to all heads' channels, keys to as many as queries", () => {
  assert.deepEqual(
    costOf("deberta", {}, { queries: 7 }),
    costOf("deberta", {}, { queries: 7, keys: 7, width: 32 }),
  );
});

test("sizes out of range are refused by name", () => {
  assert.throws(() => costOf("rope", {}, { queries: 0 }), {
    code: "invalid_argument",
    message: /queries/,
  });
  assert.throws(() => costOf("rope", {}, { lenght: 3 }), {
    code: "unknown_option",
    message: /lenght/,
  });
});

test("the tables in docs match the engine", () => {
  const script = fileURLToPath(new URL("../../scripts/table.mjs", import.meta.url));
  const run = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  assert.equal(run.status, 0, run.stdout + run.stderr);
});
