// Curves measured in advance: hidden until the reader's guess, drawn from the file, with gaps where
// a table ends.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { lengthFile } from "../modules/length-file.mjs";
import { brokenRules } from "./access-rules.mjs";
import {
  awaitText,
  bringIntoView,
  follow,
  fragment,
  laterFaces,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
  settled,
} from "./browser.mjs";

const home = pathOfFigure("wf-length-curves");

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
  const opened = await openPage(session, {
    path: home,
    hash: fragment(language, more),
    prepare,
    ...rest,
  });
  return { ...opened, asked };
}

test("a sentence of another page about a curve shows that curve", async () => {
  for (const scheme of ["alibi", "learned"]) {
    const { page, complaints, close } = await open({ path: "tools/myths/" });
    await page.locator(`a[data-shows="curveSchemes:${scheme}"]:visible`).click();
    await page.waitForURL(`**/${home}**`);
    const { chosen } = await numbersOf(page, tag, (data) => data.chosen.includes(scheme));
    assert.deepEqual(chosen, [scheme]);
    await page.waitForFunction((id) => location.hash.includes(`lc=${id}`), scheme);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("hidden until the guess; then the guessed schemes, with their numbers", async () => {
  const { page, asked, complaints, close } = await open();
  const figure = page.locator(tag);
  await bringIntoView(figure);
  await figure.locator("button.show").waitFor();
  const filesAsked = () => asked.filter((path) => path.endsWith("length.json")).length;
  assert.equal(filesAsked(), 0, "results are loaded before they are needed");
  assert.equal(await figure.locator("wf-scene").count(), 0);
  assert.doesNotMatch(await figure.locator("figure").textContent(), /\d\.\d\d/);

  await figure.locator("button.show").click();
  const { chosen, curves } = await numbersOf(page, tag);
  assert.equal(filesAsked(), 1);
  assert.deepEqual(chosen, ["sinusoidal", "learned", "rope", "alibi"]);
  assert.ok(Math.abs(curves.rope.zh[2].mean - 10) < 1e-9);
  assert.equal(
    await figure.locator("h3").textContent(),
    "At 4 times the training length, Sandwich does best on English, ALiBi on Chinese",
  );
  const reading = await figure.locator(".reading").textContent();
  const onEnglish = "Sinusoidal positions +0.80, RoPE +1.20, ALiBi +0.00, Sandwich −0.03";
  assert.ok(reading.includes(`on English ${onEnglish}; on Chinese`), reading);
  assert.match(reading, /From 128 tokens on, Learned positions is not defined/);
  await figure.locator("summary").click();
  const row = figure.locator("table").nth(1).locator("tbody tr").nth(2);
  assert.match(
    (await row.textContent()).replace(/\s+/g, " "),
    /Learned positions 8\.10 ± 0\.10 ?not defined ?not defined/,
  );

  // A table has the numbers for readers who cannot see the chart.
  const cell = figure.locator("[role=gridcell]").first();
  await cell.focus();
  await page.keyboard.press("End");
  await awaitText(
    figure.locator("wf-scene [role=status]").first(),
    "Sinusoidal positions, 256 tokens: 2.70 bits a character, 2.60 to 2.80 over 3 seeds",
  );
  await page.waitForFunction(() => location.hash.includes("lc=sinusoidal.learned.rope.alibi"));
  assert.deepEqual(complaints, []);
  await close();
});

let reader;

/** Returns the page that several tests share, with its tables open. */
async function readerAt(language, { width = 1280, colorScheme = "light" } = {}) {
  const all = "&lc=nope.sinusoidal.learned.rope.alibi";
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

/** In the page: boxes of a picture's texts, and the picture's width. */
function textBoxes(view) {
  const { picture } = view;
  const ruler = document.createElement("canvas").getContext("2d");
  const boxes = picture.marks.flatMap((mark) => {
    if (mark.kind !== "text") return [];
    const { text, x, y, size, weight = 400, align = "left" } = mark;
    ruler.font = `${weight} ${size}px ${picture.faces}`;
    const { width } = ruler.measureText(text);
    const left = x - { left: 0, center: width / 2, right: width }[align];
    return [{ text, left, right: left + width, top: y - size * 0.75, bottom: y + size * 0.2 }];
  });
  return { boxes, width: view.clientWidth };
}

for (const [language, width] of [
  ["en", 360],
  ["zh", 390],
  ["en", 1280],
  ["zh", 1280],
])
  test(`${language}, ${width} wide: no curve's name is cut off or overlaps a text`, async () => {
    const page = await readerAt(language, { width });
    await laterFaces(page);
    const { named } = await numbersOf(page, tag);
    // The five selected schemes, and the best for English.
    assert.equal(named.length, 6);
    const view = page.locator(`${tag} wf-scene`);
    const { boxes, width: whole } = await view.evaluate(textBoxes);
    for (const name of ["ALiBi", "Sandwich"])
      assert.equal(boxes.filter(({ text }) => text === name).length, 2, name);
    for (const [index, a] of boxes.entries()) {
      assert.ok(a.left >= -0.5 && a.right <= whole + 0.5, `${a.text} is cut off`);
      for (const b of boxes.slice(0, index)) {
        const isApart =
          a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
        assert.ok(isApart, `${a.text} overlaps ${b.text}`);
      }
    }
  });

test("other schemes can be selected, and trained in the figure above", async () => {
  const { page, complaints, close } = await open({ more: "&lc=rope", language: "zh" });
  assert.deepEqual((await numbersOf(page, tag)).chosen, ["rope"]);
  const figure = page.locator(tag);
  assert.equal(
    await figure.locator("button.reproduce").count(),
    0,
    "a single scheme can be selected",
  );
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
