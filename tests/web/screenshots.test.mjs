// Pictures of the page for people to look at: both languages, both themes, phone and desk; in wider
// faces in a folder of their own, where what is cut or collides is to be seen.
import assert from "node:assert/strict";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  bringIntoView,
  follow,
  fontSet,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  settled,
} from "./browser.mjs";

const places = { own: "screenshots", wide: "screenshots-wide" };
const folder = fileURLToPath(new URL(`../../build/${places[fontSet]}/`, import.meta.url));

let session;
let reader;
before(async () => {
  mkdirSync(folder, { recursive: true });
  session = await openBrowser();
  reader = await openPage(session, { isAlone: true });
  const { page } = reader;
  for (const tag of [
    "wf-who-chases",
    "wf-causal-order",
    "wf-scheme-gallery",
    "wf-added-position",
    "wf-distance-bias",
    "wf-turning-pairs",
  ])
    await numbersOf(page, tag);
  await bringIntoView(page.locator("wf-distance-curve"));
  await page.waitForFunction(() => {
    const { data, failure } = document.querySelector("wf-distance-curve") ?? {};
    return (
      data !== undefined ||
      failure !== undefined ||
      document.querySelector("wf-real-heads")?.shadowRoot?.querySelector("wf-frame")?.failure
    );
  });
});
after(() => session.close());

/** A picture of all of it, packed in half of the time that Playwright's takes. */
async function wholePage(page) {
  const tools = await page.context().newCDPSession(page);
  const { width, height } = (await tools.send("Page.getLayoutMetrics")).cssContentSize;
  const { data } = await tools.send("Page.captureScreenshot", {
    ...{ format: "png", optimizeForSpeed: true, captureBeyondViewport: true },
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  await tools.detach();
  return Buffer.from(data, "base64");
}

for (const language of ["en", "zh"]) {
  for (const width of [390, 1280]) {
    for (const colorScheme of ["light", "dark"]) {
      test(`${language}, ${colorScheme}, ${width} wide`, async () => {
        const { page } = reader;
        await follow(page, fragment(language));
        await page.waitForFunction(
          (lang) => document.documentElement.lang.startsWith(lang),
          language,
        );
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await numbersOf(page, "wf-scheme-gallery");
        await page.evaluate(() => scrollTo(0, 0));
        await settled(page.locator("main"));
        const path = `${folder}${language}-${colorScheme}-${width}.png`;
        writeFileSync(path, await wholePage(page));
        assert.ok(statSync(path).size > 50_000);
      });
    }
  }
}
