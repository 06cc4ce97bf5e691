// Runs the programs of README.md and of the guides unchanged, with the package installed from its
// tarball, and compares their output with the documents. tests/web/guide-pages.test.mjs opens their
// pages.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeModelsPackage } from "../../scripts/build/models-package.mjs";
import { installTarball, nodeIn, root } from "./tarball.mjs";

const { folder } = installTarball("guides");
const library = "node_modules/@huggingface";
symlinkSync(join(root, library), join(folder, library), "dir");
writeModelsPackage(join(folder, "node_modules/whereformer-models"));

const pages = [
  "README.md",
  ...readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`),
];
const program = /^```js\n(.*?)^```\n\n```text\n(.*?)^```$/gms;

for (const name of pages) {
  const text = readFileSync(join(root, name), "utf8");
  const programs = [...text.matchAll(program)];
  test(`${name}: every program is followed by its output`, () => {
    assert.equal(programs.length, text.split("```js\n").length - 1);
  });
  programs.forEach(([, code, printed], index) => {
    test(`${name}: program ${index + 1} prints that output`, () => {
      const file = `${name.replaceAll("/", "-")}-${index}.mjs`;
      writeFileSync(join(folder, file), code);
      // What a program of a terminal reads.
      const input = "And God said\nAnd the king\n";
      const said = nodeIn(folder, [file], { timeout: 60_000, input });
      // A document has no spaces at the ends of lines, as after a prompt.
      assert.equal(said.replaceAll(/ +$/gm, ""), printed);
    });
  });
}
