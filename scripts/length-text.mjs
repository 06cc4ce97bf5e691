#!/usr/bin/env node
// Writes models/length/genesis.txt, the text that the page trains on, from the corpus that
// scripts/corpus.mjs rebuilds: its first verses, at most 96,000 bytes.
//
//   node scripts/length-text.mjs            writes it
//   node scripts/length-text.mjs --check    tells whether it matches the corpus

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const corpus = at("build/corpus/train.en.txt");
const committed = at("models/length/genesis.txt");
const maxBytes = 96_000;

if (!existsSync(corpus)) {
  console.error("length-text: build/corpus/train.en.txt is missing; run `node scripts/corpus.mjs`");
  process.exit(1);
}
const [, book] = readFileSync(corpus, "utf8").split("<|end|>");
const text = book.slice(0, book.lastIndexOf("\n", maxBytes - 1) + 1);

if (process.argv.includes("--check")) {
  const same = existsSync(committed) && readFileSync(committed, "utf8") === text;
  console.log(
    `length-text: models/length/genesis.txt ${same ? "matches" : "differs from"} the corpus`,
  );
  process.exitCode = same ? 0 : 1;
} else {
  mkdirSync(dirname(committed), { recursive: true });
  writeFileSync(committed, text);
  console.log(`length-text: ${text.length} characters, ${new Set(text).size} of them different`);
}
