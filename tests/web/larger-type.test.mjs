// Readers who have set their browser to larger type get larger type, and nothing cut.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { numbersOf, openBrowser, openPage, settled } from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const sizeOf = (locator) =>
  locator.evaluate((node) => Number.parseFloat(getComputedStyle(node).fontSize));

for (const [path, wake] of [
  ["", "wf-who-chases"],
  ["schemes/rope/", undefined],
])
  test(`type twice as large doubles prose and controls, without scrolling: /${path}`, async () => {
    const { page, complaints, close } = await openPage(session, { hash: path, isAlone: true });
    const tools = await page.context().newCDPSession(page);
    const usual = await sizeOf(page.locator("html"));
    assert.equal(usual, 19);
    if (wake) await numbersOf(page, wake);
    const controls = page.locator(wake ? `${wake} wf-text-line` : ".facts").first();
    const small = await sizeOf(controls);
    await tools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
    await page.waitForFunction(
      () => getComputedStyle(document.documentElement).fontSize === "38px",
    );
    await settled(page.locator("main"));
    assert.equal(await sizeOf(controls), 2 * small);
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    assert.ok(scrollWidth <= clientWidth, `${scrollWidth} in ${clientWidth}`);
    assert.deepEqual(complaints, []);
    await close();
  });
