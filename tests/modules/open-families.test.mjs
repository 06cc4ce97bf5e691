// The families that the page says it opens are those of docs/families.md.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the figure names the families of the table", () => {
  const table = [...read("docs/families.md").matchAll(/^\| `([\w.-]+)` \|/gm)].map(
    ([, name]) => name,
  );
  const named = [...read("web/figures/open-checkpoint/families.ts").matchAll(/^ {2}"([^"]+)",$/gm)];
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.map(([, name]) => name),
    [...new Set(table)].sort(),
  );
});
