// What a visitor downloads before anything is trained: little, and nothing inline.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

const built = new URL("../../dist-web/", import.meta.url);
const html = readFileSync(new URL("index.html", built), "utf8");
const files = readdirSync(new URL("assets/", built));
const size = (name) => brotliCompressSync(readFileSync(new URL(`assets/${name}`, built))).length;

const textOf = (name) => readFileSync(new URL(`assets/${name}`, built), "utf8");

/** A file and all that it imports before it runs. */
function withImports(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, imported] of textOf(name).matchAll(/(?:\bfrom|\bimport) ?["'`]\.\/([^"'`]+\.js)/g))
    withImports(imported, found);
  return found;
}

const named = (pattern) => {
  const found = files.filter((name) => pattern.test(name));
  assert.equal(found.length, 1, `${pattern}: ${found}`);
  return found[0];
};

test("scripts and styles of the first load are at most 62 KB compressed", () => {
  // What index.html names, the first figure, and the worker that computes, with the
  // engine's glue: 10 KB more with Embind's own classes than with calls over blocks of numbers
  // (docs/size.md), 2.4 KB more since figures have attributes, groups and a history, 1.7 KB
  // since calls count their arguments and still pictures stand until numbers come. The binaries,
  // and what the faces weigh, are counted on their own.
  const entry = /src="\.\/assets\/([^"]+\.js)"/.exec(html)[1];
  const parts = [entry, named(/^early-.*js$/), named(/^worker-(?!host).*js$/)];
  const first = new Set(parts.flatMap((name) => [...withImports(name)]));
  const styles = files.filter((name) => html.includes(name) && name.endsWith(".css"));
  assert.ok(first.size > parts.length && styles.length > 0);
  const total = [...first, ...styles].reduce((sum, name) => sum + size(name), 0);
  assert.ok(total <= 62_000, `${total} bytes`);
});

test("the figures below the first one do not come with it", () => {
  const early = [...withImports(named(/^early-.*js$/))].map(textOf).join();
  const later = readFileSync(new URL("../../web/later.ts", import.meta.url), "utf8");
  const tags = [...later.matchAll(/"(wf-[\w-]+)":/g)].map(([, tag]) => tag);
  assert.ok(tags.length > 6);
  const defined = (text, tag) => new RegExp(`define\\(["'\`]${tag}["'\`]`).test(text);
  assert.ok(defined(early, "wf-word-swap"));
  for (const tag of tags) {
    assert.ok(!defined(early, tag), tag);
    assert.equal(
      files.filter((name) => name.endsWith(".js") && defined(textOf(name), tag)).length,
      1,
    );
  }
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
