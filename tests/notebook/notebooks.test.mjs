// Runs the notebooks of examples/notebook that use the package for Python, with tiny random models.

import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { root } from "../../scripts/setup/ensure.mjs";
import { runOrFail } from "../../scripts/setup/process.mjs";
import { emptyFolder, installWheel } from "./environment.mjs";

const { load } = await import(join(root, "dist/index.js"));

const names = readdirSync(join(root, "examples/notebook")).filter((name) =>
  readFileSync(join(root, "examples/notebook", name), "utf8").includes("import whereformer"),
);

let program;
let folder;
before(async () => {
  ({ program } = await installWheel());
  folder = emptyFolder("notebooks");
});

test("there are four of them", () => assert.equal(names.length, 4));

for (const name of names)
  test(`${name} runs, and shows figures with their pictures`, async () => {
    cpSync(join(root, "examples/notebook", name), join(folder, name));
    const words = ["--execute", "--to", "notebook", "--inplace", name];
    await runOrFail(program("jupyter-nbconvert"), words, { cwd: folder });
    const { cells } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    const outputs = cells.flatMap(({ outputs = [] }) => outputs);
    const figures = outputs.filter(
      ({ data }) =>
        data?.["application/vnd.jupyter.widget-view+json"] &&
        /<whereformer\./.test(data["text/plain"]),
    );
    assert.ok(figures.length > 0);
    // A model is opened by the reader, who sees it in a browser alone.
    const drawn = figures.filter(({ data }) => !/\.OpenCheckpoint /.test(data["text/plain"]));
    for (const { data } of drawn) assert.match(String(data["image/svg+xml"]), /<svg/);
  });

test("the folder that save_pretrained writes opens as it is", async () => {
  const wf = await load();
  const model = await wf.model(join(folder, "tiny"));
  const { numLayers, numHeads } = model.config;
  assert.deepEqual([numLayers, numHeads], [2, 4]);
});
