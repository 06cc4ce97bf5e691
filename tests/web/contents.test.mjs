// The ways through the site: the bar with its parts, the list of sections and tools that opens
// under it, plain links without a script, and addresses that led into the article before.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pages, readSection, sectionNames } from "../../scripts/build/prose.mjs";
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
    let { activeElement } = document;
    while (activeElement.shadowRoot?.activeElement)
      activeElement = activeElement.shadowRoot.activeElement;
    return activeElement.textContent.trim();
  });

for (const [language, name, section] of [
  ["en", "Contents", "The angle"],
  ["zh", "目录", "角度"],
])
  test(`${language}: on a phone a button opens the list of links`, async () => {
    const { page, complaints, close, button, list } = await openPhone(language);
    assert.equal((await button.textContent()).trim().split(":")[0], name);
    assert.equal(await list.isVisible(), false);
    const before = await topOf(page, "main");
    await button.focus();
    await page.keyboard.press("Enter");
    await list.waitFor();
    assert.equal(await button.getAttribute("aria-expanded"), "true");
    const moved = Math.abs((await topOf(page, "main")) - before);
    assert.ok(moved <= 1, `the text moves by ${moved}`);
    const links = await list
      .locator("ol a")
      .evaluateAll((nodes) =>
        nodes.map((node) => [node.hash.slice(1), node.getBoundingClientRect().right]),
      );
    const ids = links.map(([id]) => id);
    assert.deepEqual(
      ids.filter((id) => numbered.includes(id)),
      numbered,
    );
    for (const [id, right] of links) assert.ok(right <= 390, `${id} ends at ${right}`);

    await list.locator("ol a", { hasText: section }).focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.id === "angle");
    assert.equal(await list.isVisible(), false);
    const top = await topOf(page, "#angle");
    assert.ok(top >= 0 && top < 200, `${top}`);

    await button.evaluate((node) => node.click());
    const current = list.locator("[aria-current=location]");
    assert.match(await current.textContent(), new RegExp(`${section}\\s*$`), "where the reader is");
    assert.deepEqual(complaints, []);
    await close();
  });

test("the list closes by Escape, by moving the focus away, and by a tap outside", async () => {
  const { page, close, button, list } = await openPhone("en");
  const closed = () => list.waitFor({ state: "hidden" });
  await button.focus();
  await page.keyboard.press("Enter");
  await list.waitFor();
  await list.locator("a").nth(3).focus();
  await page.keyboard.press("Escape");
  await closed();
  assert.match(await focused(page), /^Contents/, "the focus is back on the button");

  await page.keyboard.press("Enter");
  await list.waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "Essay", "the list comes after its button");
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

test("on a desk the bar has the parts of the site, the section and how much is read", async () => {
  const { page, close } = await openPage(session, { hash: fragment("en") });
  const bar = page.locator("wf-bar");
  await bar.locator(".parts a").first().waitFor();
  assert.deepEqual(await bar.locator(".parts a").allTextContents(), [
    "Essay",
    "Schemes",
    "Tools",
    "Use it",
  ]);
  const current = bar.locator(".parts [aria-current=page]");
  assert.deepEqual(await current.allTextContents(), ["Essay"]);
  const share = () =>
    bar.locator(".progress").evaluate((node) => new DOMMatrix(node.style.transform).a);
  assert.equal(await share(), 0);
  await page.evaluate(() => document.getElementById("angle").scrollIntoView());
  await bar.locator(".contents", { hasText: "6 The angle" }).waitFor();
  const [now, scrolled] = [
    await share(),
    await page.evaluate(() => scrollY / (document.documentElement.scrollHeight - innerHeight)),
  ];
  assert.ok(Math.abs(now - scrolled) < 0.1, `${now}, ${scrolled}`);
  await close();
});

test("each section says how long it takes, and leads past itself", async () => {
  const { page, close } = await openPage(session);
  const lines = page.locator('.section-line[lang="en"]');
  assert.equal(await lines.count(), numbered.length);
  // A section says its minutes unless they are those of the section before it.
  const said = (await lines.allTextContents()).map((line) => /^\d+/.exec(line)?.[0]);
  const minutes = said.filter(Boolean).map(Number);
  assert.ok(minutes.length > numbered.length / 2, said.join());
  assert.deepEqual(
    minutes,
    [...new Set(minutes)].sort((a, b) => b - a),
  );
  await lines.nth(1).locator("a").click();
  await page.waitForFunction((id) => location.hash === `#${id}`, numbered[2]);
  await close();
});

test("an address of the article leads to the page that has the place now", async () => {
  const tools = pages().slice(1);
  const at = (id) => tools.find(({ ids }) => ids.includes(id)).path;
  for (const [hash, path] of [
    ["#curves", at("curves")],
    [fragment("zh", "&mb=500000&at=surgery"), at("surgery")],
    ["#mask", ""],
  ]) {
    const { page, complaints, close } = await openPage(session, { hash, isAlone: true });
    await page.waitForURL(`${session.address}${path}**`);
    assert.equal(page.url(), session.address + path + hash);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("a link to another page takes the reader's language and choices along", async () => {
  const { page, close } = await openPage(session, { hash: fragment("zh", "&mb=500000") });
  await page.locator("wf-bar .parts a").first().waitFor();
  await page.locator('main a[href*="tools/schemes/"]:visible').first().click();
  await page.waitForURL("**/tools/schemes/**");
  assert.match(page.url(), /#v=1&l=zh&mb=500000&at=schemes$/);
  await page.locator("wf-bar .parts a", { hasText: "文章" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  assert.match(page.url(), /l=zh&mb=500000/);
  await close();
});

for (const [path, parts] of [
  ["", "wf-bar .parts a, wf-bar button.language"],
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
    const sectionLinks = page.locator('wf-bar > nav[lang="en"] a[data-section]');
    const hashes = await sectionLinks.evaluateAll((nodes) =>
      nodes.map(({ hash }) => hash.slice(1)),
    );
    for (const { path } of pages().slice(1))
      assert.ok(await page.locator(`wf-bar > nav[lang="en"] a[href="${path}"]`).count(), path);
    for (const id of hashes) assert.equal(await page.locator(`[id="${id}"]`).count(), 1, id);
    assert.deepEqual(
      hashes.filter((id) => numbered.includes(id)),
      numbered,
    );
    assert.equal(await links.first().isVisible(), !javaScriptEnabled);
    await close();
  }
});
