// Identifiers and files are named in the field's words, not after people and what they do. Running
// English in comments, messages and words of the page is free.

import assert from "node:assert/strict";
import { test } from "node:test";
import ts from "typescript";
import { below, codeOf, files, textOf } from "./tree.mjs";

const foreign = /^(?:deeds?|dut(?:y|ies)|patien(?:ce|t|ts)|lend(?:s|er|ers|ing)?|lent|fresh)$/;

/** The words of a name in snake_case, camelCase or kebab-case. */
const wordsOf = (name) => name.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/).map((w) => w.toLowerCase());
const isForeign = (name) => wordsOf(name).some((word) => foreign.test(word));

test("a name is looked through word by word", () => {
  for (const name of ["is_lent", "lender_", "kPatience", "FreshTraining", "#freshEngine", "DUTY"])
    assert.ok(isForeign(name), name);
  for (const name of ["refresh", "silent", "blend", "equivalent_", "shared_embedding_test.cpp"])
    assert.ok(!isForeign(name), name);
});

const areas = ["src", "bindings", "models", "bench", "scripts", "web"];
const inAreas = (...endings) => areas.flatMap((area) => below(area, ...endings));
const found = (file, names) =>
  [...new Set(names)].filter(isForeign).map((name) => `${file}: ${name}`);

test("no identifier of C++ has a word that is not the field's", () => {
  const sources = inAreas(".cpp", ".h");
  assert.ok(sources.length > 100);
  const wrong = sources.flatMap((file) => found(file, codeOf(file).match(/[A-Za-z_]\w*/g) ?? []));
  assert.deepEqual(wrong, []);
});

/** All identifiers of a script. */
function identifiersOf(file) {
  const names = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest));
  return names;
}

test("no identifier of a script has a word that is not the field's", () => {
  const scripts = inAreas(".ts", ".mts", ".mjs");
  assert.ok(scripts.length > 300);
  assert.deepEqual(
    scripts.flatMap((file) => found(file, identifiersOf(file))),
    [],
  );
});

test("no key of the rows of the bench has a word that is not the field's", () => {
  const keys = [...textOf("bench/table.json").matchAll(/"(\w+)":/g)].map(([, key]) => key);
  assert.ok(keys.includes("ownProcess"));
  assert.deepEqual(found("bench/table.json", keys), []);
});

// `npm run test:fresh` is a command that people have been told of: from the clone on, on a bare
// machine.
const named = [/^scripts\/fresh(?:\.mjs$|\/)/, /^tests\/scripts\/fresh\.test\.mjs$/];

test("no file or folder is named in a word that is not the field's", () => {
  const wrong = files.filter(
    (file) => file.split("/").some(isForeign) && !named.some((pattern) => pattern.test(file)),
  );
  assert.deepEqual(wrong, []);
  for (const pattern of named)
    assert.ok(
      files.some((file) => pattern.test(file)),
      `${pattern}`,
    );
});
