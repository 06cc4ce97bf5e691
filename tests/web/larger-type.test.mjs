// With the browser's type set larger, text is larger and nothing is cut off.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pages } from "../../scripts/build/prose.mjs";
import {
  bringIntoView,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  settled,
  smallCosts,
} from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const sizeOf = (locator) =>
  locator.evaluate((node) => Number.parseFloat(getComputedStyle(node).fontSize));

/** Sets the browser's type to twice its usual size. */
async function enlarge(page) {
  const tools = await page.context().newCDPSession(page);
  await tools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
}

const awaitRoot = (page, size) =>
  page.waitForFunction(
    (wanted) => getComputedStyle(document.documentElement).fontSize === wanted,
    size,
  );

/** In the page: elements beyond its right edge, and the width by which it scrolls sideways. */
function beyondEdge() {
  const { scrollWidth, clientWidth } = document.documentElement;
  const found = [];
  const visit = (parts, path) => {
    for (const part of parts) {
      if (!part.checkVisibility() || getComputedStyle(part).overflowX !== "visible") continue;
      const { left, right, width } = part.getBoundingClientRect();
      const name = `${path} ${part.localName}`;
      const end = Math.max(right, left + part.scrollWidth);
      const before = found.length;
      visit([...(part.shadowRoot?.children ?? []), ...part.children], name);
      // Only the innermost such elements are listed.
      if (width && end > clientWidth + 1 && !part.matches(".unseen") && found.length === before)
        found.push(`${name}: ${Math.round(end)} ${part.textContent.trim().slice(0, 40)}`);
    }
  };
  if (scrollWidth > clientWidth) visit(document.body.children, "");
  return { over: scrollWidth - clientWidth, found };
}

for (const [path, wake] of [
  ["", "wf-who-chases"],
  ["schemes/rope/", undefined],
])
  test(`type twice as large doubles prose and controls without scrolling: /${path}`, async () => {
    const { page, complaints, close } = await openPage(session, { hash: path, isAlone: true });
    const usual = await sizeOf(page.locator("html"));
    assert.equal(usual, 19);
    if (wake) await numbersOf(page, wake);
    const controls = page.locator(wake ? `${wake} wf-text-line` : ".facts").first();
    const small = await sizeOf(controls);
    await enlarge(page);
    await awaitRoot(page, "38px");
    assert.equal(await sizeOf(controls), 2 * small);
    for (const width of [1280, 640, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page.locator("main"));
      const { over, found } = await page.evaluate(beyondEdge);
      assert.equal(over, 0, `${width}:\n${found.join("\n")}`);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

/** Settings with which every figure shows its numbers. */
const asked = `${smallCosts}&lc=rope.learned`;

for (const { path, figures } of pages())
  test(`nothing scrolls sideways in type twice as large, in any width: /${path}`, async () => {
    const { page, complaints, close } = await openPage(session, {
      path,
      hash: fragment("en", asked),
      isAlone: true,
    });
    for (const tag of figures) await numbersOf(page, tag);
    // Places are kept for a while after the numbers; the first has been there from the beginning.
    for (const tag of figures.filter((one) => one !== "wf-word-swap"))
      await page.locator(`${tag}[filled]`).waitFor({ state: "attached" });
    await enlarge(page);
    for (const [language, lang, size] of [
      ["en", "en", "38px"],
      ["zh", "zh-Hans", "36px"],
    ]) {
      await follow(page, fragment(language, asked));
      await page.locator(`html[lang="${lang}"]`).waitFor();
      await awaitRoot(page, size);
      // Those far from the window say the same in another language when they come near it.
      for (const tag of figures) await bringIntoView(page.locator(tag));
      for (const width of [1280, 640, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page.locator("main"));
        const { over, found } = await page.evaluate(beyondEdge);
        assert.equal(over, 0, `${language}, ${width}:\n${found.join("\n")}`);
      }
    }
    assert.deepEqual(complaints, []);
    await close();
  });
