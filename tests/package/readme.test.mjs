// The first block of JavaScript in README.md runs as it stands, and prints what README.md says.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("the code in README.md runs and prints what it says", (context) => {
  const text = readFileSync(join(root, "README.md"), "utf8");
  const [block, code] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
  assert.ok(block, "README.md has a ```js block");
  const [, promised] = /It prints `([^`]+)`/.exec(text.slice(text.indexOf(block))) ?? [];
  assert.ok(promised, "README.md says what it prints");
  const folder = mkdtempSync(join(tmpdir(), "whereformer-readme-"));
  context.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/whereformer"), "dir");
  writeFileSync(join(folder, "example.mjs"), code);
  const printed = execFileSync(process.execPath, ["example.mjs"], {
    cwd: folder,
    encoding: "utf8",
  });
  assert.equal(printed.trim(), promised);
});
