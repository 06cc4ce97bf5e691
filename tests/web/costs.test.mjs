// The figure that measures the cost of each scheme, here with real measurements.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  awaitText,
  bringIntoView,
  clickAndSee,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-costs");

const root = fileURLToPath(new URL("../../", import.meta.url));
const { load } = await import(`${root}dist/index.js`);

const tag = "wf-costs";
/** The smallest sizes on offer: 64 tokens, heads of 16 channels, two of them. */
const small = "&k=64.16.2";

let session;
let wf;
before(async () => {
  session = await openBrowser();
  wf = await load();
});
after(() => session.close());

const open = (more = small, options = {}) =>
  openPage(session, {
    path: home,
    hash: fragment(options.language ?? "en", more),
    isAlone: true,
    ...options,
  });

let reader;

/** Opens the page in which tests measure, for the first test that needs it. */
async function openReader(more = small) {
  reader ??= await open(more);
  return reader;
}

test("measuring can be cancelled and restarted by a button", { timeout: 120_000 }, async () => {
  const { page, complaints } = await openReader("&k=1024.64.4");
  const figure = page.locator(tag);
  await bringIntoView(figure);
  await figure.locator("button.cancel").click();
  await figure.locator("button.again").waitFor();
  assert.match(await figure.locator(".reading").textContent(), /Cancelled/);
  assert.equal(await figure.locator("table").count(), 0);
  await follow(page, fragment("en", small));
  const { sizes } = await numbersOf(page, tag);
  assert.equal(sizes.tokens, 64);
  await clickAndSee(figure, "button.again", "progress");
  await numbersOf(page, tag);
  assert.deepEqual(complaints, []);
});

test("every scheme for text is measured against none, and shown beside its formula", {
  timeout: 120_000,
}, async () => {
  const { page, complaints } = await openReader();
  const { base, rows, sizes, quartiles } = await numbersOf(page, tag);
  assert.ok(quartiles[0] <= base.microseconds && base.microseconds <= quartiles[1]);
  assert.deepEqual(sizes, { tokens: 64, headDim: 16, numHeads: 2 });
  const ofText = wf.schemes.filter(
    ({ positionAxes, claims }) => positionAxes < 2 && claims.decodes,
  );
  assert.equal(base.scheme, "nope");
  assert.deepEqual(
    [base.scheme, ...rows.map(({ scheme }) => scheme)].sort(),
    ofText.map(({ id }) => id).sort(),
  );
  const links = await page
    .locator(`${tag} tbody th a`)
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("href")));
  assert.deepEqual(
    links.sort(),
    ofText.map(({ id }) => `../../schemes/${id}/`).sort(),
    "a name does not link to its scheme's page",
  );
  for (const { scheme, microseconds, ratio, formula, rounds } of rows) {
    assert.ok(Number.isFinite(microseconds) && microseconds > 0, `${scheme}: ${microseconds} µs`);
    assert.ok(Number.isFinite(ratio) && ratio > 0, `${scheme}: ${ratio}`);
    assert.ok(Number.isFinite(formula) && formula > 0.5 && formula < 50, `${scheme}: ${formula}`);
    assert.ok(rounds >= 3, `${scheme}: ${rounds} rounds`);
  }
  const formulas = rows.map(({ formula }) => formula);
  assert.deepEqual(
    formulas,
    [...formulas].sort((a, b) => a - b),
    "not sorted by the formula's cost",
  );

  // The numbers beside the bars equal the engine's for these sizes.
  for (const id of ["alibi", "mla", "deberta"]) {
    const scheme = wf.scheme(id, { numHeads: 2, headDim: 16 });
    const cost = scheme.cost({ queries: 64, width: 32 });
    const row = rows.find((one) => one.scheme === id);
    assert.equal(row.cacheBytes, 4 * cost.cacheFloats, id);
    assert.equal(row.parameters, cost.modelParameters + cost.layerParameters, id);
  }
  const { formula } = rows.find(({ scheme }) => scheme === "transformer_xl");
  assert.ok(formula > 1.2, `not one product more: ${formula}`);

  const figure = page.locator(tag);
  const lines = figure.locator("table tbody tr");
  assert.equal(await lines.count(), ofText.length);
  const last = rows.at(-1);
  const written = (await lines.last().textContent()).replaceAll("\u00a0", " ");
  assert.ok(written.includes(`${last.ratio.toFixed(2)} ×`), written);
  assert.ok(written.includes(`${last.formula.toFixed(2)} ×`), written);
  const reading = (await figure.locator(".reading").textContent()).replaceAll("\u00a0", " ");
  const dearest = rows.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  for (const { ratio, range } of rows) assert.ok(range[0] <= ratio && ratio <= range[1]);
  const isApart = rows.every((row) => row === dearest || row.range[1] < dearest.range[0]);
  const said = isApart
    ? `${dearest.ratio.toFixed(2)} ×, by formula ${dearest.formula.toFixed(2)} ×`
    : "Which is the dearest of all, these rounds do not tell";
  assert.ok(reading.includes(said), reading);

  // By keyboard, the caption of each bar says the same as the table.
  const cell = figure.locator("[role=gridcell]");
  await cell.focus();
  await page.keyboard.press("ArrowDown");
  await awaitText(
    figure.locator("wf-scene [role=status]"),
    /: [\d,]+ µs, \d+\.\d\d × without positions; by formula/,
  );
  assert.deepEqual(complaints, []);
});

