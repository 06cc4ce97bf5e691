// A visitor's download for the engine, as shipped and unbundled, each file compressed by brotli
// separately.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { sizeLimits } from "../size-limits.mjs";

const dist = new URL("../../dist/", import.meta.url);

const limits = sizeLimits();
const budget = limits("engine for one thread");
const trainingBudget = limits("the binary for training");
const threadsBudget = limits("engine with threads");
/** Scripts that are fetched when they are needed, by the beginning of their row in docs/size.md. */
const onDemand = { "families of models": "families.js", "models of pictures": "pictures.js" };

/**
 * Returns the entry and everything that it imports at once; files of import() only with `later`.
 */
function modules(entry, later, found = new Set()) {
  if (found.has(entry.href)) return found;
  found.add(entry.href);
  const text = readFileSync(entry, "utf8");
  for (const [, at, name] of text.matchAll(/(\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g))
    if (at === "from" || later?.test(name)) modules(new URL(name, entry), later, found);
  return found;
}

for (const [what, file] of Object.entries(onDemand)) {
  const most = limits(what);
  test(`${what} are at most ${most / 1000} KB more`, (context) => {
    const { length } = brotliCompressSync(readFileSync(new URL(file, dist)));
    context.diagnostic(`${length} bytes`);
    assert.ok(length <= most, `${length} bytes`);
  });
}

for (const variant of ["simd", "relaxed"])
  test(`training has at most ${trainingBudget / 1000} KB more, ${variant}`, (context) => {
    const { length } = brotliCompressSync(readFileSync(new URL(`${variant}-training.wasm`, dist)));
    context.diagnostic(`${length} bytes`);
    assert.ok(length <= trainingBudget, `${length} bytes`);
  });

const engines = [
  ["simd", ["index.js"], budget],
  ["relaxed", ["index.js"], budget],
  ["threads", ["threads.js", "threads-host.js"], threadsBudget, /glue|runtime/],
];
for (const [variant, entries, budget, later] of engines) {
  test(`the engine with the ${variant} binary is at most ${budget / 1000} KB`, (context) => {
    const found = new Set();
    for (const entry of entries) modules(new URL(entry, dist), later, found);
    const scripts = [...found];
    assert.ok(scripts.some((name) => readFileSync(new URL(name), "utf8").includes("BindingError")));
    const size = (name) => brotliCompressSync(readFileSync(new URL(name))).length;
    const script = scripts.reduce((sum, name) => sum + size(name), 0);
    const binary = size(new URL(`${variant}.wasm`, dist).href);
    context.diagnostic(`${script} bytes in ${scripts.length} scripts, ${binary} bytes of binary`);
    assert.ok(script + binary <= budget, `${script + binary} bytes`);
  });
}
