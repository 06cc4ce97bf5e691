// Names in C++, TypeScript and JavaScript use the words of docs/glossary.md, whose table has the
// words that they may not contain.

import assert from "node:assert/strict";
import { test } from "node:test";
import ts from "typescript";
import { below, codeOf, textOf } from "./tree.mjs";

/** Returns the words in `code` in the last column of the glossary's table, as patterns. */
function excludedWords(markdown) {
  const rows = markdown.split("\n").filter((line) => /^\|.*\|$/.test(line));
  return rows.slice(2).flatMap((row) => {
    const last = row.split("|").at(-2);
    return [...last.matchAll(/`(\w+)(…?)`/g)].map(([, word, more]) =>
      more
        ? new RegExp(`^${word.replace(/e$/, "")}(?:e?|e?s|e?d|ing|ted|ting)$`)
        : new RegExp(`^${word}$`),
    );
  });
}

/** Splits a name in snake_case or camelCase into words. */
const wordsOf = (name) => name.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/).map((w) => w.toLowerCase());

const excluded = excludedWords(textOf("docs/glossary.md"));
const isExcluded = (name) =>
  wordsOf(name).some((word) => excluded.some((pattern) => pattern.test(word)));

test("the glossary excludes words in all their forms, and no others", () => {
  assert.ok(excluded.length >= 10, `${excluded.length} words`);
  for (const name of ["kMostHeads", "most", "least_key_", "places_", "placed", "TablePlace"])
    assert.ok(isExcluded(name), name);
  for (const name of ["is_turned", "turning", "stack_of", "Cuts", "graft", "donor_", "own_seed"])
    assert.ok(isExcluded(name), name);
  for (const name of ["return", "almost", "replaced", "kMaxHeads", "StackedX", "header", "down"])
    assert.equal(isExcluded(name), name === "StackedX", name);
});

const folders = ["src", "bindings/calls", "bindings/embind", "bindings/gguf"];

// Public names, and names that belong to the linker and to a thread's stack in memory.
const exceptions = new Set([
  "NormPlace",
  "norm_place",
  "kOwn",
  "_emscripten_stack_restore",
  "kStackBytes",
  "stack_top",
]);

test("no name in the core and its bindings has a word that the glossary excludes", () => {
  const sources = folders.flatMap((folder) => below(folder, ".cpp", ".h"));
  assert.ok(sources.length > 200);
  const excludedNames = sources.flatMap((file) =>
    [...new Set(codeOf(file).match(/[A-Za-z_]\w*/g) ?? [])]
      .filter(isExcluded)
      .map((name) => ({ file, name })),
  );
  const wrong = excludedNames.filter(({ name }) => !exceptions.has(name));
  assert.deepEqual(
    wrong.map(({ file, name }) => `${file}: ${name}`),
    [],
  );
  const used = new Set(excludedNames.map(({ name }) => name));
  assert.deepEqual(
    [...exceptions].filter((name) => !used.has(name)),
    [],
    "exceptions that no file uses",
  );
});

test("no C++ file is named with a word that the glossary excludes", () => {
  const files = folders.flatMap((folder) => below(folder));
  assert.deepEqual(
    files.filter((file) => isExcluded(file.split("/").at(-1))),
    [],
  );
});

const scriptFolders = ["bindings/ts", "web", "scripts", "bench"];

const scriptExceptions = new Set([
  // Names of JavaScript.
  "hasOwn",
  "getOwnPropertyDescriptor",
  "getOwnPropertyDescriptors",
  "bench/measure/against.mjs: stack",
  "bench/measure/row.mjs: stack",
  "scripts/setup/process.mjs: stack",
  // TensorFlow.js.
  "bench/peers/tfjs.mjs: stack",
  // A thread's stack in memory.
  "stackTop",
  // Public: an option, a property of `wf-surgery`, a type, and classes named after their tags.
  "normPlace",
  "web/figures/surgery/element.ts: place",
  "ReadingSettings",
  "LongerReading",
  "TurningPairs",
  // Fields of the state of `wf-turning-pairs`, which links of the article set.
  "turningAt",
  "turningBase",
  "turningStep",
  // Keys of models/recipe.json and of the recorded results of benchmarks.
  "scripts/train/longrope.mjs: most",
  "bench/run.mjs: places",
  "bench/report/recorded.mjs: places",
]);

test("no name in a script has a word that the glossary excludes", () => {
  const sources = scriptFolders
    .flatMap((folder) => below(folder, ".ts", ".mjs"))
    .filter((file) => !file.startsWith("bindings/ts/generated/"));
  assert.ok(sources.length > 600);
  const found = sources.flatMap((file) =>
    [...new Set(namesOf(file).filter(isExcluded))].map((name) => [name, `${file}: ${name}`]),
  );
  assert.deepEqual(
    found.filter((names) => !names.some((name) => scriptExceptions.has(name))).map(([, at]) => at),
    [],
  );
  const used = new Set(found.flat());
  assert.deepEqual(
    [...scriptExceptions].filter((name) => !used.has(name)),
    [],
    "exceptions that no file needs",
  );
  assert.deepEqual(
    sources.filter((file) => isExcluded(file.split("/").at(-1))),
    [],
  );
});

/** Returns the identifiers of a script, without words in strings, templates and comments. */
function namesOf(file) {
  const names = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest));
  return names;
}
