// Another realm (a frame, a test runner's context, an emulated page) has its own copies of the
// platform's classes, so `instanceof` such a class is false for its objects. wire/platform.ts has
// checks that work across realms.

import assert from "node:assert/strict";
import { test } from "node:test";
import { below, textOf } from "./tree.mjs";

const files = below("bindings/ts", ".ts");
/** Classes that these scripts declare themselves, so there is one of each. */
const own = new Set(
  files.flatMap((file) => [...textOf(file).matchAll(/\bclass (\w+)/g)].map(([, name]) => name)),
);

test("no script of the package uses instanceof with a class of the platform", () => {
  assert.ok(own.has("WhereformerError") && files.length > 100);
  const asked = files.flatMap((file) =>
    [...textOf(file).matchAll(/\binstanceof (\S+?)[\s);,&|?:]/g)].map(([, name]) => ({
      file,
      name,
    })),
  );
  assert.ok(asked.length > 10, "no use of instanceof with the package's own classes was found");
  assert.deepEqual(
    asked.filter(({ name }) => !own.has(name)),
    [],
  );
});
