// Still pictures in place of figures: shown before scripts run and without scripts, in both
// languages and themes, with the figure's numbers; removed once the figure is drawn.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";

import { figureOf } from "../../scripts/build/figures.mjs";
import { tagsOfEssay, tagsOfPages } from "../../scripts/build/prose.mjs";
import { compressedBytes, firstSectionBytes } from "../../scripts/page-bytes.mjs";
import {
  bringIntoView,
  fragment,
  goTo,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
  pathOfFigure,
} from "./browser.mjs";

const figures = tagsOfPages();
// Figures without a still picture: times of the reader's device, and the first, a table.
const without = figures.filter((tag) => figureOf(tag).still === "none");
// Shown only without scripts: cards that appear at once, and results that readers guess first.
const unscripted = figures.filter((tag) => figureOf(tag).still === "without scripts");
const pictured = figures.filter((tag) => !without.includes(tag));
const drawn = pictured.filter((tag) => !unscripted.includes(tag));

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const noScripts = (page) => page.route(/\.js$/, (route) => route.abort());
const shownIn = (tag) => `${tag} > .at-rest:visible img:visible`;

/** Returns size, address and alt text of the still picture of a figure, once it is loaded. */
async function pictureOf(page, tag) {
  const image = page.locator(shownIn(tag));
  await bringIntoView(image);
  return image.evaluate(async (node) => {
    await node.decode();
    const { width, height } = node.getBoundingClientRect();
    const { naturalWidth, naturalHeight, currentSrc, alt } = node;
    return { width, height, naturalWidth, naturalHeight, currentSrc, alt };
  });
}

for (const [language, colorScheme, width, form] of [
  ["en", "light", 1280, "wide"],
  ["zh", "dark", 390, "narrow"],
])
  test(`${language}, ${colorScheme}, ${width}: a figure has a picture before`, async () => {
    const { page, close } = await openPage(session, {
      hash: fragment(language),
      isAlone: true,
      colorScheme,
      width,
      prepare: noScripts,
    });
    const lang = language === "zh" ? "zh-Hans" : "en";
    for (const tag of drawn) {
      await goTo(session, page, pathOfFigure(tag), fragment(language));
      await page.evaluate((to) => {
        document.documentElement.lang = to;
      }, lang);
      const picture = await pictureOf(page, tag);
      const name = `${tag.slice(3)}-${language}-${form}-${colorScheme}.svg`;
      assert.ok(picture.currentSrc.endsWith(`/stills/${name}`), picture.currentSrc);
      assert.ok(picture.naturalWidth > 100 && picture.naturalHeight > 100, tag);
      assert.ok(picture.width <= width, `${tag}: ${picture.width} wide`);
      assert.ok(picture.alt, tag);
    }
    await close();
  });

test("without scripts, a figure without a picture says why, and no area is empty", async () => {
  const come = new Set();
  const { page, complaints, close } = await openPage(session, {
    javaScriptEnabled: false,
    prepare: (opened) => opened.on("response", (response) => come.add(response.url())),
  });
  for (const tag of without.filter((one) => one !== tagsOfEssay()[0])) {
    await goTo(session, page, pathOfFigure(tag), "");
    const said = page.locator(`${tag} > .unscripted[lang="en"]`);
    assert.ok(await said.isVisible(), tag);
    const { height } = await page.locator(tag).boundingBox();
    assert.ok(height < 200, `${tag}: ${height} high`);
  }
  for (const tag of unscripted) {
    await goTo(session, page, pathOfFigure(tag), "");
    const image = page.locator(`${tag} > .unscripted[lang="en"] .light img`);
    await image.scrollIntoViewIfNeeded();
    const name = `stills/${tag.slice(3)}-en-wide-light.svg`;
    assert.ok(
      [...come].some((address) => address.endsWith(name)),
      name,
    );
    const { width, height } = await image.boundingBox();
    assert.ok(width > 500 && height > 200, `${tag}: ${width} × ${height}`);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("with scripts, pictures for readers without scripts are hidden", async () => {
  const { page, close } = await openPage(session, { prepare: noScripts, isAlone: true });
  for (const tag of unscripted) {
    await goTo(session, page, pathOfFigure(tag), fragment("en"));
    assert.equal(await page.locator(`${tag} > figure.unscripted`).count(), 2, tag);
    assert.equal(await page.locator(`${tag} > figure.unscripted:visible`).count(), 0, tag);
  }
  await close();
});

for (const [language, lang, tag] of [
  ["en", "en", "wf-stretch"],
  ["zh", "zh-Hans", "wf-distance-bias"],
])
  test(`${language}: a still has its figure's caption, until the figure has numbers`, async () => {
    let release;
    const held = new Promise((resolve) => {
      release = resolve;
    });
    const { page, close } = await openPage(session, {
      path: pathOfFigure(tag),
      hash: fragment(language),
      isAlone: true,
      // The engine loads when the test releases it.
      prepare: (opened) =>
        opened.route(/\.wasm$/, async (route) => {
          await held;
          await route.continue();
        }),
    });
    const still = page.locator(`${tag} > .at-rest[lang="${lang}"]`);
    const said = [
      await still.locator("h3").textContent(),
      await still.locator("figcaption").textContent(),
    ];
    await bringIntoView(page.locator(tag));
    await page.locator(`${tag}[drawn]`).waitFor();
    assert.ok(await page.locator(shownIn(tag)).isVisible());
    assert.equal(await page.locator(`${tag} wf-scene`).isVisible(), false);
    release();
    await numbersOf(page, tag);
    await still.waitFor({ state: "detached" });
    assert.ok(await page.locator(`${tag} wf-scene canvas`).first().isVisible());
    const frame = page.locator(`${tag} wf-frame`);
    const [heading, reading] = await frame.evaluate((node) => [node.heading, node.caption]);
    assert.equal(heading, said[0]);
    // Its first sentence.
    assert.ok(said[1].length > 10 && reading.startsWith(said[1]), said[1]);
    await close();
  });

test("text and pictures of the first section weigh at most 40 KB, a picture 30", () => {
  const bytes = firstSectionBytes(pageFolder);
  assert.ok(bytes <= 40_000, `${bytes} bytes`);
  // Quick compression gives an upper limit; a host's best level takes seconds here.
  const inHaste = 6;
  for (const tag of pictured)
    for (const language of ["en", "zh"])
      for (const form of ["narrow-light", "wide-dark"]) {
        const name = `stills/${tag.slice(3)}-${language}-${form}.svg`;
        assert.ok(existsSync(`${pageFolder}/${name}`), name);
        const size = compressedBytes(`${pageFolder}/${name}`, inHaste);
        // The others are only fetched by readers without scripts, and for paper.
        const limit = unscripted.includes(tag) ? 60_000 : 30_000;
        assert.ok(size <= limit, `${name}: ${size} bytes`);
      }
});
