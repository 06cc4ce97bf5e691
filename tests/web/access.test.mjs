// Accessibility: automated rules in the essay (other pages: access-pages.test.mjs), keyboard,
// spoken text, reduced motion.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pages } from "../../scripts/build/prose.mjs";
import {
  awaitText,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";
import { assertPageKeepsRules } from "./whole-page-rules.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const chase = "wf-who-chases";
let reader;

/** Returns the page that most tests share, in a language and a colour scheme. */
async function readerAt(language, { colorScheme = "light", scheme = "nope" } = {}) {
  reader ??= await openPage(session, { bypassCSP: true });
  const { page } = reader;
  await follow(page, fragment(language, `&ap=${scheme}`));
  await page.waitForFunction((lang) => document.documentElement.lang.startsWith(lang), language);
  await page.emulateMedia({ colorScheme });
  const first = language === "en" ? "cat" : "猫";
  const data = await numbersOf(
    page,
    chase,
    (now) => now.scheme === scheme && now.tokensA[0] === first,
  );
  return { page, data };
}

const essay = pages().find(({ path }) => path === "");

for (const language of ["en", "zh"])
  test(`${language}: no rule of axe is broken in the essay, in light and dark`, () =>
    assertPageKeepsRules(session, essay, language));

/** Tag and label of whatever has the focus, through shadow roots. */
const focused = (page) =>
  page.evaluate(() => {
    let node = document.activeElement;
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
    return {
      tag: node?.localName,
      label: node?.getAttribute("aria-label") ?? node?.textContent?.trim() ?? "",
    };
  });

test("arrow keys walk over a map, and each step is announced", async () => {
  const { page, data } = await readerAt("en");
  const cell = page.locator("wf-who-chases wf-scene [role=gridcell]").first();
  await cell.focus();
  const value = (row, column) => data.mapA[row * 3 + column].toFixed(2);
  const spoken = page.locator("wf-who-chases wf-scene [role=status]").first();
  const expectSpoken = async (text) => {
    await awaitText(spoken, text);
    assert.equal((await focused(page)).label, text);
  };
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expectSpoken(`row 3 mouse → cat ${value(2, 0)}`);
  await page.keyboard.press("End");
  await expectSpoken(`row 3 mouse → mouse ${value(2, 2)}`);
  await page.keyboard.press("ArrowLeft");
  await expectSpoken(`row 3 mouse → chases ${value(2, 1)}`);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowUp");
  await expectSpoken(`row 2 chases → cat ${value(1, 0)}`);
});

test("the same map announces its cells in Chinese", async () => {
  const { page, close } = await openPage(session, { hash: fragment("zh") });
  const data = await numbersOf(page, chase);
  const cell = page.locator("wf-who-chases wf-scene [role=gridcell]").first();
  await cell.focus();
  await page.keyboard.press("ArrowRight");
  const text = `第 1 行 猫 → 追 ${data.mapA[1].toFixed(2)}`;
  await awaitText(page.locator("wf-who-chases wf-scene [role=status]").first(), text);
  assert.equal((await focused(page)).label, text);
  await close();
});

test("everything that can be clicked can be reached by Tab, in reading order", async () => {
  const { page, close } = await openPage(session, { path: pathOfFigure(chase) });
  await numbersOf(page, "wf-who-chases");
  await page.evaluate(() => scrollTo(0, 0));
  const seen = [];
  for (let press = 0; press < 50; press++) {
    await page.keyboard.press("Tab");
    seen.push(await focused(page));
  }
  const isButton =
    (name) =>
    ({ tag, label }) =>
      tag === "button" && label.includes(name);
  // The bar, the text and the choices above the map, the map, then its links and files.
  const order = [
    ({ tag, label }) => tag === "a" && label === "Whereformer",
    isButton("中文"),
    ({ tag }) => tag === "input",
    isButton("cat eats fish"),
    ({ tag }) => tag === "select",
    ({ tag, label }) => tag === "div" && label.startsWith("row 1 cat"),
    isButton("Link"),
    isButton("CSV"),
  ];
  let last = -1;
  for (const [place, matches] of order.entries()) {
    last = seen.findIndex((one, index) => index > last && matches(one));
    assert.ok(last >= 0, `${place}: ${JSON.stringify(seen)}`);
  }
  await close();
});

test("a picture's text alternative describes it with its numbers", async () => {
  const { page, data } = await readerAt("en", { scheme: "rope" });
  const number = String(
    Number(data.largestDifference.toPrecision(data.largestDifference < 0.1 ? 2 : 3)),
  );
  const label = await page.locator("wf-who-chases canvas").first().getAttribute("aria-label");
  assert.ok(label.includes(number), label);
});

test("nothing moves when motion is reduced", async () => {
  const { page } = await readerAt("en");
  const moving = await page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
});
