// The README of each top folder of code names every folder in it, and nothing that is not there.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./tree.mjs";

for (const folder of ["src", "bindings", "web", "tests", "scripts"])
  test(`${folder}/README.md names the folders of ${folder}`, () => {
    const text = readFileSync(join(root, folder, "README.md"), "utf8");
    const named = new Set([...text.matchAll(/`([\w.-]+)`/g)].map(([, name]) => name));
    const folders = readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    assert.deepEqual(
      folders.filter((name) => !named.has(name)),
      [],
    );
    const within = readdirSync(join(root, folder), { recursive: true });
    const exists = (name) => within.some((path) => path === name || path.endsWith(`/${name}`));
    // What a link leads to, the links' own test holds; what is in a list begins its item.
    const listed = [...text.matchAll(/^- (.+?): /gm)].flatMap(([, items]) => [
      ...items.matchAll(/`([\w.-]+)`/g),
    ]);
    const gone = listed.map(([, name]) => name).filter((name) => !exists(name));
    assert.ok(listed.length > 2);
    assert.deepEqual(gone, []);
  });
