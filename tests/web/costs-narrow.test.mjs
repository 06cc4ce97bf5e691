// The measured costs on a phone, whose window is narrower than the table.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fragment, numbersOf, openBrowser, openPage, pathOfFigure } from "./browser.mjs";

const home = pathOfFigure("wf-costs");

const tag = "wf-costs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

test("on a phone the table shows that it continues beyond the edge", async () => {
  const { page, complaints, close } = await openPage(session, {
    path: home,
    // The smallest sizes that can be chosen.
    hash: fragment("en", "&k=64.16.2"),
    width: 390,
    isAlone: true,
  });
  await numbersOf(page, tag);
  const { mask, hidden } = await page.locator(`${tag} .numbers`).evaluate((node) => ({
    mask: getComputedStyle(node).maskImage,
    hidden: node.scrollWidth - node.clientWidth,
  }));
  assert.ok(hidden > 0);
  assert.match(mask, /gradient/);
  assert.deepEqual(complaints, []);
  await close();
});
