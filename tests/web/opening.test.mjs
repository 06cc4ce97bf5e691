// What lies below the first screens is laid out when the first figure lives, or the reader goes on.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { awaitNumbers, fragment, openBrowser, openPage } from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const sections = "main > section";

/** How many sections are left, as the browser computes it. */
const left = (page) =>
  page
    .locator(sections)
    .evaluateAll(
      (all) => all.filter((one) => getComputedStyle(one).contentVisibility !== "visible").length,
    );
const allAreLaidOut = (page) =>
  page.waitForFunction(() => document.documentElement.dataset.opening === undefined);

/** Keeps the engines from coming. */
const withoutEngine = (page) => page.route(/\.wasm$/, () => {});

test("while the first figure waits, three sections are laid out, on paper all", async () => {
  const { page, complaints, close } = await openPage(session, { prepare: withoutEngine });
  const count = await page.locator(sections).count();
  assert.equal(await left(page), count - 3);
  await page.emulateMedia({ media: "print" });
  assert.equal(await left(page), 0);
  await page.emulateMedia({ media: "screen" });
  await page.mouse.wheel(0, 300);
  await allAreLaidOut(page);
  assert.equal(await left(page), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("when it lives all are, and who comes to a place finds all of them", async () => {
  const { page, close } = await openPage(session);
  await awaitNumbers(page, "wf-word-swap");
  await allAreLaidOut(page);
  assert.equal(await left(page), 0);
  await close();
  for (const hash of [fragment("en", "&at=wf-costs"), "#cost"]) {
    const placed = await openPage(session, { hash, prepare: withoutEngine });
    assert.equal(await left(placed.page), 0);
    await placed.close();
  }
});
