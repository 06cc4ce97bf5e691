// Readers who are quicker than the figures: where they are, and where a link sends them, is where
// they stay.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fragment, openBrowser, openPage } from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

/** The page without its figures, until `release` lets them come. */
async function openBare(more = "") {
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  const prepare = (page) =>
    page.route("**/elements-*.js", async (route) => {
      await gate;
      await route.continue();
    });
  return { ...(await openPage(session, { hash: fragment("en", more), prepare })), release };
}

const topOf = (page, selector) =>
  page.locator(selector).evaluate((node) => node.getBoundingClientRect().top);

/** Two frames after the last figure was defined: the first puts things in place. */
const figuresDrawn = (page) =>
  page.evaluate(async () => {
    await customElements.whenDefined("wf-costs");
    for (let frame = 0; frame < 3; frame++)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  });

// Figures begin a little lower than their places did, by their margins.
const margin = 40;

for (const place of ["#heads", "wf-scheme-gallery", "wf-score-terms", "wf-surgery", "wf-costs"]) {
  test(`who is at ${place} before the figures have come stays there`, async () => {
    const { page, complaints, close, release } = await openBare();
    await page.locator(place).evaluate((node) => node.scrollIntoView());
    const before = await topOf(page, place);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    release();
    await figuresDrawn(page);
    assert.notEqual(await page.evaluate(() => document.documentElement.scrollHeight), height);
    const now = await topOf(page, place);
    assert.ok(Math.abs(now - before) < margin, `from ${before} to ${now}`);
    assert.deepEqual(complaints, []);
    await close();
  });
}

test("a link to a figure opens there, and is there still when the figures around it have grown", async () => {
  const { page, complaints, close, release } = await openBare("&at=surgery");
  release();
  await figuresDrawn(page);
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
