// A scheme is a file, a line in the registry, a test and two pages; no other code contains its id.

import assert from "node:assert/strict";
import { test } from "node:test";
import { below, files, linesMatching, textOf, withoutComments } from "./tree.mjs";

const list = /#define WF_SCHEMES\(X\)((?:[^\n]*\\\n)*[^\n]*)/.exec(
  textOf("src/schemes/registry.cpp"),
);
const registered = [...(list?.[1] ?? "").matchAll(/\bX\((\w+)\)/g)].map((match) => match[1]);

const ownFiles = below("src/schemes", ".cpp")
  .filter((file) => !files.includes(file.replace(/\.cpp$/, ".h")))
  .map((file) => file.slice("src/schemes/".length, -".cpp".length));

test("the registry has every scheme's file, once, and no other", () => {
  assert.ok(registered.length > 0, "the registry could not be read");
  assert.deepEqual([...registered].sort(), [...ownFiles].sort());
});

// Files that define the kinds of options, whose names are not ids of schemes.
const optionKinds = new RegExp(
  String.raw`"boolean" \| "integer" \| "number"|kInteger, "integer"` +
    '|case "integer":|kind === "integer"',
);

// A family of config.json, which may have the same name as a scheme.
const familyRow =
  /^bindings\/ts\/families\/(?:\S+ export const \w+ = named\("|schemes-of\S+ (?:\{ )?families: ")/;

for (const id of registered) {
  test(`${id} has a test and words in both languages`, () => {
    const wanted = [
      `tests/core/schemes/${id}_test.cpp`,
      `docs/schemes/${id}.en.md`,
      `docs/schemes/${id}.zh.md`,
    ];
    assert.deepEqual(
      wanted.filter((file) => !files.includes(file)),
      [],
    );
  });

  test(`no other code contains the id ${id}`, () => {
    const quoted = new RegExp(`["'\`]${id}["'\`]`);
    const wrong = [".cpp", ".h", ".ts", ".mjs"]
      .flatMap((ending) => files.filter((file) => file.endsWith(ending)))
      .filter((file) => !/^(?:tests|docs|examples|models|conformance)\/|\/generated\//.test(file))
      .filter((file) => file !== `src/schemes/${id}.cpp` && file !== "web/defaults.ts")
      .flatMap((file) => linesMatching(file, quoted, withoutComments(file)))
      .filter((line) => !(id === "integer" && optionKinds.test(line)))
      .filter((line) => !familyRow.test(line));
    assert.deepEqual(wrong, []);
  });
}
