// Links to the sections: a list that opens on a phone, a line on a wide screen, plain links without
// scripts.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readSection, sectionNames } from "../../scripts/build/article.mjs";
import { brokenRules } from "./access-rules.mjs";
import { fragment, numbersOf, openBrowser, openPage } from "./browser.mjs";

const sections = sectionNames().map(readSection);
const numbered = sections.filter(({ number }) => number).map(({ id }) => id);

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const openPhone = async (language, options) => {
  const opened = await openPage(session, { hash: fragment(language), width: 390, ...options });
  await numbersOf(opened.page, "wf-word-swap");
  const bar = opened.page.locator("wf-bar");
  return { ...opened, button: bar.locator(".contents"), list: bar.locator(".list") };
};

const topOf = (page, selector) =>
  page.locator(selector).evaluate((node) => node.getBoundingClientRect().top);
const focused = (page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return (activeElement.shadowRoot?.activeElement ?? activeElement).textContent.trim();
  });

for (const [language, name, section] of [
  ["en", "Contents", "Angles"],
  ["zh", "目录", "角度"],
])
  test(`${language}: on a phone a button opens the list of links`, async () => {
    const { page, complaints, close, button, list } = await openPhone(language);
    assert.equal((await button.textContent()).trim(), name);
    assert.equal(await list.isVisible(), false);
    const before = await topOf(page, "main");
    await button.focus();
    await page.keyboard.press("Enter");
    await list.waitFor();
    assert.equal(await button.getAttribute("aria-expanded"), "true");
    const moved = Math.abs((await topOf(page, "main")) - before);
    assert.ok(moved <= 1, `the text moves by ${moved}`);
    const links = await list
      .locator("a")
      .evaluateAll((nodes) =>
        nodes.map((node) => [node.hash.slice(1), node.getBoundingClientRect().right]),
      );
    const ids = links.map(([id]) => id);
    assert.deepEqual(
      ids.filter((id) => numbered.includes(id)),
      numbered,
    );
    for (const [id, right] of links) assert.ok(right <= 390, `${id} ends at ${right}`);

    await list.getByText(section, { exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.id === "angle");
    assert.equal(await list.isVisible(), false);
    const top = await topOf(page, "#angle");
    assert.ok(top >= 0 && top < 200, `${top}`);

    await button.evaluate((node) => node.click());
    const current = list.locator("[aria-current]");
    assert.equal(
      (await current.textContent()).trim(),
      section,
      "not marked as the current section",
    );
    assert.deepEqual(complaints, []);
    await close();
  });

test("the list closes by Escape, by moving the focus away, and by a tap outside", async () => {
  const { page, close, button, list } = await openPhone("en");
  const closed = () => list.waitFor({ state: "hidden" });
  await button.focus();
  await page.keyboard.press("Enter");
  await list.locator("a").nth(3).focus();
  await page.keyboard.press("Escape");
  await closed();
  assert.equal(await focused(page), "Contents", "the focus is not on the button");

  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "Order", "the list does not follow its button");
  await list.locator("a").last().focus();
  await page.keyboard.press("Tab");
  await closed();
  assert.equal(await focused(page), "中文");

  await button.evaluate((node) => node.click());
  await list.waitFor();
  await page.mouse.click(200, 800);
  await closed();
  await close();
});

test("no rule of axe is broken while the list is open", async () => {
  const { page, close, button, list } = await openPhone("zh", { bypassCSP: true });
  await button.evaluate((node) => node.click());
  await list.waitFor();
  assert.deepEqual(await brokenRules(page), []);
  await close();
});

test("on a wide screen the sections are in the bar, and there is no button", async () => {
  const { page, close } = await openPage(session, { hash: fragment("en") });
  const bar = page.locator("wf-bar");
  await bar.locator(".sections a").first().waitFor();
  assert.equal(await bar.locator(".contents").isVisible(), false);
  await close();
});

for (const [path, parts] of [
  ["", "wf-bar .sections a, wf-bar button.language"],
  ["schemes/t5/", ".bar a"],
])
  test(`walking through the bar by keyboard keeps the scroll position: /${path}`, async () => {
    const { page, close } = await openPage(session, { hash: path });
    await page.locator(parts).first().waitFor();
    await page.evaluate(() => {
      document.documentElement.style.overflowAnchor = "none";
      scrollTo(0, 2000);
    });
    const place = await page.evaluate(() => scrollY);
    assert.ok(place > 1000, `${place}`);
    for (const part of (await page.locator(parts).all()).slice(0, 3)) {
      await part.focus();
      const there = await page.evaluate(() => scrollY);
      assert.ok(Math.abs(there - place) <= 1, `${there} instead of ${place}`);
    }
    await close();
  });

test("without a script plain links lead to the sections; with one they are hidden", async () => {
  for (const javaScriptEnabled of [false, true]) {
    const { page, close } = await openPage(session, { width: 390, javaScriptEnabled });
    const links = page.locator('wf-bar > nav[lang="en"] a');
    const hashes = await links.evaluateAll((nodes) => nodes.map(({ hash }) => hash.slice(1)));
    for (const id of hashes) assert.equal(await page.locator(`[id="${id}"]`).count(), 1, id);
    assert.deepEqual(
      hashes.filter((id) => numbered.includes(id)),
      numbered,
    );
    assert.equal(await links.first().isVisible(), !javaScriptEnabled);
    await close();
  }
});
