// The families that the page lists, and their deviations, are those of docs/families.md.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { countOf, pageListOf, tableOf } from "../../scripts/families.mjs";
import { manifest } from "../package/families.mjs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("table and figure show the manifest's families and deviations", () => {
  const rows = manifest();
  assert.ok(Object.keys(rows).length > 40);
  assert.ok(read("docs/families.md").includes(tableOf(rows)));
  const list = pageListOf(rows);
  assert.equal(read("web/figures/open-checkpoint/families.ts"), list);
  const count = countOf(rows);
  assert.equal(list.match(/^ {2}.*: \[/gm).length, count);
  for (const path of ["README.md", "docs/guides/models.md"])
    for (const [, said] of read(path).matchAll(/(\d+) families/g))
      assert.equal(Number(said), count, path);
});
