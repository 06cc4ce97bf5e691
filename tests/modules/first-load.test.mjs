// What a visitor downloads before anything is trained: little, and nothing inline.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

const built = new URL("../../dist-web/", import.meta.url);
const html = readFileSync(new URL("index.html", built), "utf8");
const files = readdirSync(new URL("assets/", built));
const size = (name) => brotliCompressSync(readFileSync(new URL(`assets/${name}`, built))).length;

test("scripts and styles of the first load are at most 115 KB compressed", () => {
  // Of these, 14.4 KB are the glue of both engines, of which a visitor gets one: with Embind's own
  // classes it is 10 KB more than with calls over blocks of numbers (docs/size.md). 0.7 KB name the
  // page's faces; what the faces weigh is counted in fonts.test.mjs.
  // The tokenizer comes only with the trained models, the words of the schemes when their cards are
  // near, the engine's own worker with the first training; the binaries are counted on their own.
  const later = /^(?:tokenizers|_virtual_scheme-words|remote|worker-host)/;
  const first = files.filter((name) => /\.(js|css)$/.test(name) && !later.test(name));
  assert.ok(first.length > 2);
  const total = first.reduce((sum, name) => sum + size(name), 0);
  assert.ok(total <= 115_000, `${total} bytes`);
});

test("the page has no inline script or style and names no other server for files", () => {
  assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)/);
  assert.doesNotMatch(html, /<style|\sstyle=/);
  assert.doesNotMatch(html, /(src|<link[^>]*href)="https?:/);
  assert.match(html, /http-equiv="Content-Security-Policy"/);
});

test("every English block has a Chinese one beside it", () => {
  const main = html.slice(html.indexOf("<body>"));
  const count = (pattern) => [...main.matchAll(pattern)].length;
  const always = count(/class="always" lang="en"/g);
  assert.equal(count(/lang="en"/g) - always, count(/lang="zh-Hans"/g));
});
