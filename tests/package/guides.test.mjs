// The programs of the guides run as they stand, and print what the guides say that they print.

import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { writeModelsPackage } from "../../scripts/build/models-package.mjs";
import { nodeIn, root } from "./tarball.mjs";

const folder = mkdtempSync(join(tmpdir(), "whereformer-guides-"));
after(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "node_modules"));
symlinkSync(root, join(folder, "node_modules/whereformer"), "dir");
writeModelsPackage(join(folder, "node_modules/whereformer-models"));

const guides = join(root, "docs/guides");
const program = /^```js\n(.*?)^```\n\n```text\n(.*?)^```$/gms;

for (const name of readdirSync(guides)) {
  const text = readFileSync(join(guides, name), "utf8");
  const programs = [...text.matchAll(program)];
  test(`${name}: every program is followed by what it prints`, () => {
    assert.equal(programs.length, text.split("```js\n").length - 1);
  });
  programs.forEach(([, code, printed], index) => {
    test(`${name}: program ${index + 1} prints that`, () => {
      const file = `${name}-${index}.mjs`;
      writeFileSync(join(folder, file), code);
      assert.equal(nodeIn(folder, [file], { timeout: 60_000 }), printed);
    });
  });
}
