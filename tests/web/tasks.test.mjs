// Results of the tasks: a task is selected, its dots are the measured results, and a table sorts
// them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  awaitText,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-probes");

const { results } = JSON.parse(
  readFileSync(new URL("../../models/probes.json", import.meta.url), "utf8"),
);
const index = JSON.parse(readFileSync(`${pageFolder}/models/index.json`, "utf8"));
const tag = "wf-probes";
const mean = (seeds) => {
  const values = Object.values(seeds);
  return values.reduce((a, b) => a + b) / values.length;
};

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session, { path: home });
});
after(() => session.close());

test("a task is selected by link or by click; it has every model, the best first", async () => {
  const { page, complaints } = reader;
  const figure = page.locator(tag);
  const { rows, task } = await numbersOf(page, tag);
  assert.equal(task, "copy");
  assert.equal(rows.length, Object.keys(results).length);
  for (const { scheme, score } of rows)
    assert.ok(Math.abs(score.mean - mean(results[scheme].copy)) < 1e-9, scheme);
  await figure.locator("wf-choice.task label").nth(3).click();
  const recall = await awaitNumbers(page, tag, (data) => data.task === "ordered_recall");
  const means = recall.rows.map(({ score }) => score.mean);
  assert.deepEqual(
    means,
    [...means].sort((a, b) => b - a),
  );
  assert.deepEqual(
    recall.rows.slice(0, 3).map(({ manner }) => manner),
    ["position", "position", "position"],
  );
  await page.waitForFunction(() => location.hash.includes("p=ordered_recall"));
  await awaitText(
    figure.locator("wf-frame .reading"),
    /3 of the 16 schemes that tell positions are right/,
  );
  await follow(page, fragment("zh", "&p=agent"));
  await awaitText(figure.locator("h3 span"), /狗咬人/);
  await awaitText(figure.locator("wf-frame .reading"), /只有掩码：50%；连掩码也没有：50%/);
  assert.deepEqual(complaints, []);
});

test("dots are walked by keyboard, and announce scheme, effect and accuracy", async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("en", "&p=agent"));
  await awaitNumbers(page, tag, (data) => data.task === "agent");
  const cell = page.locator(`${tag} [data-grid="schemes"]`);
  await cell.focus();
  assert.match(await cell.getAttribute("aria-label"), /^RoPE, acts on scores by distance: 95%/);
  await cell.press("ArrowDown");
  assert.match(await cell.getAttribute("aria-label"), /adds a vector to the word: 93%/);
  assert.deepEqual(complaints, []);
});

test("the table of all tasks can be sorted by each of them", async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("en"));
  const figure = page.locator(tag);
  await figure.locator("summary").click();
  const head = (index) => figure.locator("thead th").nth(index);
  await head(8).locator("button").click();
  assert.equal(await head(8).getAttribute("aria-sort"), "ascending");
  await head(8).locator("button").press("Enter");
  assert.equal(await head(8).getAttribute("aria-sort"), "descending");
  const first = await figure.locator("tbody th").first().textContent();
  assert.match(first, /RoPE/);
  assert.deepEqual(complaints, []);
});

test("without results the figure says that the folder has none", async () => {
  const { page, close } = await openPage(session, {
    path: home,
    prepare: async (page) => {
      const json = { ...index, experiments: ["length"] };
      await page.route("**/models/index.json", (route) => route.fulfill({ json }));
    },
  });
  await page.locator(tag).scrollIntoViewIfNeeded();
  await awaitText(page.locator(`${tag} wf-frame .reading`), /Nothing was measured/);
  await close();
});
