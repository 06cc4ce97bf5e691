// Two copies of the elements on one page, as if each of two bundles contained one.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { awaitNumbers, openBrowser, openPage } from "./browser.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}build/two-copies`;
const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

const html = `<!doctype html><html lang="en"><meta charset="utf-8">
<link rel="icon" href="data:,"><title>two copies</title>
<wf-who-chases></wf-who-chases></html>`;

let session;
before(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const copy of ["first", "second", "other"]) {
    mkdirSync(`${folder}/${copy}`);
    for (const name of readdirSync(`${root}dist`).filter((file) => /\.(?:js|wasm)$/.test(file)))
      cpSync(`${root}dist/${name}`, `${folder}/${copy}/${name}`);
  }
  // Changes the version in one copy.
  const file = `${folder}/other/standalone.js`;
  const text = readFileSync(file, "utf8");
  const changed = text
    .replaceAll(`"${version}"`, '"0.0.7"')
    .replaceAll(`\`${version}\``, '"0.0.7"');
  assert.notEqual(changed, text, "the version is missing from the script");
  writeFileSync(file, changed);
  writeFileSync(`${folder}/index.html`, html);
  session = await openBrowser(folder);
});
after(() => session.close());

/** In the page: loads both copies, and computes a number with each engine. */
const loadBoth = (page, names) =>
  page.evaluate(async (copies) => {
    const found = [];
    for (const copy of copies) {
      const { load } = await import(`./${copy}/standalone.js`);
      const wf = await load();
      const { schemes } = wf;
      found.push(schemes.length);
    }
    return found;
  }, names);

test("a second copy of one version loads silently, and both engines load", async () => {
  const { page, complaints, close } = await openPage(session, { hash: "index.html" });
  const [one, two] = await loadBoth(page, ["first", "second"]);
  assert.ok(one > 10 && one === two);
  const data = await awaitNumbers(page, "wf-who-chases");
  assert.ok(data.largestDifference < 1e-5);
  const sheets = await page.evaluate(() => document.adoptedStyleSheets.length);
  assert.equal(sheets, 1);
  assert.deepEqual(complaints, []);
  await close();
});

test("a copy of another version warns once, in one sentence, and loads its engine", async () => {
  const { page, complaints, close } = await openPage(session, { hash: "index.html" });
  const [one, two] = await loadBoth(page, ["other", "first"]);
  assert.equal(one, two);
  await awaitNumbers(page, "wf-who-chases");
  assert.equal(complaints.length, 1);
  assert.match(
    complaints[0],
    /^console: <wf-[\w-]+> is on this page already, of whereformer 0\.0\.7/,
  );
  assert.ok(complaints[0].includes(version));
  await close();
});

test("a tag that another library has defined stays unchanged, and a warning names it", async () => {
  const { page, complaints, close } = await openPage(session, { hash: "index.html" });
  await page.evaluate(() => customElements.define("wf-scene", class extends HTMLElement {}));
  assert.ok((await loadBoth(page, ["first"]))[0] > 10);
  assert.equal(complaints.length, 1);
  assert.match(complaints[0], /<wf-scene> is on this page already, of other code/);
  await close();
});
