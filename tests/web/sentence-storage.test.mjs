// Folders of sentence-transformers in a browser: chosen, as a directory's handle, by address, and
// stored in the origin private file system, with all files that modules.json names.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { familyFile } from "../package/families.mjs";
import { folderOf, vectors } from "../package/sentence-folders.mjs";
import { launchOptions } from "./browser.mjs";
import { servePlainly } from "./plain-site.mjs";

const one = vectors.cases.two_dense;
const { ids } = familyFile(one.model);
const dist = fileURLToPath(new URL("../../dist", import.meta.url));

let site;
let folder;
let browser;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "whereformer-sentences-"));
  cpSync(dist, join(folder, "dist"), { recursive: true });
  const older = JSON.parse(JSON.stringify(one.files));
  older["modules.json"][0].path = "0_Transformer";
  const folders = {
    newer: folderOf(one),
    older: folderOf({ ...one, files: older }, "0_Transformer/"),
  };
  for (const [name, files] of Object.entries(folders))
    for (const [path, bytes] of Object.entries(files)) {
      const file = join(folder, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
  const chooser = '<!doctype html><title>t</title><input type="file" webkitdirectory />';
  writeFileSync(join(folder, "index.html"), chooser);
  site = await servePlainly(folder);
  browser = await chromium.launch(launchOptions);
});
after(async () => {
  await browser.close();
  site.close();
  rmSync(folder, { recursive: true });
});

const near = (actual, expected) => {
  assert.equal(actual.length, expected.length);
  const max = Math.max(...expected.map((x, i) => Math.abs(x - actual[i])));
  assert.ok(max < 1e-4, `${max}`);
};

for (const layout of ["newer", "older"])
  for (const entry of ["index.js", "worker.js"])
    test(`${layout} folders from every kind of source, ${entry}`, async () => {
      const page = await browser.newPage();
      await page.goto(`${site.address}index.html`);
      await page.locator("input").setInputFiles(join(folder, layout));
      const found = await page.evaluate(
        async ({ script, text, name, paths }) => {
          const { load } = await import(script);
          const wf = await load({ variant: "simd" });
          const vectorOf = async (source, options) => {
            const model = await wf.model(source, options);
            return [...(await model.embed(text))];
          };
          const address = new URL(`${name}/`, location.href).href;
          const result = {
            chosen: await vectorOf(document.querySelector("input").files),
            address: await vectorOf(address),
            keeping: await vectorOf(address, { keep: "mine" }),
            kept: await vectorOf({ kept: "mine" }),
          };
          result.list = (await wf.keptModels())[0].files.map((file) => file.name).sort();
          await wf.deleteKept("mine");
          const root = await navigator.storage.getDirectory();
          const place = await root.getDirectoryHandle(name, { create: true });
          for (const path of paths) {
            const names = path.split("/");
            let inner = place;
            for (const step of names.slice(0, -1))
              inner = await inner.getDirectoryHandle(step, { create: true });
            const handle = await inner.getFileHandle(names.at(-1), { create: true });
            const writable = await handle.createWritable();
            await writable.write(await (await fetch(new URL(path, address))).blob());
            await writable.close();
          }
          result.handle = await vectorOf(place);
          result.keptFiles = await vectorOf(document.querySelector("input").files, { keep: "own" });
          result.again = await vectorOf({ kept: "own" });
          await wf.deleteKept("own");
          return result;
        },
        {
          script: `/dist/${entry}`,
          text: ids,
          name: layout,
          paths: Object.keys(layout === "newer" ? folderOf(one) : folderOf(one, "0_Transformer/")),
        },
      );
      const { list, ...all } = found;
      for (const vector of Object.values(all)) near(vector, one.vector);
      const own = layout === "newer" ? "" : "0_Transformer/";
      assert.deepEqual(list, [
        ...(own ? [`${own}config.json`, `${own}model.safetensors`] : []),
        "1_Pooling/config.json",
        "2_Dense/config.json",
        "2_Dense/model.safetensors",
        "3_Dense/config.json",
        "3_Dense/model.safetensors",
        ...(own ? [] : ["config.json", "model.safetensors"]),
        "modules.json",
      ]);
      await page.close();
    });
