// The package of models: its published files, their hashes, and each model opened from its export.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkPackage, Package } from "@arethetypeswrong/core";
import { publint } from "publint";
import { writeModelsPackage } from "../../scripts/build/models-package.mjs";
import { installTarball, nodeIn, publishedFrom, root } from "./tarball.mjs";

const { folder } = installTarball("models");
const installed = join(folder, "node_modules/whereformer-models");
const entries = writeModelsPackage(installed);
const { files, unpackedSize } = publishedFrom(installed);

test("the package has the models, their modules and the tokenizer, in at most 75 MB", () => {
  const ofModel = ["config.json", "index.d.ts", "index.js", "model.safetensors"];
  const common = ["LICENSE", "README.md", "index.d.ts", "index.js", "manifest.json"];
  const expected = [
    ...common,
    "package.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "tokenizer.d.ts",
    "tokenizer.js",
    ...entries.flatMap(({ name }) => ofModel.map((file) => `${name}/${file}`)),
  ];
  assert.deepEqual(files, expected.sort());
  assert.ok(unpackedSize <= 75e6, `${unpackedSize} bytes`);
  assert.ok(entries.length >= 28, `${entries.length} models`);
});

test("publint finds no fault", async () => {
  const { messages } = await publint({ pkgDir: installed, level: "warning", strict: true });
  assert.deepEqual(messages, []);
});

test("modules and bundlers find types and scripts of every export", async () => {
  const { name, version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const contents = files.map((path) => [
    `/node_modules/${name}/${path}`,
    // No tool reads the weights, so short files replace them.
    path.endsWith(".safetensors")
      ? new Uint8Array()
      : new Uint8Array(readFileSync(join(installed, path))),
  ]);
  const { problems, entrypoints } = await checkPackage(
    new Package(Object.fromEntries(contents), name, version),
    { excludeEntrypoints: [/\.(?:safetensors|json)$/] },
  );
  assert.ok(Object.keys(entrypoints).length > entries.length);
  // The package has modules only, so a require call needs a Node version that loads them.
  const ofModules = problems.filter(
    ({ resolutionKind }) => !["node10", "node16-cjs"].includes(resolutionKind),
  );
  assert.deepEqual(ofModules, []);
});

test("the manifest's bytes and hashes match the files", () => {
  const manifest = JSON.parse(readFileSync(join(installed, "manifest.json"), "utf8"));
  assert.deepEqual(manifest, JSON.parse(JSON.stringify(entries)));
  for (const { name, bytes, sha256 } of manifest) {
    const weights = readFileSync(join(installed, name, "model.safetensors"));
    assert.equal(weights.length, bytes, name);
    assert.equal(createHash("sha256").update(weights).digest("hex"), sha256, name);
  }
});

test("a program built by Vite without the tokenizer library names the missing package", () => {
  writeFileSync(
    join(folder, "main.js"),
    'import { endId } from "whereformer-models/tokenizer"; console.log(endId);',
  );
  writeFileSync(join(folder, "index.html"), '<script type="module" src="./main.js"></script>');
  const config = "export default { build: { modulePreload: { polyfill: false } } };";
  writeFileSync(join(folder, "vite.config.mjs"), config);
  const vite = join(root, "node_modules/vite/bin/vite.js");
  nodeIn(folder, [vite, "build", "--logLevel", "silent"]);
  const assets = readdirSync(join(folder, "dist/assets")).filter((name) => name.endsWith(".js"));
  assert.equal(assets.length, 1);
  const program = `
    await import("./dist/assets/${assets[0]}").catch(({ message }) => console.log(message));`;
  writeFileSync(join(folder, "built.mjs"), program);
  assert.match(nodeIn(folder, ["built.mjs"]), /"@huggingface\/tokenizers".*Is it installed\?/);
});

test("each model opens from its export, with its number of parameters, and reads a text", () => {
  const code = `
    import { load } from "whereformer";
    import { models } from "whereformer-models";
    const wf = await load();
    const lines = [];
    for (const { name, kind, scheme } of models) {
      const { source, model: entry, tokenizer } = await import("whereformer-models/" + name);
      const model = await wf.model(source);
      const ids = Array.from({ length: kind === "image" ? 64 : 9 }, (_, i) => i % 13);
      const { hidden } = model.run(ids, { record: ["hidden"] });
      lines.push([name, entry.name === name, (tokenizer instanceof URL) === (kind !== "image"),
        hidden.data.every(Number.isFinite),
        model.config.scheme.map(({ id }) => id).join() === scheme,
        model.parameterCount === entry.parameters]);
      model.dispose();
    }
    console.log(JSON.stringify(lines));`;
  writeFileSync(join(folder, "use.mjs"), code);
  const lines = JSON.parse(nodeIn(folder, ["use.mjs"]));
  assert.deepEqual(
    lines.map(([name]) => name),
    entries.map(({ name }) => name),
  );
  for (const [name, ...facts] of lines) assert.deepEqual(facts, Array(5).fill(true), name);
});
