// A row of options stays where it is while its options are chosen one after the other.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fragment, numbersOf, openBrowser, openPage, pathOfFigure } from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

test("the methods of stretching", async () => {
  const tag = "wf-stretch";
  const path = pathOfFigure(tag);
  const { page, close } = await openPage(session, { path, hash: fragment("en", "&xm=none&xf=4") });
  await numbersOf(page, tag, ({ method }) => method === "none");
  const row = page.locator(`${tag} wf-choice.method`);
  const tops = [];
  for (const method of ["linear", "ntk", "yarn", "longrope"]) {
    await page.locator(tag).evaluate((figure, value) => {
      figure.method = value;
    }, method);
    await numbersOf(page, tag, (data) => data.method === method);
    const { y } = await row.boundingBox();
    const frame = await page.locator(`${tag} wf-frame`).boundingBox();
    tops.push(Math.round(y - frame.y));
  }
  assert.equal(new Set(tops).size, 1, tops.join(" "));
  await close();
});