test("no scheme is called the most expensive if another one's range overlaps", async () => {
  const { page } = await openReader();
  await numbersOf(page, tag);
  const figure = page.locator(tag);
  /** Shows made-up rows, with these ranges of their rounds. */
  const show = (ranges) =>
    figure.evaluate(async (node, [low, high]) => {
      const { answer } = node;
      const rows = answer.rows.map((row, index) => ({
        ...row,
        ratio: index < 2 ? 2 - 0.1 * index : 1,
        range: [low[index] ?? 1, high[index] ?? 1],
      }));
      node.answer = { ...answer, rows };
      await node.updateComplete;
    }, ranges);
  const reading = figure.locator(".reading");
  const names = await figure.locator("tbody th a").allTextContents();
  // The first line is the layer without positions.
  const [, first, second] = names.map((name) => name.trim());
  await show([
    [1.95, 1.8],
    [2.1, 1.94],
  ]);
  await awaitText(reading, new RegExp(`The dearest of all is ${first}: 2\\.00`));
  await show([
    [1.85, 1.8],
    [2.1, 1.94],
  ]);
  await awaitText(
    reading,
    new RegExp(`rounds do not tell: those of ${first} and ${second} lie among each other`),
  );
  await show([
    [0.9, 0.9, 0.8, 0.8],
    [2.1, 1.94, 1, 1],
  ]);
  await awaitText(reading, new RegExp(`rounds do not tell: those of ${names.length - 1} schemes`));
});

test("other sizes are measured again and stored in the address; only the newest are shown", {
  timeout: 120_000,
}, async () => {
  const { page, complaints } = await openReader();
  await follow(page, fragment("zh", small));
  await page.waitForFunction(() => document.documentElement.lang === "zh-Hans");
  const figure = page.locator(tag);
  await bringIntoView(figure);
  await figure.locator("wf-choice.numHeads label").nth(2).click();
  await figure.locator("wf-choice.numHeads label").nth(1).click();
  const { sizes } = await numbersOf(page, tag, ({ sizes }) => sizes.numHeads === 4);
  assert.deepEqual(sizes, { tokens: 64, headDim: 16, numHeads: 4 });
  await page.waitForFunction(() => location.hash.includes("k=64.16.4"));
  assert.match(await figure.locator(".reading").textContent(), /按公式算，有 \d+ 种方案/);
  assert.deepEqual(complaints, []);
});

test("sizes that are not on offer are replaced by the defaults", async () => {
  const { page, close } = await open("&k=7.9999.3");
  await bringIntoView(page.locator(tag));
  await page.locator(`${tag} wf-choice`).first().waitFor();
  const chosen = await page.evaluate(
    (name) =>
      [...document.querySelector(name).shadowRoot.querySelectorAll("wf-choice")].map(
        ({ value }) => value,
      ),
    tag,
  );
  assert.deepEqual(chosen, ["256", "32", "4"]);
  await close();
});
