// The gallery of schemes: whatever is registered is a card; its picture follows from hooks;
// options, text and link; keyboard; and no file of the page names a scheme.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  awaitNumbers,
  awaitText,
  bringIntoView,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
} from "./browser.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { load } = await import(`${root}dist/index.js`);

let session;
let wf;
before(async () => {
  session = await openBrowser();
  wf = await load();
});
after(() => session.close());

const gallery = "wf-scheme-gallery";

const open = "wf-scheme-portrait";

/**
 * Opens the page at the gallery; `portrait()` brings the open scheme into view and waits for its
 * numbers.
 */
async function openGallery(more = "", options = {}) {
  const { language = "en", ...rest } = options;
  const opened = await openPage(session, { hash: fragment(language, more), ...rest });
  await numbersOf(opened.page, gallery);
  return { ...opened, portrait: (ready) => numbersOf(opened.page, open, ready) };
}

let reader;

/**
 * The one page in which most tests look: it follows a link to a scheme, its options and the page's
 * own text.
 */
async function follows(scheme, options = "", language = "en") {
  reader ??= await openGallery();
  const { page, complaints } = reader;
  await follow(page, fragment(language, `&g=${scheme}&go=${options}&gt=`));
  const portrait = (ready = () => true) =>
    reader.portrait((data) => (data.scheme === scheme || scheme === "-") && ready(data));
  return { page, complaints, portrait };
}

/** Scrolls through all cards and gives id, title, summary and kind of picture of each. */
async function readCards(page) {
  const count = await page.locator("wf-scheme-card").count();
  const cards = [];
  for (let index = 0; index < count; index++) {
    const card = page.locator("wf-scheme-card").nth(index);
    await bringIntoView(card);
    const handle = await card.elementHandle();
    await page.waitForFunction((node) => node.data || node.failure, handle, { timeout: 60_000 });
    cards.push(
      await card.evaluate((node) => ({
        id: node.description.id,
        title: node.shadowRoot.querySelector("h3").textContent.trim(),
        summary: node.shadowRoot.querySelector(".summary").textContent.trim(),
        failure: node.failure?.message,
        kind: node.data?.picture.kind,
      })),
    );
  }
  return cards;
}

/** The kind of picture by scheme, once the cards have been read. */
let kinds;

for (const language of ["en", "zh"]) {
  test(`${language}: every registered scheme is a card with its words and its picture`, async () => {
    const words = JSON.parse(readFileSync(`${root}dist/words.${language}.json`, "utf8"));
    const { page, complaints } = await follows("-", "", language);
    await awaitText(page.locator("wf-scheme-card h3").first(), words[wf.schemes[0].id].title);
    const cards = await readCards(page);
    kinds = Object.fromEntries(cards.map(({ id, kind }) => [id, kind]));
    assert.deepEqual(
      cards.map(({ id }) => id),
      wf.schemes.map(({ id }) => id),
    );
    for (const { id, title, summary, failure } of cards) {
      assert.equal(failure, undefined, id);
      assert.equal(title, words[id].title);
      assert.equal(summary, words[id].summary);
    }
    assert.deepEqual(complaints, []);
  });
}

test("a picture follows from what the scheme does", async () => {
  kinds ??= Object.fromEntries(
    (await readCards((await follows("-")).page)).map(({ id, kind }) => [id, kind]),
  );
  for (const { id, hooks, positionAxes } of wf.schemes) {
    if (positionAxes === 2) {
      assert.equal(kinds[id], "grid", id);
      continue;
    }
    if (hooks.includes("embeddings")) assert.equal(kinds[id], "encoding", id);
    if (hooks.includes("distanceStrip") && !hooks.includes("bias"))
      assert.equal(kinds[id], "bias", id);
  }
  assert.equal(kinds.rope, "turn");
  assert.equal(kinds.fire, "bias", "a bias by the bias hook, measured to need no content");
  assert.equal(kinds.shaw, "attention", "a bias that needs content");
  assert.equal(kinds.nope, "attention");
});

