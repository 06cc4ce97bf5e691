// Checks the sections of the article: both languages have the same blocks in the same order.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  composeArticle,
  markersIn,
  readSection,
  sectionNames,
} from "../../scripts/build/article.mjs";
import { files } from "./tree.mjs";

const sections = sectionNames().map(readSection);

test("the article's folders are named by number and id; a section has its folder's number", () => {
  assert.ok(sections.length > 0);
  const places = sections.map(({ name }) => Number.parseInt(name, 10));
  assert.equal(new Set(places).size, places.length, `${places}`);
  for (const [index, { name, id, number }] of sections.entries()) {
    assert.equal(name, `${String(places[index]).padStart(2, "0")}-${id ?? "opening"}`);
    if (number !== undefined) assert.equal(number, places[index], name);
  }
});

test("every section has both languages, with equally many blocks and equal figures", () => {
  for (const { name, en, zh } of sections) {
    assert.equal(en.length, zh.length, `${name}: blocks`);
    assert.deepEqual(markersIn(en), markersIn(zh), `${name}: places`);
  }
});

test("every section ends with a summary to remember", () => {
  const wanting = sections
    .filter(({ name }) => name !== "00-opening")
    .flatMap(({ name, en, zh }) => [
      ...(/^<p>\s*<strong>To remember:<\/strong>/.test(en.at(-1)) ? [] : [`${name}/en.html`]),
      ...(/^<p>\s*<strong>记住一句：<\/strong>/.test(zh.at(-1)) ? [] : [`${name}/zh.html`]),
    ]);
  assert.deepEqual(wanting, []);
});

test("links are the same in both languages, and lead to an anchor of the article", () => {
  const whole = composeArticle();
  const linksIn = (blocks) =>
    [...blocks.join("\n").matchAll(/href="#([\w-]+)"(?: data-shows="([^"]+)")?/g)].map(
      ([, place, shows = ""]) => `${place} ${shows}`,
    );
  for (const { name, en, zh } of sections) {
    assert.deepEqual(linksIn(zh).sort(), linksIn(en).sort(), name);
    for (const link of linksIn(en))
      assert.ok(whole.includes(`id="${link.split(" ")[0]}"`), `${name}: ${link}`);
  }
});

test("each figure is in the article once", () => {
  const figures = sections.flatMap((section) => section.figures);
  assert.deepEqual([...new Set(figures)], figures);
});

test("content of both languages is a file of the section, and each such file is used", () => {
  for (const { name, en } of sections) {
    const named = markersIn(en).filter((place) => place.endsWith(".html"));
    const own = files
      .filter((file) => file.startsWith(`web/article/${name}/`) && file.endsWith(".html"))
      .map((file) => file.slice(`web/article/${name}/`.length))
      .filter((file) => !["en.html", "zh.html"].includes(file));
    assert.deepEqual(named.sort(), own.sort(), name);
  }
});

test("every block of one language has its counterpart in the other", () => {
  const count = (pattern) => [...composeArticle().matchAll(pattern)].length;
  const always = count(/class="always" lang="en"/g);
  assert.equal(count(/lang="en"/g) - always, count(/lang="zh-Hans"/g));
});
