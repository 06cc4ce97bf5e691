// What a visitor downloads for the engine, as shipped and unbundled, each file by itself in brotli.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

// 0.8 KB more than it was: what a page needs whose engine lives in a worker is a file of its own,
// binaries may lie anywhere, and errors say what is wrong with a proxy, a promise, a permission.
// The blocks of other families are 6.7 KB of the 140 KB that these, GGUF and quantised kernels were
// to take in the end; files that are read tensor by tensor are 2.6 KB more, weights of 8 and 4 bits
// 5 KB, of which a binary of their own could have taken 3.4 elsewhere (docs/size.md). A decoder
// that reads an encoder, and layer normalisation of queries and keys, are 2.5 KB; the C library's
// printf and strstr, which are gone, were as much. Another 1.1 KB of scripts say what a misspelt
// option was meant to be and refuse arguments that nothing looks at. An adaptive softmax, and
// tensors of files that are put together or have more dimensions, are 1.4 KB. Weights of 16 bits
// are 0.6 KB, an embedding that two models have between them 0.4 KB. Tables of tokens narrower than
// the model are 1.3 KB, with their backward pass: multiplied out, those of Transformer-XL's one
// published model would not fit a browser's memory as floats. Weights of few bits as one stream,
// which decode twice as fast, are 0.2 KB.
const budget = 151_100;
// It is in nobody's way: whoever wants threads asks for it. 9 KB more than it was: the script of
// the threads imports nothing and has the glue within, so that it works wherever it is copied to.
// Each script names its source map, 0.3 KB in all.
const threadsBudget = 163_700;
const dist = new URL("../../dist/", import.meta.url);

// What is fetched when it is asked for: the families and the reading of files, with the first
// config.json or file. Half of it is the reader of GGUF, a binary in base64.
const onDemand = "families.js";
// 1.3 KB of it are models of two stacks, ModernBERT and DeBERTa, 1.4 what keeps files in the
// browser's storage, 1.4 XLNet, Transformer-XL and latent attention, 0.5 the names of
// Transformer-XL's narrow tables, 1 GGUF's vocabularies of SentencePiece and
// WordPiece with the files of bert.
const onDemandBudget = 30_400;

/** The entry and everything it imports at once; what import() names comes with `later` alone. */
function modules(entry, later, found = new Set()) {
  if (found.has(entry.href)) return found;
  found.add(entry.href);
  const text = readFileSync(entry, "utf8");
  for (const [, at, name] of text.matchAll(/(\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g))
    if (at === "from" || later?.test(name)) modules(new URL(name, entry), later, found);
  return found;
}

test(`the families of models are at most ${onDemandBudget / 1000} KB more`, (context) => {
  const { length } = brotliCompressSync(readFileSync(new URL(onDemand, dist)));
  context.diagnostic(`${length} bytes`);
  assert.ok(length <= onDemandBudget, `${length} bytes`);
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
