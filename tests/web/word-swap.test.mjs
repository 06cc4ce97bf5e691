// The first picture: a still before any script runs, live when the engine has loaded.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { awaitNumbers, awaitText, fragment, numbersOf, openBrowser, openPage } from "./browser.mjs";

const tag = "wf-word-swap";
const tokens = { en: ["cat", "chases", "mouse"], zh: ["猫", "追", "老鼠"] };
const close = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} and ${b}`);

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

/** Returns the numbers of the still picture in one language. */
const stillOf = (page, lang) =>
  page.locator(`${tag} .still[lang="${lang}"] tbody td`).allTextContents();

test("without scripts its sentence and its numbers are shown", async () => {
  const { page, close: end } = await openPage(session, { javaScriptEnabled: false });
  const shares = (await stillOf(page, "en")).map(Number);
  assert.equal(shares.length, 9);
  for (const row of [0, 3, 6]) {
    const sum = shares[row] + shares[row + 1] + shares[row + 2];
    close(sum, 1, 0.016);
  }
  assert.ok(await page.locator(`${tag} [lang="en"] table`).isVisible());
  assert.ok(await page.locator(`${tag} [lang="zh-Hans"] table`).isHidden());
  await end();
});

/** Returns the left edges of the columns and the top edges of the rows. */
const placesOf = (page) =>
  page.locator(tag).evaluate((figure) => {
    const of = (name, side) =>
      [...figure.renderRoot.querySelectorAll(`.${name}`)].map(
        (node) => node.getBoundingClientRect()[side],
      );
    return { columns: of("key", "left"), rows: of("query", "top") };
  });

for (const language of ["en", "zh"])
  test(`${language}: a word dragged past its neighbour moves its row and column`, async () => {
    const opened = await openPage(session, { hash: fragment(language), reducedMotion: "reduce" });
    const { page, complaints, close: end } = opened;
    const data = await numbersOf(page, tag, ({ values }) => values.length === 9);
    const lang = language === "en" ? "en" : "zh-Hans";
    const still = await stillOf(page, lang);
    // The engine of the build and that of the test agree.
    data.values.forEach((value, at) => {
      close(value, Number(still[at]), 0.0051);
    });
    const before = await placesOf(page);
    const [cat, chases, mouse] = await page.locator(`${tag} button`).all();
    const middle = async (button) => {
      const { x, y, width, height } = await button.boundingBox();
      return [x + width / 2, y + height / 2];
    };
    await page.mouse.move(...(await middle(cat)));
    await page.mouse.down();
    for (const button of [chases, mouse]) {
      const [x, y] = await middle(button);
      await page.mouse.move(x + 3, y, { steps: 6 });
    }
    await page.mouse.up();
    const moved = await awaitNumbers(page, tag, ({ positions }) => positions.join() === "2,0,1");
    // No number has changed, as computed by the engine.
    moved.values.forEach((value, at) => {
      close(value, data.values[at], 1e-5);
    });
    assert.ok(moved.largestDifference < 1e-5);
    const now = await placesOf(page);
    close(now.columns[0], before.columns[2], 0.5);
    close(now.rows[0], before.rows[2], 0.5);
    close(now.columns[1], before.columns[0], 0.5);
    const [first, second, third] = tokens[language];
    const sentence = [second, third, first].join(language === "en" ? " " : "");
    await awaitText(page.locator(`${tag} p.said`), new RegExp(sentence));
    assert.deepEqual(complaints, []);
    await end();
  });

test("by keyboard, too; a word's accessible name has its position", async () => {
  const { page, close: end } = await openPage(session, { hash: fragment("en") });
  await numbersOf(page, tag);
  const cat = page.locator(`${tag} button`).first();
  await cat.press("ArrowLeft");
  assert.match(await cat.getAttribute("aria-label"), /word 1 of 3/);
  await cat.press("ArrowRight");
  await awaitNumbers(page, tag, ({ positions }) => positions.join() === "1,0,2");
  assert.match(await cat.getAttribute("aria-label"), /word 2 of 3/);
  // It kept the focus.
  await page.keyboard.press("ArrowRight");
  await awaitNumbers(page, tag, ({ positions }) => positions.join() === "2,0,1");
  await end();
});

test("until the engine is there the still numbers stay, and the words move", async () => {
  const { page, close: end } = await openPage(session, {
    hash: fragment("en"),
    prepare: (page) => page.route("**/*.wasm", () => {}),
  });
  await page.waitForFunction((name) => document.querySelector(name).hasUpdated, tag);
  const still = await stillOf(page, "en");
  const shown = await page.locator(`${tag} .map [role=img]`).allTextContents();
  assert.deepEqual(
    shown.map((text) => text.trim()),
    still,
  );
  await page.locator(`${tag} button`).first().press("ArrowRight");
  await awaitText(page.locator(`${tag} p.said`), /on its way/);
  await end();
});
