// Checks that every golden file records its source and the engine's deviation from it.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { below, textOf } from "./tree.mjs";

const manifest = JSON.parse(textOf("tests/golden/manifest.json"));
const deviations = JSON.parse(textOf("tests/golden/deviations.json"));
const ownFiles = ["manifest.json", "deviations.json"];
const families = JSON.parse(textOf("tests/golden/families/manifest.json"));
const pictures = JSON.parse(textOf("tests/golden/pictures/manifest.json"));
const names = below("tests/golden", ".json")
  .map((file) => file.slice("tests/golden/".length))
  .filter(
    (name) =>
      !ownFiles.includes(name) &&
      !/^(?:checkpoints|families|gguf|packed|pictures|sentences|vocabularies)\//.test(name),
  );

/**
 * Returns JSON text with sorted keys and numbers as they are written, which is what the generators
 * hash.
 */
function canonical(text) {
  const tokens = text.match(/"(?:\\.|[^"\\])*"|[{}[\]:,]|[^\s{}[\]:,"]+/g);
  let at = 0;
  const value = () => {
    const token = tokens[at++];
    if (token === "{") {
      const members = [];
      while (tokens[at] !== "}") {
        const key = tokens[at];
        at += 2;
        members.push([key, value()]);
        if (tokens[at] === ",") at++;
      }
      at++;
      members.sort(([a], [b]) => (a < b ? -1 : 1));
      return `{${members.map(([key, member]) => `${key}:${member}`).join(",")}}`;
    }
    if (token === "[") {
      const items = [];
      while (tokens[at] !== "]") {
        items.push(value());
        if (tokens[at] === ",") at++;
      }
      at++;
      return `[${items.join(",")}]`;
    }
    return token;
  };
  return value();
}

test("the manifest has a row for every file, and a file for every row", () => {
  assert.ok(names.length > 0);
  assert.deepEqual(Object.keys(manifest).sort(), [...names].sort());
});

/** The models of a folder have these rows. */
function checkModels(folder, rows, others) {
  const found = below(`tests/golden/${folder}`, ".json")
    .map((file) => file.slice(`tests/golden/${folder}/`.length, -".json".length))
    .filter((name) => !others.includes(name));
  assert.deepEqual(Object.keys(rows).sort(), found.sort());
  const page = textOf("docs/families.md");
  for (const [name, row] of Object.entries(rows)) {
    for (const key of ["class", "package", "torch", "seed"]) assert.ok(row[key], `${name}: ${key}`);
    const text = textOf(`tests/golden/${folder}/${name}.json`);
    const config = canonical(text.slice(text.indexOf('"config":') + 9));
    assert.equal(createHash("sha256").update(config).digest("hex"), row.configHash, name);
    assert.deepEqual(Object.keys(row.deviation), Object.keys(row.tolerance), name);
    for (const [quantity, deviation] of Object.entries(row.deviation))
      assert.ok(deviation <= row.tolerance[quantity], `${name}: ${quantity}`);
    assert.ok(page.includes(`| ${name} | ${row.class} |`), `docs/families.md lacks ${name}`);
  }
}

test("every family's model has a row with class, package, hash, tolerances and deviations", () => {
  assert.ok(Object.keys(families).length > 30);
  checkModels("families", families, ["manifest", "absences", "changes", "padding", "remaps"]);
  assert.ok(Object.keys(pictures).length >= 10);
  checkModels("pictures", pictures, ["manifest", "processing"]);
});

test("every GGUF model has its reader, its seed and its tolerance", () => {
  const found = below("tests/golden/gguf", ".json");
  assert.ok(found.length >= 6);
  for (const file of found) {
    const row = JSON.parse(textOf(file));
    for (const key of ["class", "package", "torch", "seed", "tolerance"]) assert.ok(row[key], file);
    assert.ok(row.tolerance.logits > 0, file);
  }
});

test("every vocabulary has the source of its ids", () => {
  const found = below("tests/golden/vocabularies", ".json");
  assert.ok(found.length > 0);
  for (const file of found) {
    const { package: from, ...cases } = JSON.parse(textOf(file));
    assert.match(from, /\d+\.\d+/, file);
    for (const { texts } of Object.values(cases)) assert.ok(texts.length > 5, file);
  }
});

test("vectors of texts have their source and their models", () => {
  const { package: from, cases } = JSON.parse(textOf("tests/golden/sentences/vectors.json"));
  assert.match(from, /^sentence-transformers \d+\.\d+/);
  assert.ok(Object.keys(cases).length >= 25);
  for (const [name, { model, vector }] of Object.entries(cases))
    assert.ok(families[model] && vector.length > 0, name);
});

test("a row of the manifest has generator, class, package, config, seed and tolerances", () => {
  const keys = [
    "generator",
    "source",
    "class",
    "package",
    "torch",
    "configHash",
    "seed",
    "tolerance",
  ];
  for (const [name, row] of Object.entries(manifest)) {
    for (const key of keys) assert.ok(key in row, `${name}: no ${key}`);
    for (const key of keys.slice(0, 6)) assert.ok(row[key], `${name}: ${key} is empty`);
    assert.match(row.configHash, /^[0-9a-f]{64}$/, name);
    assert.ok(Object.keys(row.tolerance).length > 0, `${name}: no tolerance`);
    assert.deepEqual(below("tests/golden", row.generator).length, 1, `${name}: ${row.generator}`);
  }
});

test("the configuration in a file has the hash that the manifest records", () => {
  for (const [name, row] of Object.entries(manifest)) {
    const text = textOf(`tests/golden/${name}`);
    const config = /"config":/.exec(text);
    assert.ok(config, `${name}: no config`);
    const hash = createHash("sha256")
      .update(canonical(text.slice(config.index + 9)))
      .digest("hex");
    assert.equal(hash, row.configHash, name);
  }
});

test("the engine's deviations are recorded for every file, below the tolerance", () => {
  assert.deepEqual(Object.keys(deviations).sort(), [...names].sort());
  for (const [name, row] of Object.entries(deviations)) {
    assert.ok(Object.keys(row).length > 0, name);
    for (const [quantity, deviation] of Object.entries(row)) {
      assert.ok(deviation <= manifest[name].tolerance[quantity], `${name}: ${quantity}`);
    }
  }
});
