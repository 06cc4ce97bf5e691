// One text compared with the whole held-out text: heads.json is read, compared, used for selection,
// or missing; and the choice of models. The file's numbers are made up here, so each can be
// checked.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { headsFile, length, reach } from "../modules/heads-file.mjs";
import {
  awaitText,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-real-heads");

const has = (id) => existsSync(`${pageFolder}/models/${id}/model.safetensors`);
const first = ["nope", "rope", "alibi"];
const skip = first.every(has) ? false : "the models are not trained yet";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

/** Opens a page whose models folder has these results of heads. */
async function openMeasured(measured, options = {}) {
  const index = JSON.parse(readFileSync(`${pageFolder}/models/index.json`, "utf8"));
  const prepare = async (page) => {
    await page.route("**/models/index.json", (route) =>
      route.fulfill({ json: { ...index, heads: Object.keys(measured) } }),
    );
    for (const [id, term] of Object.entries(measured))
      await page.route(`**/models/${id}/heads.json`, (route) =>
        route.fulfill({ json: headsFile(term) }),
      );
  };
  const hash = fragment(options.language ?? "en", options.more);
  return openPage(session, { path: home, hash, prepare, ...options });
}

/** Text of a part, with single spaces. */
const textOf = async (locator) => (await locator.textContent()).replace(/\s+/g, " ");

const measured = { rope: "rotation", alibi: "alibi" };

test("this text beside the corpus, for the measured models", { skip }, async () => {
  const { page, complaints, close } = await openMeasured(measured);
  const { curves, language } = await numbersOf(page, "wf-distance-curve", (data) =>
    data.curves.slice(1).every(({ corpus }) => corpus),
  );
  assert.equal(language, "en");
  assert.deepEqual(
    curves.map(({ scheme, corpus }) => [scheme, corpus !== undefined]),
    [
      ["nope", false],
      ["rope", true],
      ["alibi", true],
    ],
  );
  const head = Object.values(curves[1].corpus.head);
  assert.equal(head.length, reach + 1);
  assert.ok(Math.abs(head[1] - (0.3 * length) / (length - 1)) < 1e-6);
  const figure = page.locator("wf-distance-curve");
  const reading = await figure.locator(".reading").textContent();
  assert.match(reading, /and over all of the held-out English text: .*RoPE\) \d+% and 93%;/);
  assert.match(await figure.locator(".note").textContent(), /windows of \d+ tokens/);

  // In every figure of the section, a head can be selected by its best score.
  const previous = figure.locator(".score[data-kind=previous]");
  assert.match(await textOf(previous), /0\.30 \(evenly spread: 0\.20\)/);
  assert.equal(
    await figure.locator(".score[data-kind=metre]").count(),
    0,
    "English has a score for metre",
  );
  await previous.locator("button.jump").first().click();
  await numbersOf(page, "wf-real-heads", ({ layer, head }) => layer === 1 && head === 2);
  // The figure with the scores follows that of the heads.
  await awaitText(previous, /0\.91 \(evenly spread: 0\.20\) the model’s strongest/);
  assert.match(
    await figure.locator(".score[data-kind=position]").textContent(),
    /content 0\.70, rotation 0\.30/,
  );
  // Head 3 is the first in view, so the address need not name it.
  await page.waitForFunction(() => location.hash.includes("cl=1"));

  // The held-out text is in the language of the reader's text.
  await page.locator("wf-real-heads textarea").fill("床前明月光，疑是地上霜。");
  await numbersOf(page, "wf-distance-curve", (data) => data.language === "zh");
  assert.match(
    await textOf(figure.locator(".score[data-kind=metre]")),
    /0\.40 \(evenly spread: 0\.04\)/,
  );
  assert.deepEqual(complaints, []);
  await close();
});

test("without results for heads the figure says so and requests nothing", { skip }, async () => {
  const { page, complaints, close } = await openMeasured({}, { language: "zh" });
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  const { curves } = await numbersOf(page, "wf-distance-curve");
  assert.ok(curves.every(({ corpus }) => corpus === undefined));
  const figure = page.locator("wf-distance-curve");
  assert.match(await figure.locator(".note").textContent(), /还没有在留出文本上测过/);
  assert.equal(await figure.locator(".score").count(), 0);
  assert.deepEqual(
    asked.filter((address) => address.endsWith("heads.json")),
    [],
  );
  assert.deepEqual(complaints, []);
  await close();
});

test("the available models can be selected, two to four of them", { skip }, async () => {
  const { page, complaints, close } = await openMeasured({}, { more: "&cs=alibi.nope.nonsense" });
  const two = await numbersOf(page, "wf-real-heads");
  assert.deepEqual(
    two.byScheme.map(({ scheme }) => scheme),
    ["alibi", "nope"],
  );
  const index = JSON.parse(readFileSync(`${pageFolder}/models/index.json`, "utf8"));
  const boxes = page.locator("wf-real-heads wf-several input");
  assert.deepEqual(
    await boxes.evaluateAll((list) => list.map(({ value }) => value)),
    index.schemes,
  );
  assert.ok(index.schemes.every(has), "a model in the list has no weights");
  assert.equal(await page.locator("wf-real-heads wf-several input:checked:disabled").count(), 2);
  await page.locator('wf-real-heads wf-several input[value="rope"]').check();
  const three = await numbersOf(page, "wf-real-heads", ({ byScheme }) => byScheme.length === 3);
  assert.deepEqual(
    three.byScheme.map(({ scheme }) => scheme),
    index.schemes.filter((id) => first.includes(id)),
  );
  const { sums } = await numbersOf(page, "wf-score-terms", (data) => data.sums.length === 3);
  assert.equal(sums.length, 3);
  const title = page.locator("wf-real-heads h3");
  // It says what the chosen head does in which of them, and without such a difference how many.
  const found = /Layer 4, head 3 looks one token back: in Rotary \(RoPE\), not in the others/;
  assert.match(await title.textContent(), found);
  await page.locator("wf-real-heads wf-choice.layer input").first().check();
  await awaitText(title, /Layer 1, head 3: one text, three ways to say where/);
  await page.waitForFunction(() => /cs=\w+\.\w+\.\w+(&|$)/.test(location.hash));
  assert.deepEqual(complaints, []);
  await close();
});
