// Properties, events and parts of the elements that other people's pages use.
import assert from "node:assert/strict";
import { cpSync, existsSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  bringIntoView,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
} from "./browser.mjs";
import { buildHost, headOf } from "./host-page.mjs";

const skip = existsSync(`${pageFolder}/models/rope/model.safetensors`)
  ? false
  : "the models are not trained yet";

const style = '<link rel="stylesheet" href="./parts.css">';
const red = "color: rgb(200, 0, 0)";
const css = `
wf-word-swap::part(words), wf-word-swap::part(map), wf-word-swap::part(reading),
wf-word-swap::part(small), wf-word-swap::part(picture) { ${red} }
wf-scheme-gallery::part(card) { ${red} }
wf-scheme-gallery::part(title) { ${red} }
wf-scheme-gallery::part(heading) { ${red} }
wf-scheme::part(heading), wf-scheme::part(text) { ${red} }
`;
const pages = {
  swap: [
    `${headOf("swap", "en", style)}<wf-word-swap id="a"></wf-word-swap>
<wf-word-swap id="b" order="2 1 0" lang="zh"></wf-word-swap>
<wf-word-swap id="wrong" order="0 1"></wf-word-swap></html>`,
    'import "whereformer/elements/word-swap";\n',
  ],
  gallery: [
    `${headOf("gallery", "en", style)}<wf-scheme-gallery open="rope"></wf-scheme-gallery>
<wf-scheme scheme="alibi"></wf-scheme></html>`,
    'import "whereformer/elements/scheme-gallery";\nimport "whereformer/elements/scheme";\n',
  ],
  open: [
    `${headOf("open")}<wf-open-checkpoint></wf-open-checkpoint></html>`,
    `for (const name of ["progress", "opened", "failed", "closed"])
  document.addEventListener("wf-" + name, ({ detail }) =>
    (window.told ??= []).push([name, detail]));
import("whereformer/elements/open-checkpoint");
`,
  ],
};

let session;
before(async () => {
  const built = await buildHost("host-events", pages, { "parts.css": css });
  for (const file of skip ? [] : ["tokenizer.json", "index.json", "rope"])
    cpSync(`${pageFolder}/models/${file}`, `${built}/models/${file}`, { recursive: true });
  session = await openBrowser(built);
});
after(() => session.close());

const colourOf = (page, host, selector) =>
  page
    .locator(`${host} ${selector}`)
    .first()
    .evaluate((node) => getComputedStyle(node).color);
const isRed = async (page, host, selector) =>
  assert.equal(await colourOf(page, host, selector), "rgb(200, 0, 0)", `${host} ${selector}`);

test("a page sets the order of the words, and gets an event if a reader moves one", async () => {
  const { page, complaints, close } = await openPage(session, { hash: "swap.html" });
  const first = await numbersOf(page, "#a");
  const ends = await numbersOf(page, "#b", ({ order }) => order.join() === "2,1,0");
  assert.deepEqual(ends.positions, [2, 1, 0]);
  assert.deepEqual(first.order, [2, 1, 0]);
  await page.evaluate(() => {
    window.told = [];
    document.addEventListener("wf-change", ({ target, detail }) =>
      window.told.push([target.id, detail]),
    );
    document.querySelector("#a").order = [1, 0, 2];
  });
  await awaitNumbers(page, "#a", ({ order }) => order.join() === "1,0,2");
  await page.locator("#a button.word").nth(2).press("ArrowLeft");
  const moved = await awaitNumbers(page, "#a", ({ order }) => order.join() === "1,2,0");
  assert.ok(moved.largestDifference < 1e-5);
  assert.deepEqual(await page.evaluate(() => window.told), [["a", { order: [1, 2, 0] }]]);
  assert.deepEqual(await page.locator("#b").evaluate((node) => [...node.order]), [2, 1, 0]);
  const said = await page.locator("#wrong [part=reading]").textContent();
  assert.match(said, /order: "0 1" \(expected the numbers 0 1 2 in some order\)/);
  assert.deepEqual(complaints, []);
  await close();
});

test("parts of the first map, the gallery and one scheme can be styled from outside", async () => {
  const swap = await openPage(session, { hash: "swap.html" });
  await numbersOf(swap.page, "#a");
  for (const part of ["picture", "words", "map", "reading", "small"])
    await isRed(swap.page, "#a", `[part=${part}]`);
  await swap.close();
  const { page, close } = await openPage(session, { hash: "gallery.html" });
  await numbersOf(page, "wf-scheme-gallery");
  await numbersOf(page, "wf-scheme");
  const gallery = "wf-scheme-gallery";
  await isRed(page, gallery, "wf-scheme-card[part=card]");
  await isRed(page, gallery, "wf-scheme-card [part=title]");
  const heading = page.locator(`${gallery} wf-scheme-portrait [part=heading]`);
  await bringIntoView(heading);
  await isRed(page, gallery, "wf-scheme-portrait [part=heading]");
  await isRed(page, "wf-scheme", "wf-text-line[part=text]");
  await isRed(page, "wf-scheme", "wf-scheme-portrait [part=heading]");
  await close();
});

test("events report a model read, opened, refused and closed; files can be set as a property", {
  skip,
}, async () => {
  const { page, complaints, close } = await openPage(session, { hash: "open.html" });
  const tag = "wf-open-checkpoint";
  await page.locator(tag).waitFor({ state: "attached" });
  const told = async (name) => {
    await page.waitForFunction((one) => window.told?.some(([event]) => event === one), name);
    return page.evaluate((one) => window.told.findLast(([event]) => event === one)[1], name);
  };
  const { name, numLayers, parameterCount, dtype } = await told("opened");
  assert.deepEqual([name, numLayers, dtype], ["", 4, "f32"]);
  assert.ok(parameterCount > 1e6);
  const { loaded, total } = await told("progress");
  assert.ok(loaded > 0 && loaded <= total);
  await page.locator(tag).evaluate((node) => {
    node.files = [new File(["{"], "config.json")];
  });
  const failed = await told("failed");
  assert.equal(failed.name, "config.json");
  assert.match(failed.code, /malformed_file|invalid_argument/);
  assert.ok(failed.message.length > 10);
  await page.locator(tag).evaluate(async (node) => {
    const get = async (path) => {
      const response = await fetch(`./models/${path}`);
      return new File([await response.blob()], path.split("/").at(-1));
    };
    const paths = ["rope/config.json", "rope/model.safetensors", "tokenizer.json"];
    node.files = await Promise.all(paths.map(get));
  });
  await awaitNumbers(page, tag, (data) => data.name === "model.safetensors" && data.loss);
  assert.equal((await told("opened")).name, "model.safetensors");
  await page.locator(`${tag} button.close`).click();
  assert.deepEqual(await told("closed"), {});
  assert.deepEqual(complaints, []);
  await close();
});
