// The scripts of the package lead back to the sources they were made of: the maps have them inside.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { test } from "node:test";

const dist = new URL("../../dist/", import.meta.url);
const textOf = (name) => readFileSync(new URL(name, dist), "utf8");
// One file that has everything within would need a map as large again.
const isMade = (name) =>
  name.endsWith(".js") &&
  !name.startsWith("standalone") &&
  !/scheme-words|rolldown-runtime/.test(name);
// The words are data, the runtime is the bundler's, and what only imports other files has no
// source of its own.
const onlyImports = (name) => /^(?:\s*(?:import|export)[\w\s{},*"./-]*;)*\s*$/.test(textOf(name));
const scripts = readdirSync(dist).filter((name) => isMade(name) && !onlyImports(name));

test("every script names its map, and every map has its sources inside", () => {
  assert.ok(scripts.length > 20);
  for (const name of scripts) {
    const [, named] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(textOf(name)) ?? [];
    assert.equal(named, `${name}.map`, name);
    assert.ok(existsSync(new URL(named, dist)), named);
    const { sources, sourcesContent } = JSON.parse(textOf(named));
    assert.equal(sourcesContent.length, sources.length, name);
    assert.deepEqual(
      sources.filter((_, index) => typeof sourcesContent[index] !== "string"),
      [],
      name,
    );
    assert.deepEqual(
      sources.filter((source) => source.startsWith("/") || source.startsWith("file:")),
      [],
      `${name} tells where it was built`,
    );
  }
});

/** Where a piece of a script stands in its source. */
function originOf(name, piece) {
  const lines = textOf(name).split("\n");
  const line = lines.findIndex((one) => one.includes(piece));
  assert.ok(line >= 0, `${name} has no ${piece}`);
  const map = new SourceMap(JSON.parse(textOf(`${name}.map`)));
  const entry = map.findEntry(line, lines[line].indexOf(piece));
  const { sources, sourcesContent } = map.payload;
  const source = sourcesContent[sources.indexOf(entry.originalSource)];
  return { file: entry.originalSource, line: source.split("\n")[entry.originalLine] };
}

test("a piece of a script leads to its line", () => {
  const tag = originOf("elements-shared-turning-pairs.js", '"wf-turning-pairs"');
  assert.match(tag.file, /web\/figures\/turning-pairs\/element\.ts$/);
  assert.match(tag.line, /wf-turning-pairs/);
});
