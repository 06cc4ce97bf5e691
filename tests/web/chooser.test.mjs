// The chooser in the page: five answers, what follows, and a table that sorts.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  awaitNumbers,
  awaitText,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
} from "./browser.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { load } = await import(`${root}dist/index.js`);
const tag = "wf-chooser";

let session;
let reader;
let wf;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session);
  wf = await load();
});
after(() => session.close());

const firstCells = (figure) =>
  figure
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => row.querySelector("th").textContent.trim()));

test("every scheme is in the table with what the engine says of it", async () => {
  const { page, complaints } = reader;
  const { rows, fits } = await numbersOf(page, tag);
  assert.deepEqual(
    rows.map(({ scheme }) => scheme),
    wf.schemes.map(({ id }) => id),
  );
  for (const id of ["alibi", "mla", "deberta", "learned"]) {
    const cost = wf.scheme(id, { numHeads: 12, headDim: 64 }).cost({ queries: 2048, keys: 2048 });
    const row = rows.find(({ scheme }) => scheme === id);
    assert.equal(row.cacheBytes, 4 * cost.cacheFloats, id);
    assert.equal(row.parameters, cost.modelParameters + 12 * cost.layerParameters, id);
    assert.ok(Math.abs(row.share - cost.layerFlops / (4 * 2048 ** 2 * 768)) < 1e-9, id);
  }
  const ofText = wf.schemes.filter(
    ({ positionAxes, claims }) => positionAxes < 2 && claims.decodes,
  );
  assert.deepEqual(
    fits,
    ofText.map(({ id }) => id),
  );
  assert.deepEqual(complaints, []);
});

test("answers change what follows, in both languages, and stand in the address", async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("en", "&y=0.0.0.0.0"));
  const figure = page.locator(tag);
  await numbersOf(page, tag);
  await figure.locator("wf-choice.length label").nth(1).click();
  const longer = await awaitNumbers(page, tag, ({ answers }) => answers.length === 1);
  assert.ok(!longer.fits.includes("learned"));
  await awaitText(figure.locator("ol"), /At 16 times .* rises most/);
  await figure.locator("wf-choice.cache label").nth(1).click();
  await awaitText(figure.locator("ol"), /MLA keeps 784 bytes/);
  await page.waitForFunction(() => location.hash.includes("y=0.0.1.1.0"));
  await figure.locator("wf-choice.start label").nth(1).click();
  await awaitText(figure.locator("h3 span"), "Keep the scheme of the checkpoint");
  await figure.locator("wf-choice.what label").nth(1).click();
  const grid = await awaitNumbers(page, tag, ({ answers }) => answers.what === 1);
  assert.ok(grid.fits.every((id) => wf.schemes.find((one) => one.id === id).positionAxes === 2));
  await follow(page, fragment("zh", "&y=0.0.0.0.0"));
  await awaitText(figure.locator("ol"), /训练长度/);
  const links = await figure
    .locator("li a")
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("href")));
  assert.deepEqual(links, ["#schemes", "#curves"]);
  for (const link of links) assert.equal(await page.locator(link).count(), 1);
  assert.deepEqual(complaints, []);
});

test("the table is sorted by its heads, with mouse and keyboard", async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("en", "&y=0.0.0.0.0"));
  const figure = page.locator(tag);
  await numbersOf(page, tag);
  const head = (index) => figure.locator("thead th").nth(index);
  await awaitText(head(0), "Scheme");
  await head(2).locator("button").click();
  assert.equal(await head(2).getAttribute("aria-sort"), "ascending");
  await head(2).locator("button").press("Enter");
  assert.equal(await head(2).getAttribute("aria-sort"), "descending");
  const [first] = await firstCells(figure);
  assert.match(first, /Transformer-XL/);
  await head(0).locator("button").click();
  const names = await firstCells(figure);
  assert.deepEqual(
    names,
    [...names].sort((a, b) => a.localeCompare(b)),
  );
  assert.equal(await head(2).getAttribute("aria-sort"), "none");
  assert.deepEqual(complaints, []);
});

test("the code prints what the table counts", async () => {
  const { page } = reader;
  const figure = page.locator(tag);
  const { rows } = await numbersOf(page, tag);
  await figure.locator("wf-takeaway button.code").click();
  const code = await figure.locator("wf-takeaway code").textContent();
  const folder = `${root}build/figure-code/`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${tag}.mjs`, code);
  const { stdout } = await promisify(execFile)(process.execPath, [`${folder}${tag}.mjs`]);
  const printed = [...stdout.matchAll(/^(\w+) \d[\s\S]*?trained (\d+) cache bytes (\d+)$/gm)];
  assert.ok(printed.length > 15);
  for (const [, id, parameters, bytes] of printed) {
    const row = rows.find(({ scheme }) => scheme === id);
    assert.equal(Number(parameters), row.parameters, id);
    assert.equal(Number(bytes), row.cacheBytes, id);
  }
});
