// examples/README.md says of every example what it took, and what it costs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { exampleNames, tableOf, withTable } from "../../scripts/consumers.mjs";

const text = readFileSync(new URL("../../examples/README.md", import.meta.url), "utf8");
const names = exampleNames();

test("every example stands in both tables, and nothing else does", () => {
  const linked = [...text.matchAll(/\[`([\w-]+)`\]\(\1\)/g)].map(([, name]) => name);
  assert.deepEqual(linked.sort(), names);
  const measured = [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(measured, names);
});

test("a row has what was measured and leaves out what was not", () => {
  const table = tableOf({
    html: { bytes: 2_160_200, seconds: 0.98 },
    node: { install: 1.26, start: 0.5 },
  });
  assert.deepEqual(table.split("\n").slice(2), [
    "| `html` |  |  | 2.16 | 1.0 |",
    "| `node` | 1.3 | 0.5 |  |  |",
  ]);
});

test("the table is put between its marks, and a page without them is refused", () => {
  const made = "<!-- made by npm run consumers -- --write -->";
  assert.equal(
    withTable(`a\n${made}\nold\n<!-- end -->\nb`, "new"),
    `a\n${made}\nnew\n<!-- end -->\nb`,
  );
  assert.throws(() => withTable("a", "new"), /examples\/README\.md has no/);
});
