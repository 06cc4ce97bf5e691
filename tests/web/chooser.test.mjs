// The chooser in the page: six questions, a recommendation, and a table that can be sorted.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pages } from "../../scripts/build/prose.mjs";
import {
  awaitNumbers,
  awaitText,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-chooser");
/** Ids of all pages; the page's links lead to the page that has them. */
const places = pages().flatMap(({ ids }) => ids);

const root = fileURLToPath(new URL("../../", import.meta.url));
const { load } = await import(`${root}dist/index.js`);
const tag = "wf-chooser";

let session;
let reader;
let wf;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session, { path: home });
  wf = await load();
});
after(() => session.close());

const firstCells = (figure) =>
  figure
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => row.querySelector("th").textContent.trim()));

test("every scheme is in the table, with its properties from the engine", async () => {
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

test("a scheme's limit of length and its key sharing come from the engine", async () => {
  const { page } = reader;
  const { rows } = await numbersOf(page, tag);
  const row = (id) => rows.find(({ scheme }) => scheme === id);
  assert.deepEqual(
    rows.filter(({ hasTable }) => hasTable).map(({ scheme }) => scheme),
    ["one_hot", "learned", "learned_2d", "swin"],
  );
  // xPos overflows at 30,720, so 16,384 is the longest of the offered lengths.
  assert.deepEqual([row("xpos").ends, row("xpos").reach], [true, 16_384]);
  assert.equal(row("rope").reach, Number.POSITIVE_INFINITY);
  for (const groups of [1, 2, 4]) {
    const sizes = { numHeads: 12, numKvHeads: groups, headDim: 64 };
    for (const id of ["rope", "alibi", "t5"])
      assert.equal(4 * wf.scheme(id, sizes).cost().cacheFloats, 512 * groups, id);
  }
  // The example families of each kind of checkpoint use a scheme of that kind.
  for (const [families, kind] of [
    [["llama", "qwen2"], "rotary"],
    [["gpt2", "bert"], "absolute"],
    [["t5", "bloom"], "relative"],
    [["deepseek_v2"], "latent"],
  ])
    for (const family of families)
      assert.ok(
        wf.schemes.some(
          ({ family: own, selects }) => own === kind && selects.split(" ").includes(family),
        ),
        family,
      );
});

test("answers change the recommendation in both languages, and the address", async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("en", "&y=0.0.2.2.0.0"));
  const figure = page.locator(tag);
  await numbersOf(page, tag);
  const said = figure.locator("ol");
  await awaitText(said, /nothing has to stretch/);
  const slider = (question) => figure.locator(`wf-slider.${question} input`);
  assert.equal(await slider("read").getAttribute("aria-valuetext"), "2,048 tokens");
  await slider("read").press("ArrowRight");
  const longer = await awaitNumbers(page, tag, ({ answers }) => answers.read === 3);
  assert.ok(!longer.fits.includes("learned"));
  await awaitText(said, /2 times as far .*At 2 times .* not level: Plain integers.* rises most/);
  await slider("read").press("End");
  await awaitText(said, /64 times as far .*nothing was measured beyond 16/);
  const farthest = await numbersOf(page, tag);
  assert.ok(longer.fits.includes("xpos") && !farthest.fits.includes("xpos"));
  await figure.locator("wf-choice.cache label").nth(3).click();
  await awaitText(
    said,
    /you have 1,024\. MLA fits as it is, with 784\. .* at most 2 groups of the 12/,
  );
  await page.waitForFunction(() => location.hash.includes("y=0.0.2.8.3.0"));
  await figure.locator("wf-choice.start label").nth(1).click();
  await awaitText(figure.locator("h3 span"), "Keep the scheme of the checkpoint");
  const { fits } = await awaitNumbers(page, tag, ({ answers }) => answers.start === 1);
  assert.ok(fits.length > 0);
  assert.ok(fits.every((id) => wf.schemes.find((one) => one.id === id).family === "rotary"));
  await figure.locator("wf-choice.start label").nth(0).click();
  await figure.locator("wf-choice.what label").nth(1).click();
  await figure.locator("wf-choice.sees label").nth(1).click();
  const grid = await awaitNumbers(page, tag, ({ answers }) => answers.what && answers.sees);
  assert.ok(grid.fits.every((id) => wf.schemes.find((one) => one.id === id).positionAxes > 1));
  assert.equal(await slider("trained").getAttribute("aria-valuetext"), "16 × 16 cells");
  assert.deepEqual(complaints, []);
});

test("every sentence has a link to its source on the page", async () => {
  const { page, complaints } = reader;
  const figure = page.locator(tag);
  for (const [language, chosen] of [
    ["zh", "0.0.2.2.0.0"],
    ["en", "0.1.2.4.2.0"],
    ["en", "1.1.2.4.0.2"],
    ["zh", "1.0.2.2.1.0"],
    ["en", "0.0.2.4.2.1"],
    ["zh", "0.0.2.4.0.2"],
  ]) {
    await follow(page, fragment(language, `&y=${chosen}`));
    await awaitNumbers(page, tag, ({ answers }) => Object.values(answers).join(".") === chosen);
    await page.waitForFunction((lang) => document.documentElement.lang.startsWith(lang), language);
    const { lines } = await numbersOf(page, tag);
    const items = figure.locator("ol li");
    await items.nth(lines.length - 1).waitFor();
    const links = await items
      .locator("a")
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("href")));
    assert.equal(links.length, lines.length, chosen);
    for (const link of links) assert.ok(places.includes(link.slice(1)), link);
  }
  assert.deepEqual(complaints, []);
});

test("the table is sorted by its column headers, with mouse and keyboard", async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("en", "&y=0.0.2.2.0.0"));
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

test("the code prints the numbers of the table", async () => {
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
