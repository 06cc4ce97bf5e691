// The essay and the pages of the tools: both languages say the same things in the same order, links
// lead somewhere, and the essay stays short.

import assert from "node:assert/strict";
import { test } from "node:test";
import { composeEssay, composeTool, withLinks } from "../../scripts/build/article.mjs";
import { lengthsOf } from "../../scripts/build/minutes.mjs";
import {
  markersIn,
  pages,
  readSection,
  readTool,
  sectionNames,
  toolNames,
} from "../../scripts/build/prose.mjs";
import { files } from "./tree.mjs";

const sections = sectionNames().map(readSection);
const tools = toolNames().map(readTool);
const sources = [...sections, ...tools];
const texts = [
  { path: "", html: composeEssay() },
  ...tools.map((tool) => ({ path: tool.path, html: withLinks(composeTool(tool), tool.path) })),
];

test("folders go by number and name; a section's numeral is its folder's", () => {
  assert.ok(sections.length > 1 && sections.length <= 11, `${sections.length} sections`);
  for (const [index, { name, id, number }] of sections.entries()) {
    assert.equal(Number.parseInt(name, 10), index);
    assert.match(name, /^\d\d-[a-z]+$/);
    assert.equal(number, id ? index : undefined, name);
  }
  for (const [index, { name }] of tools.entries())
    assert.equal(Number.parseInt(name, 10), index + 1, name);
});

test("every text has both languages, as many blocks, and the same figures in one order", () => {
  for (const { name, en, zh } of sources) {
    assert.equal(en.length, zh.length, `${name}: blocks`);
    assert.deepEqual(markersIn(en), markersIn(zh), `${name}: places`);
  }
});

test("the essay has at most 3,500 words of English, and is as short in Chinese", (context) => {
  const { en, zh } = lengthsOf(sections);
  context.diagnostic(`${en} words, ${zh} characters`);
  assert.ok(en <= 3500, `${en} words`);
  // About 1.7 characters for a word.
  assert.ok(zh <= 6000, `${zh} characters`);
});

test("links ask for the same in both languages", () => {
  const linksIn = (blocks) =>
    [...blocks.join("\n").matchAll(/href="#([\w-]+)"(?: data-shows="([^"]+)")?/g)].map(
      ([, place, shows = ""]) => `${place} ${shows}`,
    );
  for (const { name, en, zh } of sources)
    assert.deepEqual(linksIn(zh).sort(), linksIn(en).sort(), name);
});

test("links lead to a page of the site, and to a place on it", () => {
  const htmlAt = new Map(texts.map(({ path, html }) => [path, html]));
  let count = 0;
  for (const { path, html } of texts)
    for (const [, address] of html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(address)) continue;
      count++;
      const [, , to, id] = /^((?:\.\.\/)*)([^#]*)(?:#(.*))?$/.exec(address);
      // Pages of schemes are written from docs/schemes.
      if (/^(?:zh\/)?schemes\//.test(to)) continue;
      const target = address.startsWith("#") ? path : to;
      assert.ok(htmlAt.has(target) || target === "tools/", `${path}: ${address}`);
      if (id && !["top", "text"].includes(id))
        assert.ok(htmlAt.get(target).includes(` id="${id}"`), `${path}: ${address}`);
    }
  assert.ok(count > 60, `${count} links`);
});

test("what stood in the article keeps its address: each id is on a page of the site", () => {
  const known = new Set(pages().flatMap(({ ids }) => ids));
  const former = [
    ...["swap", "chase", "mask", "schemes", "added", "distance", "angle", "hands", "layouts"],
    ...["stretch", "longer", "heads", "terms", "reach", "surgery", "lengths", "curves", "tasks"],
    ...["pictures", "cache", "absorption", "forms", "cost", "choose", "open", "lab"],
    ...["attention-map", "myths", "use"],
  ];
  assert.deepEqual(
    former.filter((id) => !known.has(id)),
    [],
  );
});

test("a figure stands once on a page, and a tool's page has a title in both languages", () => {
  for (const { path, figures } of pages()) assert.deepEqual([...new Set(figures)], figures, path);
  for (const { name, short, title, description } of tools)
    for (const language of ["en", "zh"])
      for (const said of [short, title, description]) assert.ok(said[language], name);
});

test("what both languages share is a file of the folder, and each of them stands there", () => {
  for (const [folder, list] of [
    ["web/essay", sections],
    ["web/tools", tools],
  ])
    for (const { name, en } of list) {
      const named = markersIn(en).filter((place) => place.endsWith(".html"));
      const own = files
        .filter((file) => file.startsWith(`${folder}/${name}/`) && file.endsWith(".html"))
        .map((file) => file.slice(`${folder}/${name}/`.length))
        .filter((file) => !["en.html", "zh.html"].includes(file));
      assert.deepEqual(named.sort(), own.sort(), name);
    }
});

test("every block of one language has one of the other beside it", () => {
  for (const { path, html } of texts) {
    const count = (pattern) => [...html.matchAll(pattern)].length;
    const always = count(/class="always" lang="en"/g);
    assert.equal(count(/lang="en"/g) - always, count(/lang="zh-Hans"/g), path);
  }
});
