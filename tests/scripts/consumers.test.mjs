// The tables of examples/README.md: the measured costs of every example.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { exampleNames, tableOf, withTable } from "../../scripts/consumers.mjs";

const text = readFileSync(new URL("../../examples/README.md", import.meta.url), "utf8");
const names = exampleNames();

test("every example is in both tables, and nothing else is", () => {
  const linked = [...text.matchAll(/\[`([\w-]+)`\]\(\1\)/g)].map(([, name]) => name);
  assert.deepEqual(linked.sort(), names);
  const measured = [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(measured, names);
});

test("a row has the measured values and leaves out the others", () => {
  const table = tableOf({
    html: { bytes: 2_160_200, seconds: 0.98 },
    node: { install: 1.26, start: 0.5 },
  });
  assert.deepEqual(table.split("\n").slice(2), [
    "| `html` |  |  | 2.16 | 1.0 |",
    "| `node` | 1.3 | 0.5 |  |  |",
  ]);
});

test("the table is written between its marks, and a page without marks is refused", () => {
  const made = "<!-- made by npm run consumers -- --write -->";
  assert.equal(
    withTable(`a\n${made}\nold\n<!-- end -->\nb`, "new"),
    `a\n${made}\nnew\n<!-- end -->\nb`,
  );
  assert.throws(() => withTable("a", "new"), /examples\/README\.md has no/);
});
