// The families that the page says it opens are those of docs/families.md.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the figure names the families of the table", () => {
  const table = [...read("docs/families.md").matchAll(/^\| `([\w.-]+)` \|/gm)].map(
    ([, name]) => name,
  );
  const lines = read("web/figures/open-checkpoint/families.ts").matchAll(/^ {2}"([^"]+)"/gm);
  const named = [...lines].map(([, line]) => line).join("");
  assert.ok(named.length > 200);
  assert.equal(named, [...new Set(table)].sort().join(", "));
});