/** What each scheme costs, as the page has it. */
const costs = new Map();

test("every scheme opens, and its terms sum to its score", async () => {
  const { page, complaints, portrait } = await follows("-");
  await page.locator(open).waitFor({ state: "detached" });
  for (const { id, terms } of wf.schemes) {
    const card = page.locator("wf-scheme-card").nth(wf.schemes.findIndex((one) => one.id === id));
    await card.locator("button").click();
    const data = await portrait(({ scheme }) => scheme === id);
    costs.set(id, data.cost);
    const sum = data.terms.reduce((total, { value }) => total + value, 0);
    assert.ok(Math.abs(sum - data.total) < 1e-4, `${id}: ${sum} and ${data.total}`);
    const names = data.terms.map(({ name }) => name);
    const known = ["content", "wordWord", "wordPosition", "positionWord", "positionPosition"];
    assert.deepEqual(
      names.filter((name) => !known.includes(name) && !terms.includes(name)),
      [],
      id,
    );
    assert.equal(await page.locator("wf-scheme-portrait").count(), 1);
    assert.ok((await page.locator("wf-scheme-portrait math").count()) > 0, id);
    const options = page.locator("wf-scheme-portrait wf-option-form .option");
    assert.equal(await options.count(), wf.schemes.find((one) => one.id === id).options.length);
  }
  assert.deepEqual(complaints, []);
});

test("the costs of a scheme are those that the engine gives at the sizes named beside them", () => {
  const [tokens, numHeads, headDim, numLayers] = [2048, 12, 64, 12];
  assert.equal(costs.size, wf.schemes.length);
  for (const { id } of wf.schemes) {
    const scheme = wf.scheme(id, { numHeads, headDim });
    const own = scheme.cost({ queries: tokens, width: numHeads * headDim });
    scheme.dispose();
    assert.deepEqual(
      costs.get(id),
      {
        ...{ tokens, numHeads, headDim, numLayers },
        parameters: own.modelParameters + numLayers * own.layerParameters,
        onceFlops: own.onceFlops,
        layerFlops: own.layerFlops,
        attentionFlops: 4 * tokens ** 2 * numHeads * headDim,
        cacheBytes: 4 * own.cacheFloats,
      },
      id,
    );
  }
});

test("the picture of what is added is the formula's, and its score is split in four", async () => {
  const { portrait } = await follows("sinusoidal", "base:100");
  const { picture, terms } = await portrait();
  const { positions, channels, values } = picture;
  assert.deepEqual([positions, channels], [64, 32]);
  for (const [position, pair] of [
    [0, 0],
    [7, 3],
    [63, 15],
  ]) {
    const angle = position * 100 ** ((-2 * pair) / channels);
    assert.ok(Math.abs(values[position * channels + 2 * pair] - Math.sin(angle)) < 1e-5);
    assert.ok(Math.abs(values[position * channels + 2 * pair + 1] - Math.cos(angle)) < 1e-5);
  }
  assert.equal(terms.length, 4);
});

test("a bias is drawn as the engine alone gives it", async () => {
  const { portrait } = await follows("alibi");
  const { picture } = await portrait();
  const scheme = wf.scheme("alibi", { numHeads: 4, headDim: 16 });
  const keys = Array.from({ length: 64 }, (_, index) => index);
  const { data } = scheme.bias([63], keys);
  data.forEach((value, index) => {
    assert.ok(Math.abs(value - picture.curves[index]) < 1e-5);
  });
  scheme.dispose();
});

