// The model index in a browser: sorted by pointer and keyboard, in both languages, on a phone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fragment, openBrowser, openPage } from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const open = (language, options = {}) =>
  openPage(session, { path: "tools/models/", hash: fragment(language), ...options });

/** The first cells of the shown table, from the top, and its sorted column. */
const tableOf = (page) =>
  page.evaluate(() => {
    const table = [...document.querySelectorAll(".models table")].find(
      ({ offsetHeight }) => offsetHeight > 0,
    );
    const cell = (column) => [...table.tBodies[0].rows].map((row) => row.cells[column].textContent);
    const sorted = table.querySelector("th[aria-sort]");
    return {
      names: cell(0),
      years: cell(1).map(Number),
      sorted: [sorted.cellIndex, sorted.ariaSort],
    };
  });

for (const [language, name] of [
  ["en", "Model"],
  ["zh", "模型"],
])
  test(`${language}: columns are sorted by pointer and keyboard`, async () => {
    const { page, complaints, close } = await open(language);
    const button = page.locator(".models button:visible", { hasText: name }).first();
    await button.click();
    const byName = await tableOf(page);
    assert.deepEqual(byName.sorted, [0, "ascending"]);
    assert.match(byName.names[0], /^ALBERT/);
    await page.keyboard.press("Enter");
    const backwards = await tableOf(page);
    assert.deepEqual(backwards.sorted, [0, "descending"]);
    assert.deepEqual(backwards.names, [...byName.names].reverse());
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    const { years, sorted } = await tableOf(page);
    assert.deepEqual(sorted, [1, "descending"]);
    assert.deepEqual(
      years,
      [...years].sort((a, b) => b - a),
    );
    assert.deepEqual(complaints, []);
    await close();
  });

test("on a phone the table scrolls, and the page does not", async () => {
  const { page, close } = await open("zh", { width: 360 });
  await page.locator(".models button:visible").first().waitFor();
  const { pageWidth, room, table } = await page.evaluate(() => {
    const place = [...document.querySelectorAll(".models")].find(
      ({ offsetHeight }) => offsetHeight,
    );
    return {
      pageWidth: document.documentElement.scrollWidth,
      room: place.clientWidth,
      table: place.scrollWidth,
    };
  });
  assert.ok(pageWidth <= 360, `${pageWidth}`);
  assert.ok(table > room, `${table}, ${room}`);
  await close();
});

test("without a script the table is there, from the newest to the oldest", async () => {
  const { page, close } = await open("en", { javaScriptEnabled: false });
  assert.equal(await page.locator(".models button").count(), 0);
  assert.ok(await page.locator(".models table").first().isVisible());
  await close();
});
