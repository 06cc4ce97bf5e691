// Checks names of files, and that certain files are not committed; lengths.test.mjs checks lengths.

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { below, files, linesMatching, root, textOf } from "./tree.mjs";

test("no file or folder has a name without meaning", () => {
  const empty = /^(?:utils?|helpers?|common|misc)(?:[._-]|$)/i;
  const wrong = files.filter((file) => file.split("/").some((part) => empty.test(part)));
  assert.deepEqual(wrong, []);
});

test("C++ and Python files are named in snake_case", () => {
  const wrong = files.filter(
    (file) => /\.(?:cpp|h|py)$/.test(file) && !/^[a-z0-9_]+\.\w+$/.test(basename(file)),
  );
  assert.deepEqual(wrong, []);
});

test("TypeScript, JavaScript and CSS files are named in kebab-case", () => {
  const name = /^[a-z0-9]+(?:[-.][a-z0-9]+)*\.\w+$/;
  const wrong = files.filter(
    (file) =>
      /\.(?:ts|mts|mjs|css)$/.test(file) &&
      !file.includes("/generated/") &&
      !name.test(basename(file)),
  );
  assert.deepEqual(wrong, []);
});

test("there is no CommonJS and no dialect of JavaScript, except in the examples", () => {
  assert.deepEqual(
    files.filter((file) => /\.(?:cjs|cts|jsx|tsx|js)$/.test(file) && !file.startsWith("examples/")),
    [],
  );
});

test("the map in docs/rooms.svg shows every folder of the core and its bindings", () => {
  const names = [...textOf("docs/rooms.svg").matchAll(/class="name"[^>]*>([^<]+)</g)];
  const drawn = names.flatMap(([, text]) => text.split(", "));
  const bands = [...textOf("docs/rooms.svg").matchAll(/class="band"[^>]*>([^<]+)</g)];
  const shown = [...drawn, ...bands.map(([, text]) => text.replace("bindings/", ""))];
  const rooms = ["src", "bindings", "bindings/ts"].flatMap((area) =>
    below(area)
      .map((file) => file.slice(area.length + 1).split("/"))
      .filter((parts) => parts.length > 1)
      .map(([room]) => room),
  );
  // Generated files are mentioned in the text below "types".
  const wanting = new Set(rooms.filter((room) => room !== "generated" && !shown.includes(room)));
  assert.deepEqual([...wanting], []);
});

test("no committed file is larger than 4 MB", () => {
  const wrong = files.filter((file) => statSync(join(root, file)).size > 4e6);
  assert.deepEqual(wrong, []);
});

test("neither the set-up nor the lock files name a registry's server", () => {
  for (const file of ["package-lock.json", "bench/package-lock.json"]) {
    const lock = JSON.parse(readFileSync(join(root, file), "utf8"));
    const resolved = Object.entries(lock.packages).filter(([, entry]) => entry.resolved);
    assert.deepEqual(resolved, [], file);
  }
  const setUp = [".npmrc", "bench/.npmrc", ".ci/run", "CMakeLists.txt", "CMakePresets.json"];
  const wrong = [...below("scripts"), ...setUp]
    .filter((file) => files.includes(file))
    .flatMap((file) => linesMatching(file, /\bhttps?:\/\/(?!page["/]|localhost|\$\{)/));
  assert.deepEqual(wrong, []);
});
