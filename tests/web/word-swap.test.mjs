// The first picture: a still before any script runs, live when the engine has loaded.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { awaitNumbers, awaitText, fragment, numbersOf, openBrowser, openPage } from "./browser.mjs";

const tag = "wf-word-swap";
const count = { en: 5, zh: 3 };
const close = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} and ${b}`);

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

/** Returns the numbers of the still picture in one language: of both sentences, one by one. */
const stillOf = (page, lang) =>
  page.locator(`${tag} .still[lang="${lang}"] tbody td`).allTextContents();

test("without scripts its sentences and its numbers are shown", async () => {
  const { page, close: end } = await openPage(session, { javaScriptEnabled: false });
  const shares = (await stillOf(page, "en")).map(Number);
  assert.equal(shares.length, 2 * 5 * 5);
  for (let row = 0; row < shares.length; row += 5) {
    const sum = shares.slice(row, row + 5).reduce((one, other) => one + other);
    close(sum, 1, 0.026);
  }
  assert.ok(await page.locator(`${tag} [lang="en"] table`).first().isVisible());
  assert.ok(await page.locator(`${tag} [lang="en"] .look`).first().isVisible());
  assert.ok(await page.locator(`${tag} [lang="zh-Hans"] table`).first().isHidden());
  await end();
});

/** Returns the left edges of the columns and the top edges of the rows of the map, by token. */
const edgesOf = (page) =>
  page.locator(tag).evaluate((figure) => {
    const of = (name, side) =>
      [...figure.renderRoot.querySelectorAll(`.map .${name}`)].map(
        (node) => node.getBoundingClientRect()[side],
      );
    return { columns: of("key", "left"), rows: of("query", "top") };
  });

/** The words of a bag, with their positions if the layer has any. */
const bagOf = (page, line) => page.locator(`${tag} .bag.${line} span`).allTextContents();

for (const language of ["en", "zh"])
  test(`${language}: a word is carried to another one, and no weight changes`, async () => {
    const opened = await openPage(session, { hash: fragment(language, "&o=0.1.2") });
    const { page, complaints, close: end } = opened;
    const size = count[language];
    const data = await numbersOf(page, tag, ({ values }) => values.length === size * size);
    const lang = language === "en" ? "en" : "zh-Hans";
    const still = (await stillOf(page, lang)).slice(0, size * size);
    // The engine of the build and that of the test agree.
    data.values.forEach((value, at) => {
      close(value, Number(still[at]), 0.0051);
    });
    const [cat, , mouse] = await page.locator(`${tag} button.word`).all();
    const middle = async (button) => {
      const { x, y, width, height } = await button.boundingBox();
      return [x + width / 2, y + height / 2];
    };
    const [[fromX, fromY], [toX, toY]] = [await middle(cat), await middle(mouse)];
    await page.mouse.move(fromX, fromY);
    await page.mouse.down();
    await page.mouse.move(toX + 3, toY + 40, { steps: 6 });
    // It is where the pointer is.
    const [heldX, heldY] = await middle(cat);
    close(heldX, toX + 3, 1.5);
    close(heldY, toY + 40, 1.5);
    await page.mouse.up();
    const moved = await awaitNumbers(page, tag, ({ positions }) => positions.join() === "2,1,0");
    // No number has changed, as computed by the engine.
    moved.values.forEach((value, at) => {
      close(value, data.values[at], 1e-5);
    });
    assert.ok(moved.largestDifference < 1e-5);
    close((await middle(cat))[0], toX, 1);
    close((await middle(mouse))[0], fromX, 1);
    assert.deepEqual(await bagOf(page, "a"), await bagOf(page, "b"));
    await awaitText(page.locator(`${tag} p.said`), /rounding|舍入/);
    assert.deepEqual(complaints, []);
    await end();
  });

test("told where the words are, the bags and the weights differ", async () => {
  const { page, complaints, close: end } = await openPage(session, { hash: fragment("en") });
  await numbersOf(page, tag, ({ scheme }) => scheme === "nope");
  await page.locator(`${tag} [role=switch]`).click();
  const { largestDifference } = await awaitNumbers(page, tag, ({ scheme }) => scheme === "rope");
  assert.ok(largestDifference > 0.1);
  await awaitText(page.locator(`${tag} p.said`), /two different bags.*differ by up to 0\.\d/);
  assert.deepEqual(await bagOf(page, "a"), ["the0", "cat1", "chases2", "the3", "mouse4"]);
  assert.deepEqual(await bagOf(page, "b"), ["the0", "cat4", "chases2", "the3", "mouse1"]);
  await page.waitForFunction(() => /os=rope/.test(location.hash));
  assert.deepEqual(complaints, []);
  await end();
});

test("rows and columns of the map in numbers move with the words", async () => {
  const hash = fragment("en", "&ov=numbers&o=0.1.2");
  const { page, close: end } = await openPage(session, { hash });
  await numbersOf(page, tag);
  const before = await edgesOf(page);
  await page.locator(tag).evaluate((figure) => {
    figure.order = [2, 1, 0];
  });
  await awaitNumbers(page, tag, ({ positions }) => positions.join() === "2,1,0");
  const now = await edgesOf(page);
  close(now.columns[1], before.columns[4], 0.5);
  close(now.rows[1], before.rows[4], 0.5);
  close(now.columns[2], before.columns[2], 0.5);
  await page.locator(`${tag} button.numbers`).click();
  assert.ok(await page.locator(`${tag} .stage`).isVisible());
  await end();
});

test("by keyboard, too; a word's accessible name has its position", async () => {
  const { page, close: end } = await openPage(session, { hash: fragment("en", "&o=0.1.2") });
  await numbersOf(page, tag);
  const cat = page.locator(`${tag} button.word`).first();
  await cat.press("ArrowLeft");
  assert.match(await cat.getAttribute("aria-label"), /word 2 of 5/);
  await cat.press("ArrowRight");
  await awaitNumbers(page, tag, ({ positions }) => positions.join() === "1,0,2");
  assert.match(await cat.getAttribute("aria-label"), /word 3 of 5/);
  // It kept the focus.
  await page.keyboard.press("ArrowRight");
  await awaitNumbers(page, tag, ({ positions }) => positions.join() === "2,0,1");
  await end();
});

const running = (page) =>
  page.locator(tag).evaluate((figure) => figure.renderRoot.getAnimations().length);

test("it plays once in view, again if asked, and never with reduced motion", async () => {
  const isPlaying = (name) =>
    document
      .querySelector(name)
      .renderRoot?.getAnimations()
      .some(({ effect }) => effect.target.closest(".bag"));
  const { page, close: end } = await openPage(session, {
    hash: fragment("en"),
    reducedMotion: "no-preference",
  });
  await page.waitForFunction(isPlaying, tag);
  await page.waitForFunction(
    (name) => !document.querySelector(name).renderRoot.getAnimations().length,
    tag,
  );
  await page.locator(`${tag} button.replay`).click();
  await page.waitForFunction(isPlaying, tag);
  await end();
  const still = await openPage(session, { hash: fragment("en") });
  await numbersOf(still.page, tag);
  await still.page.waitForFunction((name) => document.querySelector(name).take, tag);
  assert.equal(await running(still.page), 0);
  await still.close();
});

test("until the engine is there the still numbers stay, and the words move", async () => {
  const { page, close: end } = await openPage(session, {
    hash: fragment("en"),
    prepare: (page) => page.route("**/*.wasm", () => {}),
  });
  await page.waitForFunction((name) => document.querySelector(name).hasUpdated, tag);
  const still = await stillOf(page, "en");
  const shown = await page.locator(`${tag} .sentence .share`).allTextContents();
  // Rows of the word whose arcs are drawn: the second one of the first sentence, the last of the
  // other, in which the second and the last word have changed places.
  const [first, second] = [still.slice(5, 10), still.slice(45, 50)];
  const [a, b, c, d, e] = second;
  assert.deepEqual(shown, [...first, a, e, c, d, b]);
  await page.locator(`${tag} button.word`).first().press("ArrowLeft");
  await awaitText(page.locator(`${tag} p.said`), /on its way/);
  await end();
});
