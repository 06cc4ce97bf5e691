// Reading before the figures have loaded: the scroll position, or the target of a link, stays in
// place.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fragment, numbersOf, openBrowser, openPage, pathOfFigure, settled } from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

/** Opens the page without its figures, which load after a call of `release`. */
async function openBare(path = "", more = "") {
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  const prepare = (page) =>
    page.route("**/early-*.js", async (route) => {
      await gate;
      await route.continue();
    });
  return { ...(await openPage(session, { path, hash: fragment("en", more), prepare })), release };
}

const topOf = (page, selector) =>
  page.locator(selector).evaluate((node) => node.getBoundingClientRect().top);

/** Waits for five frames after a figure is defined; the first lays it out. */
const figuresDrawn = (page, tag) =>
  page.evaluate(async (name) => {
    await customElements.whenDefined(name);
    for (let frame = 0; frame < 5; frame++)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  }, tag);

// Tolerance in pixels: figures begin lower than their placeholders by their margins.
const margin = 40;

for (const [path, place, tag = place] of [
  ["", "#inside", "wf-real-heads"],
  ["", "wf-stretch"],
  [pathOfFigure("wf-surgery"), "wf-score-terms"],
  [pathOfFigure("wf-surgery"), "wf-surgery"],
]) {
  test(`a reader at ${place} stays there when the figures load`, async () => {
    const { page, complaints, close, release } = await openBare(path);
    await page.waitForFunction(() => document.documentElement.dataset.opening === undefined);
    await page.locator(place).evaluate((node) => node.scrollIntoView());
    const before = await topOf(page, place);
    release();
    await figuresDrawn(page, tag);
    const now = await topOf(page, place);
    assert.ok(Math.abs(now - before) < margin, `from ${before} to ${now}`);
    assert.deepEqual(complaints, []);
    await close();
  });
}

test("a link to a figure scrolls there, and stays when figures around grow", async () => {
  const { page, complaints, close, release } = await openBare(
    pathOfFigure("wf-surgery"),
    "&at=surgery",
  );
  release();
  await figuresDrawn(page, "wf-surgery");
  const before = await topOf(page, "#surgery");
  assert.ok(before >= 0 && before < 200, `${before}`);
  await page.waitForFunction(() => document.querySelector("wf-surgery").data, undefined, {
    timeout: 180_000,
  });
  const now = await topOf(page, "#surgery");
  assert.ok(Math.abs(now - before) < 2, `from ${before} to ${now}`);
  assert.deepEqual(complaints, []);
  await close();
});

for (const [width, place] of [
  [1280, "wf-turning-pairs"],
  [390, "wf-causal-order"],
]) {
  test(`${place} stays in place when the language changes, ${width} wide`, async () => {
    const { page, complaints, close } = await openPage(session, { width, isAlone: true });
    await page.locator("wf-who-chases").evaluate((node) => node.scrollIntoView());
    await page.waitForFunction((tag) => document.querySelector(tag)?.data, "wf-who-chases");
    await page.locator(place).evaluate((node) => node.scrollIntoView());
    await page.waitForFunction((tag) => document.querySelector(tag).data, place, {
      timeout: 180_000,
    });
    await page.locator(place).evaluate((node) => {
      node.scrollIntoView();
      scrollBy(0, -150);
    });
    // In one call, because content above may grow between two.
    const before = await page.evaluate((tag) => {
      const { top } = document.querySelector(tag).getBoundingClientRect();
      document.querySelector("wf-bar").shadowRoot.querySelector(".language").click();
      return top;
    }, place);
    await page.waitForFunction(() => document.documentElement.lang === "zh-Hans");
    const words = page.locator(`${place} wf-frame`).getByText(/\p{Script=Han}/u);
    await words.filter({ visible: true }).first().waitFor();
    await settled(page.locator(place));
    const now = await topOf(page, place);
    assert.ok(Math.abs(now - before) < 3, `from ${before} to ${now}`);
    // Scrolling by the reader ends the anchoring.
    const anchoring = () => page.evaluate(() => document.documentElement.style.overflowAnchor);
    assert.equal(await anchoring(), "none");
    await page.mouse.wheel(0, 300);
    await page.waitForFunction(() => document.documentElement.style.overflowAnchor === "");
    await page.waitForFunction(
      ([tag, top]) => Math.abs(document.querySelector(tag).getBoundingClientRect().top - top) > 250,
      [place, now],
    );
    assert.deepEqual(complaints, []);
    await close();
  });
}

test("a step in the bar can be undone; an empty address gives the first state", async () => {
  const { page, complaints, close } = await openPage(session, { hash: fragment("en", "&ap=rope") });
  await numbersOf(page, "wf-who-chases");
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator("wf-bar .contents").click();
  await page.locator("wf-bar .list ol a").nth(3).click();
  await page.waitForFunction(() => location.hash.includes("at=sockets") && scrollY > 500);
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes("at=") && scrollY < 100);
  assert.match(page.url(), /ap=rope/);
  const scheme = () => page.evaluate(() => document.querySelector("wf-who-chases").data.scheme);
  assert.equal(await scheme(), "rope");
  await page.evaluate(() => {
    location.hash = "";
  });
  await page.waitForFunction(() => document.querySelector("wf-who-chases").data.scheme === "nope");
  assert.deepEqual(complaints, []);
  await close();
});

test("the first Tab stop skips the bar", async () => {
  const { page, close } = await openPage(session);
  await page.waitForFunction(() => document.querySelector("wf-word-swap")?.data);
  await page.keyboard.press("Tab");
  const skip = page.locator("a.skip:lang(en)");
  assert.equal(await skip.evaluate((node) => node === document.activeElement), true);
  const box = await skip.boundingBox();
  assert.ok(box.x >= 0 && box.y >= 0, "the link is not visible while it has the focus");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.localName === "main");
  await close();
});
