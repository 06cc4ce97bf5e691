// Test files that are not repeated with wider fonts depend on no position or size.

import assert from "node:assert/strict";
import { test } from "node:test";
import { longRunners } from "../../scripts/test/runners.mjs";
import { isPageFontsOnly, pageFontsOnly } from "../../scripts/test/wider-fonts.mjs";
import { below, linesMatching, withoutComments } from "./tree.mjs";

const all = below("tests/web", ".test.mjs");
const own = all.filter(isPageFontsOnly);

test("each test file of the page is repeated with wider fonts, or is an exception", () => {
  assert.deepEqual([...longRunners.wide.files, ...own].sort(), [...all].sort());
  assert.ok(own.length < all.length);
});

test("each exception exists, and is listed once", () => {
  const names = Object.values(pageFontsOnly).flat();
  assert.deepEqual(names.map((name) => `tests/web/${name}.test.mjs`).sort(), own.sort());
});

/** Positions, sizes, pointers, pictures, and accessibility rules that depend on these. */
const extents = "(?:offset|client|scroll|inner)(?:Width|Height|Top|Left|X|Y)";
const looksAtPlaces = new RegExp(
  String.raw`\b(?:boundingBox|get(?:Bounding)?ClientRects?|${extents}|scroll(?:To|By|IntoView)` +
    "|elementFromPoint|hover|cellAt|settled|screenshot|axe|setViewportSize)" +
    String.raw`\b|page\.mouse`,
);

test("an exception reads no position and no size, and uses no pointer", () => {
  // wider.test.mjs compares the two sets of tests itself.
  const held = own.filter((file) => file !== "tests/web/wider.test.mjs");
  const looking = held.flatMap((file) => linesMatching(file, looksAtPlaces, withoutComments(file)));
  assert.deepEqual(looking, []);
  // Nearly all other files do, so the pattern works.
  const others = all.filter((file) => !own.includes(file));
  const places = others.filter((file) => looksAtPlaces.test(withoutComments(file)));
  assert.ok(places.length > others.length / 2, `${places.length} of ${others.length}`);
});
