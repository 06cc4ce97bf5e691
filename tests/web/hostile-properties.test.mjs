// Invalid properties: the tab keeps working, the figure shows a message, and a valid value
// afterwards is drawn.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { numbersOf, openBrowser, openPage } from "./browser.mjs";
import { buildHost, headOf } from "./host-page.mjs";

const body = `<main>
  <wf-attention-map id="map"></wf-attention-map>
  <wf-attention-map id="word" head="x"></wf-attention-map>
</main></html>`;
const script = `import "whereformer/elements/attention-map";
const row = (at) => [0, 1, 2].map((key) => (key > at ? NaN : 1 / (at + 1)));
const heads = [0, 1, 2, 3].map(() => [0, 1, 2].map(row));
for (const map of document.querySelectorAll("wf-attention-map")) map.weights = heads;
`;

const root = fileURLToPath(new URL("../../", import.meta.url));
const { modules } = JSON.parse(readFileSync(`${root}dist/custom-elements.json`, "utf8"));
const elements = modules.flatMap(({ declarations }) => declarations);

const every = `import "whereformer/elements";
import { textOf, tryAll } from ${JSON.stringify(`${root}tests/web/property-values.mjs`)};
Object.assign(window, { textOf, tryAll });
`;

let session;
before(async () => {
  const pages = {
    hostile: [headOf("hostile") + body, script],
    every: [`${headOf("every")}<main></main></html>`, every],
  };
  session = await openBrowser(await buildHost("host-hostile", pages));
});
after(() => session.close());

/** Returns a figure's count of renders once it is stable, or a count above 200. */
const rendersAtRest = (page, selector) =>
  page.locator(selector).evaluate(async (figure) => {
    let before = -1;
    while (before !== figure.renders) {
      before = figure.renders;
      for (let turn = 0; turn < 10; turn++)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      if (before > 200) break;
    }
    return figure.renders;
  });

test("invalid numbers for heads and other properties do not loop for ever", async () => {
  const { page, close } = await openPage(session, { hash: "hostile.html" });
  await numbersOf(page, "#map");
  for (const name of ["head", "layer", "length"])
    for (const value of [undefined, Number.NaN, "x", Infinity, -Infinity, null, {}, -1, 1.5, 99]) {
      await page.locator("#map").evaluate(
        (figure, given) => {
          figure[given[0]] = given[1];
        },
        [name, value],
      );
      assert.ok((await rendersAtRest(page, "#map")) < 200, `${name} ${value}`);
    }
  assert.ok((await rendersAtRest(page, "#word")) < 50);
  await close();
});

/** Fixed, so that each run of the tests uses the same values. */
const seed = 20_261_126;
const numRuns = Number(process.env.WF_PROPERTY_RUNS ?? 60);

test("every property of every element accepts a value or says why not, and recovers", async () => {
  const { page, complaints, close } = await openPage(session, { hash: "every.html" });
  await page.waitForFunction(() => window.tryAll);
  const wrong = {};
  const unrefused = [];
  for (const { tagName, members } of elements) {
    const given = members.filter(({ name, readonly }) => name !== "data" && !readonly);
    const { refused, why } = await page.evaluate(
      ([tag, list, options]) => window.tryAll(tag, list, options),
      [tagName, given, { numRuns: numRuns, seed }],
    );
    if (why) wrong[tagName] = why;
    if (!refused.length) unrefused.push(tagName);
  }
  assert.deepEqual(wrong, {});
  assert.deepEqual(unrefused, []);
  const own = complaints.filter((text) => !/404/.test(text));
  assert.deepEqual(own, []);
  await close();
});
