// Another realm (a frame, a test runner's context, an emulated page) has classes of its own, so
// that `instanceof` a class of the platform is false of what it made. wire/platform.ts tells.

import assert from "node:assert/strict";
import { test } from "node:test";
import { below, textOf } from "./tree.mjs";

const files = below("bindings/ts", ".ts");
/** Classes that these scripts declare, of which there are no others in a realm. */
const own = new Set(
  files.flatMap((file) => [...textOf(file).matchAll(/\bclass (\w+)/g)].map(([, name]) => name)),
);

test("no script of the package asks for a class of the platform by instanceof", () => {
  assert.ok(own.has("WhereformerError") && files.length > 100);
  const asked = files.flatMap((file) =>
    [...textOf(file).matchAll(/\binstanceof (\S+?)[\s);,&|?:]/g)].map(([, name]) => ({
      file,
      name,
    })),
  );
  assert.ok(asked.length > 10, "classes of the package's own are asked for so");
  assert.deepEqual(
    asked.filter(({ name }) => !own.has(name)),
    [],
  );
});
