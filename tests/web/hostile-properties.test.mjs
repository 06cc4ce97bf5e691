// What a property cannot be: the tab lives on, the figure says so in its place, and a right value
// afterwards draws it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { numbersOf, openBrowser, openPage } from "./browser.mjs";
import { buildHost, headOf } from "./host-page.mjs";

const body = `<main style="max-width: 700px">
  <wf-attention-map id="map"></wf-attention-map>
  <wf-attention-map id="word" head="x"></wf-attention-map>
</main></html>`;
const script = `import "whereformer/elements/attention-map";
const row = (at) => [0, 1, 2].map((key) => (key > at ? NaN : 1 / (at + 1)));
const heads = [0, 1, 2, 3].map(() => [0, 1, 2].map(row));
for (const map of document.querySelectorAll("wf-attention-map")) map.weights = heads;
`;

let session;
before(async () => {
  const pages = { hostile: [headOf("hostile") + body, script] };
  session = await openBrowser(await buildHost("host-hostile", pages));
});
after(() => session.close());

/** How often a figure has rendered once it stands still, which it has to. */
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

test("a number that is none, of heads and of all else that steers a picture, ends", async () => {
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
