// The package's scripts have source maps that contain their sources.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { test } from "node:test";

const dist = new URL("../../dist/", import.meta.url);
const textOf = (name) => readFileSync(new URL(name, dist), "utf8");
// Self-contained files of a worker or page would need a map as large again.
const isMade = (name) =>
  name.endsWith(".js") &&
  !name.startsWith("standalone") &&
  !/scheme-words|rolldown-runtime/.test(name);
// Texts are data, the runtime is the bundler's, and files that only import others have no source of
// their own.
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
      `${name} contains the path of the build`,
    );
  }
});

/** Returns the source and line of a piece of a script. */
function originOf(name, piece) {
  const lines = textOf(name).split("\n");
  const line = lines.findIndex((one) => one.includes(piece));
  assert.ok(line >= 0, `${name} does not contain ${piece}`);
  const map = new SourceMap(JSON.parse(textOf(`${name}.map`)));
  const entry = map.findEntry(line, lines[line].indexOf(piece));
  const { sources, sourcesContent } = map.payload;
  const source = sourcesContent[sources.indexOf(entry.originalSource)];
  return { file: entry.originalSource, line: source.split("\n")[entry.originalLine] };
}

test("a piece of a script maps to its line", () => {
  const tag = originOf("elements-shared-turning-pairs.js", '"wf-turning-pairs"');
  assert.match(tag.file, /web\/figures\/turning-pairs\/element\.ts$/);
  assert.match(tag.line, /wf-turning-pairs/);
});
