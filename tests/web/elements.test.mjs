// The packaged elements, bundled into another page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { numbersOf, openBrowser, openPage } from "./browser.mjs";
import { buildHost, headOf } from "./host-page.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

const body = `<h1>主人的页面</h1><wf-who-chases></wf-who-chases><wf-scheme-gallery></wf-scheme-gallery>
<div><aside>left</aside><main lang="en"><wf-turning-pairs></wf-turning-pairs>
<wf-causal-order></wf-causal-order></main><aside>right</aside></div></html>`;
const css = "div { display: flex; gap: 20px } aside { width: 300px } main { flex: 0 0 420px }\n";
const style = '<link rel="stylesheet" href="./host.css">';

let session;
before(async () => {
  const pages = {
    index: [headOf("index", "zh", style) + body, 'import "whereformer/elements";\n'],
    one: [headOf("one", "zh", style) + body, 'import "whereformer/elements/turning-pairs";\n'],
  };
  session = await openBrowser(await buildHost("host-page", pages, { "host.css": css }));
});
after(() => session.close());

test("a tag makes a live figure in the page's language; the address stays", async () => {
  const { page, complaints, close } = await openPage(session, {
    hash: "#mine",
    prepare: (page) => page.clock.install(),
  });
  const data = await numbersOf(page, "wf-who-chases");
  assert.deepEqual(data.tokensA, ["猫", "追", "老鼠"]);
  assert.ok(data.largestDifference < 1e-5);
  await page.locator("wf-who-chases wf-choice.positions label").nth(1).click();
  await numbersOf(page, "wf-who-chases", ({ largestDifference }) => largestDifference > 1e-3);
  // Lets pending writes to the address run.
  await page.clock.fastForward(10_000);
  assert.equal(new URL(page.url()).hash, "#mine");
  const paper = await page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue("--wf-paper"),
  );
  assert.notEqual(paper.trim(), "");
  const { schemes } = await numbersOf(page, "wf-scheme-gallery");
  const title = page.locator("wf-scheme-card h3").first();
  const words = JSON.parse(readFileSync(`${root}dist/words.zh.json`, "utf8"));
  assert.equal((await title.textContent()).trim(), words[schemes[0].id].title);
  assert.deepEqual(complaints, []);
  await close();
});

test("a figure stays in its column, and follows the language around it", async () => {
  const { page, complaints, close } = await openPage(session, { width: 1280 });
  for (const tag of ["wf-turning-pairs", "wf-causal-order"]) {
    await numbersOf(page, tag);
    const column = await page.locator("main").boundingBox();
    const figure = await page.locator(tag).boundingBox();
    assert.ok(figure.x >= column.x && figure.x + figure.width <= column.x + column.width, tag);
    const widest = await page.locator(tag).evaluate((node) => node.scrollWidth - node.clientWidth);
    assert.ok(widest <= 0, `${tag} is ${widest} pixels wider than its column`);
    const { text, actions } = await page.locator(tag).evaluate((node) => ({
      text: node.shadowRoot.querySelector("wf-frame").shadowRoot.textContent,
      actions: node.shadowRoot.querySelector("wf-frame").shadowRoot.querySelector("wf-takeaway")
        .shadowRoot.textContent,
    }));
    assert.doesNotMatch(text + actions, /\p{Script=Han}/u, tag);
  }
  const own = await page
    .locator("wf-who-chases")
    .evaluate((node) => node.shadowRoot.querySelector("wf-frame").shadowRoot.textContent);
  assert.match(own, /\p{Script=Han}/u);
  assert.deepEqual(complaints, []);
  await close();
});

test("a figure can be imported alone; the tags of others stay undefined", async () => {
  const { page, complaints, close } = await openPage(session, { hash: "one.html" });
  await numbersOf(page, "wf-turning-pairs");
  const defined = await page.evaluate(() =>
    [...document.querySelectorAll("*")]
      .map(({ localName }) => localName)
      .filter((name) => name.startsWith("wf-") && customElements.get(name)),
  );
  assert.deepEqual(defined, ["wf-turning-pairs"]);
  const scripts = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => name),
  );
  assert.equal(scripts.filter((name) => name.includes("surgery")).length, 0);
  assert.deepEqual(complaints, []);
  await close();
});
