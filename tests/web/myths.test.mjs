// Common misconceptions: the link of each sentence shows the numbers that refute it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fragment, numbersOf, openBrowser, openPage, pathOfFigure } from "./browser.mjs";

const home = "tools/myths/";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const isChosen =
  (...ids) =>
  ({ chosen }) =>
    chosen?.join() === ids.join();

const isCounted =
  (id) =>
  ({ scheme, cost }) =>
    scheme === id && cost.parameters > 0;

/** By the state in a link: the figure that it opens, and a check of its numbers. */
const shown = {
  "chaseScheme:nope": ["wf-who-chases", ({ scheme }) => scheme === "nope"],
  "curveSchemes:rope": ["wf-length-curves", isChosen("rope")],
  "curveSchemes:sinusoidal": ["wf-length-curves", isChosen("sinusoidal")],
  "curveSchemes:learned": ["wf-length-curves", isChosen("learned")],
  "curveSchemes:shaw.t5": ["wf-length-curves", isChosen("shaw", "t5")],
  "curveSchemes:alibi": ["wf-length-curves", isChosen("alibi")],
  "curveSchemes:rope.mla": ["wf-length-curves", isChosen("rope", "mla")],
  "galleryScheme:shaw": ["wf-scheme-portrait", isCounted("shaw")],
  "galleryScheme:t5": ["wf-scheme-portrait", isCounted("t5")],
  "galleryScheme:transformer_xl": ["wf-scheme-portrait", isCounted("transformer_xl")],
  "gridScheme:learned_2d": ["wf-picture-positions", ({ scheme }) => scheme === "learned_2d"],
  "distanceScheme:alibi": ["wf-distance-bias", ({ scheme }) => scheme === "alibi"],
  "turningBase:500000": ["wf-turning-pairs", ({ theta }) => theta === 500_000],
  "headSchemes:rope.mla": [
    "wf-real-heads",
    ({ byScheme }) => byScheme?.map(({ scheme }) => scheme).join() === "rope,mla",
  ],
  "absorbedDistance:16": ["wf-absorption", ({ distance }) => distance === 16],
  "stretchMethod:yarn": ["wf-stretch", ({ method }) => method === "yarn"],
};

for (const language of ["en", "zh"])
  test(`each link shows what its sentence claims: ${language}`, async () => {
    const { page, complaints, close } = await openPage(session, {
      path: home,
      hash: fragment(language),
    });
    await page.locator(".myths a[data-shows]:visible").first().waitFor();
    const asked = await page
      .locator(".myths a[data-shows]:visible")
      .evaluateAll((links) => links.map(({ dataset }) => dataset.shows));
    assert.deepEqual([...asked].sort(), Object.keys(shown).sort());
    for (const shows of asked) {
      const [tag, isShown] = shown[shows];
      await page.locator(`.myths a[data-shows="${shows}"]:visible`).click();
      await page.waitForURL((url) => !url.pathname.endsWith(home));
      await numbersOf(page, tag, isShown);
      await page.goto(session.address + home + fragment(language));
    }
    assert.deepEqual(complaints, []);
    await close();
  });

test("curves rise and stay level as the sentences claim", async () => {
  const { page, close } = await openPage(session, {
    path: pathOfFigure("wf-length-curves"),
    hash: fragment("en", "&lc=shaw.t5.alibi.mla"),
  });
  const { curves } = await numbersOf(page, "wf-length-curves");
  const rise = (scheme, language) => {
    const means = curves[scheme][language].map((at) => at.mean);
    return means.at(-1) - means[0];
  };
  for (const level of ["shaw", "alibi"])
    for (const language of ["en", "zh"]) assert.ok(Math.abs(rise(level, language)) < 0.05, level);
  for (const risen of ["t5", "mla"]) assert.ok(rise(risen, "zh") > 0.5, risen);
  await close();
});