test("options are controls: slider, number, switch, choice, and back", async () => {
  const { page, portrait } = await follows("rope");
  const before = await portrait();
  const { left, frequencies } = before.picture;
  for (const distance of [0, 1, 17, 63]) {
    const mean = frequencies.reduce((sum, w) => sum + Math.cos(w * distance), 0) / 8;
    assert.ok(Math.abs(left[distance] - mean) < 1e-4, `equal vectors ${distance} apart`);
  }
  const form = page.locator("wf-option-form");
  await form.locator('input[type="range"]').first().fill("0");
  const slow = await portrait(({ options }) => options.ropeTheta < 100);
  assert.notEqual(slow.picture.frequencies[3], before.picture.frequencies[3]);
  await form.locator('input[type="number"]').first().fill("500000");
  await form.locator('input[type="number"]').first().press("Enter");
  await portrait(({ options }) => options.ropeTheta === 500000);
  await form.locator('input[type="checkbox"]').first().check();
  await portrait(({ options }) => options.interleaved === true);
  await page.waitForFunction(() =>
    decodeURIComponent(location.hash).includes("go=ropeTheta:500000;interleaved:true"),
  );
  await form.locator("button.defaults").click();
  const after = await portrait(({ options }) => Object.keys(options).length === 0);
  assert.deepEqual(after.picture, before.picture);
  await page
    .locator("wf-scheme-card")
    .nth(wf.schemes.findIndex(({ id }) => id === "sinusoidal"))
    .locator("button")
    .click();
  await numbersOf(page, open, ({ scheme }) => scheme === "sinusoidal");
  await form.locator("select").selectOption("marian");
  await numbersOf(page, open, ({ options }) => options.layout === "marian");
});

test("of many options the first are in view, the rest behind a line, which a link to one opens", async () => {
  const { page, portrait } = await follows("rope");
  await portrait();
  const options = page.locator("wf-option-form .option");
  const isVisible = (nodes) => nodes.filter((node) => node.checkVisibility()).length;
  const count = await options.count();
  assert.ok(count > 12);
  assert.ok((await options.evaluateAll(isVisible)) <= 6);
  await page.locator("wf-option-form summary").click();
  assert.equal(await options.evaluateAll(isVisible), count);
  await page.locator("wf-option-form summary").click();
  await follows("rope", "ropeScaling.betaFast:16");
  await portrait(({ options: now }) => now["ropeScaling.betaFast"] === 16);
  assert.equal(await options.evaluateAll(isVisible), count);
  await follows("t5");
  await page.locator("wf-option-form summary").waitFor({ state: "detached" });
});

test("a link to the first card lands at it too, once anything there is changed", async () => {
  const { page, close } = await openGallery("&go=ropeTheta:500000&at=schemes");
  await awaitNumbers(page, open);
  const top = await page.locator(open).evaluate((node) => node.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 900, `${top}`);
  await close();
});

test("a link opens scheme, options, text, head and cell", async () => {
  const more = "&g=alibi&gt=dog+bites+man&gh=2&gc=2.0&at=schemes";
  const { page, close } = await openGallery(more);
  // The link alone brings it into view.
  const data = await awaitNumbers(page, open);
  const top = await page
    .locator("wf-scheme-portrait")
    .evaluate((node) => node.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 900, `the open scheme is in sight, at ${top}`);
  assert.equal(data.scheme, "alibi");
  assert.deepEqual(data.labels, ["dog", "bites", "man"]);
  assert.deepEqual([data.head, data.active], [2, { row: 2, column: 0 }]);
  const distance = data.terms.find(({ name }) => name === "distance");
  assert.ok(Math.abs(distance.value + 2 * 2 ** -6) < 1e-6, "two words back, third of four slopes");
  await close();
});

test("a scheme of a grid reads cells, all of which see one another", async () => {
  for (const { id, numAxes } of wf.schemes.map((one) => ({
    id: one.id,
    numAxes: one.positionAxes,
  }))) {
    if (numAxes !== 2) continue;
    const { portrait, page } = await follows(id);
    const data = await portrait();
    assert.equal(data.labels.length, 9);
    assert.deepEqual(data.labels.slice(2, 4), ["0,2", "1,0"]);
    const { weights } = data.reading;
    assert.ok(weights[8] > 0, "the first cell looks at the last");
    assert.match(await page.locator("wf-scheme-portrait .note").textContent(), /without a mask/);
  }
});

