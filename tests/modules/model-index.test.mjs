// The model index: its data, and the table that the build makes of them.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { modelTable, readModels } from "../../scripts/build/models/table.mjs";
import { indexWords } from "../../scripts/build/models/words.mjs";

const built = new URL("../../dist-web/", import.meta.url);
const { source, models } = readModels();

test("there are at least sixty models, each once, with the facts of its class", () => {
  assert.ok(models.length >= 60);
  assert.equal(new Set(models.map(({ name }) => name)).size, models.length);
  for (const { name, year, facts } of models) {
    assert.ok(facts?.file, name);
    assert.ok(year >= 2017 && year <= 2026, name);
  }
});

test("every scheme and variant of a model has a name in both languages, and a page", () => {
  for (const { name, schemes } of models) {
    assert.ok(schemes.length, name);
    for (const id of schemes)
      for (const { schemes: names, folder } of Object.values(indexWords)) {
        assert.ok(names[id], `${name}: ${id}`);
        assert.ok(existsSync(new URL(`${folder}${id}/index.html`, built)), `${name}: ${id}`);
      }
  }
});

test("a model whose layers differ in positions says in which they are missing", () => {
  const blind = models.filter(({ nope }) => nope === "full" || nope === "listed");
  assert.ok(blind.length >= 8);
  const rows = modelTable().split("\n");
  for (const { name } of blind)
    for (const none of [indexWords.en.none, indexWords.zh.none]) {
      const row = rows.find((line) => line.includes(`>${name}</th>`) && line.includes(none));
      assert.ok(row, `${name}: ${none}`);
    }
});

test("the page has a row for each model in both languages, and leads to its class", () => {
  const html = readFileSync(new URL("tools/models/index.html", built), "utf8");
  assert.equal(html.match(/<th scope="row">/g).length, 2 * models.length);
  assert.equal(html.split(`href="${source}models/`).length - 1, 2 * models.length);
  assert.doesNotMatch(html, />[^<]*(?:undefined|NaN|\[object)/);
});

test("facts that other pages state are those of the classes", () => {
  const of = (type) => models.find((model) => model.type === type).facts;
  assert.equal(of("gemma4_text").rope.full_attention.partial_rotary_factor, 0.25);
  assert.equal(of("lfm3").rope.full_attention.partial_rotary_factor, 0.5);
  assert.deepEqual([of("gpt_oss").rope.factor, of("gpt_oss").rope.truncate], [32, false]);
  assert.deepEqual([of("apertus").rope.factor, of("cwm").rope.factor], [8, 16]);
  assert.deepEqual(of("cohere2").layerTypes.counts, { sliding_attention: 30, full_attention: 10 });
  assert.equal(of("llama4_text").noRopeLayers.length, 12);
  for (const type of ["gpt_oss", "granite_swa", "deepseek_v4", "flint", "mimo_v2_flash", "hy_v4"])
    assert.ok(of(type).parts.includes("sinks"), type);
});
