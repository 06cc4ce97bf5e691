// The pages of the schemes in a browser: text without scripts, both languages and themes, phones,
// the live card, links from the article and back.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { readVariants } from "../../scripts/build/schemes/variants.mjs";
import { brokenRules } from "./access-rules.mjs";
import {
  bringIntoView,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { load } = await import(`${root}dist/index.js`);
const folders = { en: "schemes/", zh: "zh/schemes/" };
const { variants } = readVariants();

let session;
let ids;
before(async () => {
  session = await openBrowser();
  ids = (await load()).schemes.map(({ id }) => id);
});
after(() => session.close());

const card = "wf-scheme-portrait";
/** Scrolls to the card, which starts; returns its numbers. */
async function wakeCard(page) {
  await bringIntoView(page.locator("wf-scheme"));
  return numbersOf(page, card);
}

const open = (path, options = {}) => openPage(session, { hash: path, ...options });

for (const [language, folder] of Object.entries(folders)) {
  test(`${language}: without a script every page has its text and fits a phone`, async () => {
    const { page, complaints, close } = await open(folder, {
      javaScriptEnabled: false,
      width: 360,
    });
    const words = JSON.parse(
      readFileSync(`${root}bindings/ts/generated/words.${language}.json`, "utf8"),
    );
    for (const { id, said } of variants) words[id] = said[language];
    const all = Object.keys(words);
    for (const id of ["", ...all]) {
      await page.goto(`${session.address}${folder}${id && `${id}/`}`);
      // biome-ignore lint/performance/useDomNodeTextContent: only what is shown counts
      const shown = (await page.locator("body").innerText()).replace(/\s+/g, " ");
      for (const one of id ? [id] : all) {
        assert.ok(shown.includes(words[one].title), `${id}: ${one}`);
        assert.ok(shown.includes(words[one].summary), `${id}: ${one}`);
      }
      assert.equal(
        await page.locator("#try").isVisible(),
        false,
        "an empty area in place of the card",
      );
      if (language === "en") assert.doesNotMatch(shown.replace("中文", ""), /\p{Script=Han}/u, id);
      // With scripts switched off, the protocol gives the page's size.
      const tools = await page.context().newCDPSession(page);
      const { cssContentSize } = await tools.send("Page.getLayoutMetrics");
      assert.ok(cssContentSize.width <= 360, `${id}: ${cssContentSize.width} wide`);
      await tools.detach();
    }
    assert.deepEqual(complaints, []);
    await close();
  });
}

/** The list, and one scheme of each family with another kind of picture. */
const sample = ["", "t5/", "mla/", "swin/", "yarn/"];

for (const [language, folder] of Object.entries(folders))
  for (const colorScheme of ["light", "dark"])
    test(`${language}, ${colorScheme}: no rule of axe is broken`, async () => {
      const { page, close } = await open(folder, { colorScheme, bypassCSP: true });
      for (const path of sample) {
        await page.goto(session.address + folder + path);
        if (path) await wakeCard(page);
        assert.deepEqual(await brokenRules(page), [], path);
      }
      await close();
    });

test("the card starts when it is near, and not before", async () => {
  const { page, complaints, close } = await open("schemes/t5/", { height: 500 });
  const wanted = [];
  page.on("request", (request) => wanted.push(request.url()));
  await page.reload({ waitUntil: "networkidle" });
  assert.deepEqual(
    wanted.filter((url) => /elements|worker|\.wasm/.test(url)),
    [],
  );
  const data = await wakeCard(page);
  assert.equal(data.scheme, "t5");
  assert.equal(data.ends, false);
  assert.deepEqual(complaints, []);
  await close();
});

test("a link to a state of the card opens there, in the page's language", async () => {
  const hash = `zh/schemes/alibi/#v=1&l=en&gt=a+b+c&gh=2&gc=2.0&at=live`;
  const { page, complaints, close } = await open(hash);
  const data = await numbersOf(page, card);
  assert.deepEqual([data.scheme, data.labels, data.head], ["alibi", ["a", "b", "c"], 2]);
  const { top, lang } = await page.evaluate(() => ({
    top: document.querySelector("wf-scheme").getBoundingClientRect().top,
    lang: document.documentElement.lang,
  }));
  assert.ok(top >= 0 && top < 450, `${top}`);
  assert.equal(lang, "zh-Hans");
  await page.locator(`${card} button.link`).click();
  await page.waitForFunction(() => location.hash.includes("at=live"));
  assert.match(new URL(page.url()).pathname, /^\/zh\/schemes\/alibi\/$/);
  assert.deepEqual(complaints, []);
  await close();
});

test("the card of a variant starts at its options, unless the link has others", async () => {
  const { page, complaints, close } = await open("zh/schemes/yarn/");
  const optionsOf = async () => (await wakeCard(page)).options;
  assert.deepEqual(await optionsOf(), {
    maxPositionEmbeddings: 2048,
    "ropeScaling.ropeType": "yarn",
    "ropeScaling.factor": 4,
  });
  await page.goto(`${session.address}zh/schemes/yarn/#v=1&l=zh&go=ropeTheta:500`);
  await page.reload();
  assert.deepEqual(await optionsOf(), { ropeTheta: 500 });
  assert.deepEqual(complaints, []);
  await close();
});

test("where no scheme has the options, another figure shows the variant", async () => {
  const { page, complaints, close } = await open("schemes/alibi_heads/");
  await bringIntoView(page.locator("wf-distance-bias"));
  const { scheme, knob } = await numbersOf(page, "wf-distance-bias");
  assert.deepEqual([scheme, knob], ["alibi", 6]);
  const others = variants.filter(({ figure }) => figure && figure !== "wf-distance-bias");
  assert.ok(others.length >= 2);
  for (const { id, figure } of others) {
    await page.goto(`${session.address}schemes/${id}/`);
    await bringIntoView(page.locator(figure));
    await numbersOf(page, figure);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("the theme can be switched, and applies to the article too", async () => {
  const { page, close } = await open("schemes/t5/", { isAlone: true });
  await page.locator(".bar .theme").click();
  assert.equal(await page.getAttribute("html", "data-theme"), "dark");
  await page.goto(session.address);
  assert.equal(await page.getAttribute("html", "data-theme"), "dark");
  await close();
});

for (const [language, folder] of Object.entries(folders))
  test(`${language}: links from a card to its scheme's page, and back`, async () => {
    const { page, complaints, close } = await openPage(session, {
      path: pathOfFigure("wf-scheme-gallery"),
      hash: fragment(language, "&g=-"),
    });
    await numbersOf(page, "wf-scheme-gallery");
    const links = await page
      .locator("wf-scheme-card .paper a")
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("href")));
    assert.deepEqual(
      links,
      ids.map((id) => `../../${folder}${id}/`),
    );
    const index = ids.indexOf("t5");
    await page.locator("wf-scheme-card .paper a").nth(index).click();
    await page.waitForURL(`**/${folder}t5/`);
    await page.locator(".bar a[hreflang]").click();
    await page.waitForURL(`**/${folders[language === "en" ? "zh" : "en"]}t5/`);
    await page.locator(".bar .name").click();
    const lang = language === "en" ? "zh-Hans" : "en";
    await page.waitForFunction((code) => document.documentElement.lang === code, lang);
    await page.waitForFunction(() => document.querySelector("wf-who-chases"));
    assert.deepEqual(complaints, []);
    await close();
  });

test("the gallery names the list of all schemes, without a script too", async () => {
  const path = pathOfFigure("wf-scheme-gallery");
  const { page, close } = await openPage(session, { path, javaScriptEnabled: false });
  await page.locator('main a[href="../../schemes/"]').click();
  await page.waitForURL("**/schemes/");
  await close();
});

test("the printed page has text and maps, but neither bar nor live card", async () => {
  const { page, close } = await open("schemes/rope/");
  await page.emulateMedia({ media: "print" });
  for (const part of [".bar", ".contents", "#try"])
    assert.equal(await page.locator(part).isVisible(), false, part);
  for (const part of ["#formula math >> nth=0", "svg.heads", "#sources"])
    assert.equal(await page.locator(part).isVisible(), true, part);
  await close();
});