test("past the end of a table there is nothing: the picture is hatched, the text is cut", async () => {
  const { page, portrait } = await follows("learned", "maxPositions:5");
  const data = await portrait();
  assert.equal(data.picture.positions, 5);
  assert.deepEqual(data.labels, ["the", "cat", "chases", "the", "mouse"]);
  assert.match(await page.locator("wf-scheme-portrait .note").textContent(), /first 5 words/);
});

test("options that do not go together are refused in the engine's words, and can be changed", async () => {
  const { page, portrait } = await follows("sandwich", "width:3");
  await bringIntoView(page.locator(open));
  const failure = page.locator(`${open} [role=alert]`);
  await failure.waitFor();
  assert.match(await failure.textContent(), /width: 3; allowed is an even number/);
  await page.locator("wf-option-form input[type=number]").first().fill("4");
  await page.locator("wf-option-form input[type=number]").first().press("Enter");
  await portrait(({ options }) => options.width === 4);
  assert.equal(await failure.count(), 0);
});

test("an address that makes no sense opens the page all the same", async () => {
  const { page, complaints, close } = await openGallery("&g=nonsense&go=a:b;;ropeTheta:-1&gc=9");
  assert.equal(await page.locator("wf-scheme-portrait").count(), 0);
  assert.equal(await page.locator("wf-scheme-card").count(), wf.schemes.length);
  assert.deepEqual(complaints, []);
  await close();
});

test("cards open by keyboard, under their row, and tell whether they are open", async () => {
  const { page, portrait } = await follows("-");
  await page.locator(open).waitFor({ state: "detached" });
  const button = page.locator("wf-scheme-card").nth(1).locator("button");
  await button.focus();
  assert.equal(await button.getAttribute("aria-expanded"), "false");
  await page.keyboard.press("Enter");
  await portrait(({ scheme }) => scheme === wf.schemes[1].id);
  assert.equal(await button.getAttribute("aria-expanded"), "true");
  const tops = await page.evaluate((tag) => {
    const inside = document.querySelector(tag).shadowRoot;
    const top = (node) => node.getBoundingClientRect().top;
    return [...inside.querySelectorAll("wf-scheme-card, wf-scheme-portrait")].map(top);
  }, gallery);
  assert.deepEqual(
    tops,
    [...tops].sort((a, b) => a - b),
    "what comes later stands lower",
  );
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    (tag) => !document.querySelector(tag).shadowRoot.querySelector("wf-scheme-portrait"),
    gallery,
  );
});

test("typing changes the maps that read the text", async () => {
  const { page, portrait } = await follows("shaw");
  await portrait(({ labels }) => labels[0] === "the");
  await page.locator(`${gallery} wf-text-line input`).fill("dog bites man");
  const data = await portrait(({ labels }) => labels.length === 3);
  assert.equal(Object.keys(data.reading.weights).length, 4 * 9);
});

test("the code of the open scheme prints its terms and their sum", async () => {
  const { page, portrait } = await follows("t5");
  const data = await portrait();
  await page.locator("wf-scheme-portrait wf-takeaway button.code").click();
  const code = await page.locator("wf-scheme-portrait wf-takeaway code").textContent();
  const folder = `${root}build/figure-code/`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}gallery.mjs`, code);
  const printed = execFileSync(process.execPath, [`${folder}gallery.mjs`], { encoding: "utf8" });
  const lines = printed.trim().split("\n");
  const expected = [...data.terms.map(({ value }) => value), data.total];
  lines.forEach((line, index) => {
    assert.ok(Math.abs(Number(line.split(" ").at(-1)) - expected[index]) < 1e-4, line);
  });
  assert.equal(lines.length, expected.length);
});
