// Curves measured beforehand: hidden until asked for, drawn from the file, gaps where a table ends.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { lengthFile } from "../modules/length-file.mjs";
import { brokenRules } from "./access-rules.mjs";
import {
  awaitText,
  bringIntoView,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  settled,
} from "./browser.mjs";

const tag = "wf-length-curves";
let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

async function open({ more = "", language = "en", experiments = ["length"], ...rest } = {}) {
  const index = { schemes: ["nope"], heads: [], experiments };
  const asked = [];
  const prepare = async (page) => {
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.route("**/models/index.json", (route) => route.fulfill({ json: index }));
    await page.route("**/models/length.json", (route) => route.fulfill({ json: lengthFile }));
  };
  const opened = await openPage(session, { hash: fragment(language, more), prepare, ...rest });
  return { ...opened, asked };
}

test("a sentence further on that speaks of a line shows that line", async () => {
  const { page, complaints, close } = await open();
  for (const scheme of ["rope", "learned"]) {
    await page.locator(`a[data-shows="curveSchemes:${scheme}"]:visible`).click();
    const { chosen } = await numbersOf(page, tag, (data) => data.chosen.includes(scheme));
    assert.deepEqual(chosen, [scheme]);
    await page.waitForFunction((id) => location.hash.includes(`lc=${id}`), scheme);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("hidden until asked for; then the schemes of the guess, with their numbers", async () => {
  const { page, asked, complaints, close } = await open();
  const figure = page.locator(tag);
  await bringIntoView(figure);
  await figure.locator("button.show").waitFor();
  const filesAsked = () => asked.filter((path) => path.endsWith("length.json")).length;
  assert.equal(filesAsked(), 0, "nothing is fetched that nobody asked for");
  assert.equal(await figure.locator("wf-scene").count(), 0);
  assert.doesNotMatch(await figure.locator("figure").textContent(), /\d\.\d\d/);

  await figure.locator("button.show").click();
  const { chosen, curves } = await numbersOf(page, tag);
  assert.equal(filesAsked(), 1);
  assert.deepEqual(chosen, ["nope", "learned", "rope", "alibi"]);
  assert.ok(Math.abs(curves.rope.zh[2].mean - 10) < 1e-9);
  assert.equal(
    await figure.locator("h3").textContent(),
    "At 4 times the training length, ALiBi does best in both languages",
  );
  const reading = await figure.locator(".reading").textContent();
  assert.match(reading, /on English NoPE \+0\.20, RoPE \+1\.20, ALiBi \+0\.00; on Chinese/);
  assert.match(reading, /From 128 tokens on, Learned positions is not defined/);
  await figure.locator("summary").click();
  const row = figure.locator("table").nth(1).locator("tbody tr").nth(1);
  assert.match(
    (await row.textContent()).replace(/\s+/g, " "),
    /Learned positions 8\.10 ± 0\.10 ?not defined ?not defined/,
  );

  // The numbers stand in a table, cell by cell, for whoever does not see the chart.
  const cell = figure.locator("[role=gridcell]").first();
  await cell.focus();
  await page.keyboard.press("End");
  await awaitText(
    figure.locator("wf-scene [role=status]").first(),
    "NoPE, 256 tokens: 2.20 bits a character, 2.10 to 2.30 over 3 seeds",
  );
  await page.waitForFunction(() => location.hash.includes("lc=nope.learned.rope.alibi"));
  assert.deepEqual(complaints, []);
  await close();
});

let reader;

/** One page, with its tables open, in which several tests look at the figure. */
async function readerAt(language, { width = 1280, colorScheme = "light" } = {}) {
  const all = "&lc=nope.learned.rope.alibi";
  if (!reader) {
    reader = await open({ more: all, bypassCSP: true });
    await numbersOf(reader.page, tag);
    await reader.page.locator(`${tag} summary`).click();
  }
  const { page } = reader;
  await follow(page, fragment(language, all));
  await page.waitForFunction((lang) => document.documentElement.lang.startsWith(lang), language);
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  await numbersOf(page, tag);
  assert.ok(await page.locator(`${tag} details[open] table`).first().isVisible());
  await settled(page.locator(tag));
  return page;
}

for (const colorScheme of ["light", "dark"])
  test(`${colorScheme}: no rule of axe is broken`, async () => {
    const page = await readerAt("en", { colorScheme });
    assert.deepEqual(await brokenRules(page, tag), []);
  });

for (const [language, width] of [
  ["en", 360],
  ["zh", 390],
  ["en", 1240],
])
  test(`${language}, ${width} wide: nothing scrolls sideways`, async () => {
    const page = await readerAt(language, { width });
    const excess = await page.evaluate(() => {
      const root = document.documentElement;
      return root.scrollWidth - root.clientWidth;
    });
    assert.equal(excess, 0);
  });

test("other schemes can be chosen, and trained in the figure above", async () => {
  const { page, complaints, close } = await open({ more: "&lc=rope", language: "zh" });
  assert.deepEqual((await numbersOf(page, tag)).chosen, ["rope"]);
  const figure = page.locator(tag);
  assert.equal(await figure.locator("button.reproduce").count(), 0, "one alone is no comparison");
  assert.equal(await figure.locator("wf-several input:checked:disabled").count(), 1);
  await figure.locator('wf-several input[value="alibi"]').check();
  await numbersOf(page, tag, ({ chosen }) => chosen.length === 2);
  await figure.locator("button.reproduce").click();
  await page.waitForFunction(() => location.hash.includes("ls=rope.alibi"));
  const trained = page.locator("wf-train-short wf-several input:checked");
  await trained.first().waitFor();
  assert.deepEqual(await trained.evaluateAll((list) => list.map(({ value }) => value)), [
    "alibi",
    "rope",
  ]);
  assert.deepEqual(complaints, []);
  await close();
});

test("without results the figure says that this copy of the page has none", async () => {
  const { page, asked, complaints, close } = await open({ experiments: [], more: "&lc=rope" });
  assert.deepEqual(await numbersOf(page, tag), { isMissing: true });
  assert.match(
    await page.locator(`${tag} .hidden`).textContent(),
    /this copy of the page came without them/,
  );
  assert.deepEqual(
    asked.filter((path) => path.endsWith("length.json")),
    [],
  );
  assert.deepEqual(complaints, []);
  await close();
});
