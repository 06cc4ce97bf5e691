// The first screens are laid out first, the rest of the article while the figures load.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fragment, openBrowser, openPage } from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const sections = "main > section";

/** Returns the number of sections that are not laid out yet, by their computed style. */
const left = (page) =>
  page
    .locator(sections)
    .evaluateAll(
      (all) => all.filter((one) => getComputedStyle(one).contentVisibility !== "visible").length,
    );

/** Replaces the page's script by an empty one. */
const unscripted = (page) =>
  page.route(/\/index-[^/]*\.js$/, (route) =>
    route.fulfill({ contentType: "text/javascript", body: "" }),
  );
/** Leaves requests for the first figure and the engine without a response. */
const unfigured = (page) => page.route(/\/early-[^/]*\.js$|\.wasm$/, () => {});

test("at first three sections are laid out, on paper all of them", async () => {
  const { page, close } = await openPage(session, { prepare: unscripted });
  const count = await page.locator(sections).count();
  assert.equal(await left(page), count - 3);
  await page.emulateMedia({ media: "print" });
  assert.equal(await left(page), 0);
  await close();
});

test("then all are laid out, without waiting for a figure", async () => {
  const { page, complaints, close } = await openPage(session, {
    prepare: unfigured,
  });
  await page.waitForFunction(() => document.documentElement.dataset.opening === undefined);
  assert.equal(await left(page), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("who comes to a place finds all of them at once", async () => {
  for (const hash of [fragment("en", "&at=which"), "#which"]) {
    const { page, close } = await openPage(session, { hash, prepare: unscripted });
    assert.equal(await left(page), 0);
    await close();
  }
});
