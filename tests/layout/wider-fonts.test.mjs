// What is not run in wider faces looks at nothing that they could move.

import assert from "node:assert/strict";
import { test } from "node:test";
import { longRunners } from "../../scripts/test/runners.mjs";
import { isOwnFacesOnly, ownFacesOnly } from "../../scripts/test/wider-fonts.mjs";
import { below, linesMatching, withoutComments } from "./tree.mjs";

const all = below("tests/web", ".test.mjs");
const own = all.filter(isOwnFacesOnly);

test("each test file of the page is run in wider faces too, unless it is named", () => {
  assert.deepEqual([...longRunners.wide.files, ...own].sort(), [...all].sort());
  assert.ok(own.length < all.length);
});

test("who is named is there, once", () => {
  const names = Object.values(ownFacesOnly).flat();
  assert.deepEqual(names.map((name) => `tests/web/${name}.test.mjs`).sort(), own.sort());
});

/** Places, sizes, pointers, pictures, and rules that judge them. */
const extents = "(?:offset|client|scroll|inner)(?:Width|Height|Top|Left|X|Y)";
const looksAtPlaces = new RegExp(
  String.raw`\b(?:boundingBox|get(?:Bounding)?ClientRects?|${extents}|scroll(?:To|By|IntoView)` +
    "|elementFromPoint|hover|cellAt|settled|screenshot|axe|setViewportSize)" +
    String.raw`\b|page\.mouse`,
);

test("who is named asks for no place, no size and no pointer", () => {
  // It compares the two sets itself.
  const held = own.filter((file) => file !== "tests/web/wider.test.mjs");
  const looking = held.flatMap((file) => linesMatching(file, looksAtPlaces, withoutComments(file)));
  assert.deepEqual(looking, []);
  // The others do, nearly all: the pattern is no empty one.
  const others = all.filter((file) => !own.includes(file));
  const places = others.filter((file) => looksAtPlaces.test(withoutComments(file)));
  assert.ok(places.length > others.length / 2, `${places.length} of ${others.length}`);
});
