// The first download of a visitor: small, and without inline scripts and styles.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { tagsOfPages } from "../../scripts/build/prose.mjs";
import { sizeLimits } from "../size-limits.mjs";

const built = new URL("../../dist-web/", import.meta.url);
const html = readFileSync(new URL("index.html", built), "utf8");
const files = readdirSync(new URL("assets/", built));
const size = (name) => brotliCompressSync(readFileSync(new URL(`assets/${name}`, built))).length;

const textOf = (name) => readFileSync(new URL(`assets/${name}`, built), "utf8");

/** Returns a file and all files that it imports before it runs. */
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

const limits = sizeLimits();
const scriptsLimit = limits("scripts and styles");
const aliveLimit = limits("everything before the words");
const wholeLimit = limits("everything before the page's first figure");

const worker = () => named(/^page-worker-.*js$/);

/**
 * Returns the scripts that index.html names, of the first figure, and `others`, with the styles.
 */
function firstScripts(...others) {
  const entry = /src="\.\/assets\/([^"]+\.js)"/.exec(html)[1];
  const parts = [entry, named(/^early-.*js$/), ...others];
  const first = new Set(parts.flatMap((name) => [...withImports(name)]));
  const styles = files.filter((name) => html.includes(name) && name.endsWith(".css"));
  assert.ok(first.size > parts.length && styles.length > 0);
  return [...first, ...styles];
}
const sum = (sizes) => sizes.reduce((total, each) => total + each, 0);

test(`scripts and styles of the first load are at most ${scriptsLimit / 1000} KB`, (context) => {
  const total = sum(firstScripts(worker()).map(size));
  context.diagnostic(`${total} bytes`);
  assert.ok(total <= scriptsLimit, `${total} bytes`);
});

/** Bytes of the two faces, of index.html, and of what runs before the page is painted. */
function pageBytes() {
  const faces = [...html.matchAll(/rel="preload" href="\.\/assets\/([^"]+)"/g)];
  assert.equal(faces.length, 2);
  const ofFaces = faces.map(([, name]) => readFileSync(new URL(`assets/${name}`, built)).length);
  const others = ["index.html", "before-paint.mjs"].map(
    (name) => brotliCompressSync(readFileSync(new URL(name, built))).length,
  );
  return sum([...ofFaces, ...others]);
}

// tests/web/word-swap.test.mjs shows that nothing else is needed: the numbers are those of the
// still picture, and the engine confirms them later.
test(`at most ${aliveLimit / 1000} KB precede words that can be carried`, (context) => {
  const total = sum(firstScripts().map(size)) + pageBytes();
  context.diagnostic(`${total} bytes`);
  assert.ok(total <= aliveLimit, `${total} bytes`);
});

for (const variant of ["simd", "relaxed"])
  test(`at most ${wholeLimit / 1000} KB precede the first figure, ${variant}`, (context) => {
    const cut = readFileSync(new URL(`../../build/first-engine/${variant}.wasm`, import.meta.url));
    const binary = files.find(
      (name) =>
        name.endsWith(".wasm") && readFileSync(new URL(`assets/${name}`, built)).equals(cut),
    );
    const icon = named(/^icon-.*svg$/);
    const still = readFileSync(new URL("stills/who-chases-en-wide-light.svg", built));
    const fetched = [...firstScripts(worker()), binary, icon].map(size);
    const total = sum([...fetched, brotliCompressSync(still).length, pageBytes()]);
    context.diagnostic(`${total} bytes, ${size(binary)} of them the binary`);
    assert.ok(total <= wholeLimit, `${total} bytes`);
  });

test("the figures below the first one are not loaded with it", () => {
  const early = [...withImports(named(/^early-.*js$/))].map(textOf).join();
  const [first, ...tags] = tagsOfPages();
  assert.ok(tags.length > 6);
  // A call of the function in web/define.ts, by the name that the bundler gives it.
  const defined = (text, tag) => new RegExp(`[\\w$]\\(["'\`]${tag}["'\`],[\\w$]+\\)`).test(text);
  assert.ok(defined(early, first));
  for (const tag of tags) {
    assert.ok(!defined(early, tag), tag);
    assert.equal(
      files.filter((name) => name.endsWith(".js") && defined(textOf(name), tag)).length,
      1,
    );
  }
});

test("the page has no inline script or style, and loads no file from another server", () => {
  assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)/);
  assert.doesNotMatch(html, /<style|\sstyle=/);
  assert.doesNotMatch(html, /(src|<link[^>]*href)="https?:/);
  assert.match(html, /http-equiv="Content-Security-Policy"/);
});

test("every English block has a Chinese block beside it", () => {
  const main = html.slice(html.indexOf("<body>"));
  const count = (pattern) => [...main.matchAll(pattern)].length;
  const always = count(/class="always" lang="en"/g);
  assert.equal(count(/lang="en"/g) - always, count(/lang="zh-Hans"/g));
});
