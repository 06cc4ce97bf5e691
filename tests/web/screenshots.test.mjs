// Pictures of the page for people to look at: both languages, both themes, phone and desk.
import assert from "node:assert/strict";
import { mkdirSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bringIntoView, fragment, numbersOf, openBrowser, openPage } from "./browser.mjs";

const folder = fileURLToPath(new URL("../../build/screenshots/", import.meta.url));

let session;
before(async () => {
  mkdirSync(folder, { recursive: true });
  session = await openBrowser();
});
after(() => session.close());

for (const language of ["en", "zh"]) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [390, 1280]) {
      test(`${language}, ${colorScheme}, ${width} wide`, async () => {
        const { page, close } = await openPage(session, {
          hash: fragment(language),
          colorScheme,
          width,
        });
        for (const tag of ["wf-who-chases", "wf-causal-order", "wf-scheme-gallery"])
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
        await page.evaluate(() => scrollTo(0, 0));
        const path = `${folder}${language}-${colorScheme}-${width}.png`;
        await page.screenshot({ path, fullPage: true });
        assert.ok(statSync(path).size > 50_000);
        await close();
      });
    }
  }
}
