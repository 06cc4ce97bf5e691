// What a visitor downloads for the engine, as shipped and unbundled, each file by itself in brotli.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

const budget = 131_000;
// It is in nobody's way: whoever wants threads asks for it.
const threadsBudget = 135_000;
const dist = new URL("../../dist/", import.meta.url);

/** The entry and everything it imports; of the two glues the one of this variant. */
function modules(entry, variant, found = new Set()) {
  if (found.has(entry.href)) return found;
  found.add(entry.href);
  const text = readFileSync(entry, "utf8");
  for (const [, name] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g)) {
    if (!/^\.\/(simd|relaxed|threads)\.mjs$/.test(name) || name.includes(variant)) {
      modules(new URL(name, entry), variant, found);
    }
  }
  return found;
}

const engines = [
  ["simd", ["index.js"], budget],
  ["relaxed", ["index.js"], budget],
  ["threads", ["threads.js", "threads-host.js"], threadsBudget],
];
for (const [variant, entries, budget] of engines) {
  test(`the engine with the ${variant} binary is at most ${budget / 1000} KB`, (context) => {
    const found = new Set();
    for (const entry of entries) modules(new URL(entry, dist), variant, found);
    const scripts = [...found];
    assert.ok(scripts.some((name) => name.endsWith(`/${variant}.mjs`)));
    const size = (name) => brotliCompressSync(readFileSync(new URL(name))).length;
    const script = scripts.reduce((sum, name) => sum + size(name), 0);
    const binary = size(new URL(`${variant}.wasm`, dist).href);
    context.diagnostic(`${script} bytes in ${scripts.length} scripts, ${binary} bytes of binary`);
    assert.ok(script + binary <= budget, `${script + binary} bytes`);
  });
}
