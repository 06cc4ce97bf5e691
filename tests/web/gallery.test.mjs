// The gallery of schemes: every registered scheme is a card; its picture follows from its hooks;
// links and keys open it. Numbers of the open scheme: open-scheme.test.mjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
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
  pathOfFigure,
} from "./browser.mjs";
import { trainedTensors } from "./trained-tensors.mjs";

const home = pathOfFigure("wf-scheme-gallery");

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
  const opened = await openPage(session, { path: home, hash: fragment(language, more), ...rest });
  await numbersOf(opened.page, gallery);
  return { ...opened, portrait: (ready) => numbersOf(opened.page, open, ready) };
}

let reader;

/**
 * Follows a link to a scheme, its options and the default text, in the page that most tests share.
 */
async function follows(scheme, options = "", language = "en") {
  reader ??= await openGallery();
  const { page, complaints } = reader;
  await follow(page, fragment(language, `&g=${scheme}&go=${options}&gt=`));
  const portrait = (ready = () => true) =>
    reader.portrait((data) => (data.scheme === scheme || scheme === "-") && ready(data));
  return { page, complaints, portrait };
}

/** Scrolls through all cards; returns id, title, summary and kind of picture of each. */
async function readCards(page) {
  await bringIntoView(page.locator("wf-scheme-card").first());
  return page.locator(gallery).evaluate(async (node) => {
    const cards = [];
    for (const card of node.shadowRoot.querySelectorAll("wf-scheme-card")) {
      card.scrollIntoView({ block: "center" });
      while (!card.data && !card.failure) await new Promise(requestAnimationFrame);
      const textOf = (selector) => card.shadowRoot.querySelector(selector).textContent.trim();
      cards.push({
        id: card.description.id,
        title: textOf("h3"),
        summary: textOf(".summary"),
        failure: card.failure?.message,
        kind: card.data?.picture.kind,
      });
    }
    return cards;
  });
}

/** The kind of picture by scheme, once the cards have been read. */
let kinds;

for (const language of ["en", "zh"]) {
  test(`${language}: every registered scheme is a card with text and picture`, async () => {
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
  assert.equal(kinds.rope, "rotation");
  assert.equal(kinds.fire, "bias", "not a bias that its hook computes without content");
  assert.equal(kinds.shaw, "attention", "not a bias that needs content");
  assert.equal(kinds.nope, "attention");
});

/** Scrolls to the cards of some schemes; returns their numbers and captions. */
function shownBy(page, ids) {
  return page.locator(gallery).evaluate(async (node, wanted) => {
    const found = {};
    const addedIn = (terms) => Object.entries(terms).find(([name]) => name !== "content")[1];
    for (const card of node.shadowRoot.querySelectorAll("wf-scheme-card")) {
      if (!wanted.includes(card.description.id)) continue;
      card.scrollIntoView({ block: "center" });
      while (!card.data) await new Promise(requestAnimationFrame);
      const { picture, record } = card.data;
      found[card.description.id] = {
        values: [...(picture.values ?? picture.curves ?? addedIn(record.terms))],
        positions: picture.positions,
        family: card.shadowRoot.querySelector(".family").textContent,
      };
    }
    return found;
  }, ids);
}

/** Numbers are shown with three digits. */
const agrees = (shown, exact, name) =>
  assert.ok(Math.abs(shown - exact) <= 0.006 * Math.abs(exact), `${name}: ${shown}, not ${exact}`);

test("cards of learned schemes show trained values, and initial values after a click", async () => {
  const { page, complaints } = await follows("-");
  const ids = ["t5", "learned", "cope", "alibi"];
  const trained = await shownBy(page, ids);
  const biases = trainedTensors("t5")("model.position.t5.relative_attention_bias");
  for (const head of [0, 3])
    for (const distance of [0, 1, 7, 15]) {
      const { values, positions } = trained.t5;
      const shown = values[head * positions + positions - 1 - distance];
      agrees(shown, biases[distance * 4 + head], `head ${head}, ${distance} back`);
    }
  const rows = trainedTensors("learned")("model.position.learned.embeddings");
  for (const [position, channel] of [
    [0, 0],
    [7, 31],
    [63, 5],
  ])
    agrees(
      trained.learned.values[position * 32 + channel],
      rows[position * 128 + channel],
      channel,
    );
  assert.ok(trained.cope.values.some((value) => value !== 0));
  const tagOf = ({ family }) => family.split(" · ")[2];
  assert.deepEqual(
    ids.map((id) => tagOf(trained[id])),
    ["trained", "trained", "trained", undefined],
  );
  const choices = page.locator(`${gallery} wf-choice.values label`);
  await choices.nth(1).click();
  await page.waitForFunction(() => location.hash.includes("gv=initial"));
  const initial = await page.waitForFunction(
    ([tag, before]) => {
      const cards = [...document.querySelector(tag).shadowRoot.querySelectorAll("wf-scheme-card")];
      const { data } = cards.find(({ description }) => description.id === "t5");
      return data && data.picture.curves[63] !== before && [...data.picture.curves];
    },
    [gallery, trained.t5.values[63]],
  );
  assert.equal((await initial.jsonValue()).length, trained.t5.values.length);
  const begins = await shownBy(page, ids);
  assert.ok(
    begins.cope.values.every((value) => value === 0),
    "CoPE does not begin with zeros",
  );
  assert.equal(tagOf(begins.t5), "untrained");
  assert.deepEqual(begins.alibi.values, trained.alibi.values);
  await choices.nth(0).click();
  await page.waitForFunction(() => !location.hash.includes("gv="));
  assert.deepEqual(complaints, []);
});

test("the first of many options are visible, the others in details that a link opens", async () => {
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

for (const width of [390, 1280])
  test(`an open scheme's description is there once, ${width} wide`, async () => {
    const { page, portrait, close } = await openGallery("&g=rope", { width });
    await portrait();
    const said = await page.locator(gallery).evaluate((node) => {
      const roots = [node.shadowRoot];
      for (const part of node.shadowRoot.querySelectorAll("[open], wf-scheme-portrait"))
        if (part.shadowRoot) roots.push(part.shadowRoot);
      return roots
        .flatMap((root) => [...root.querySelectorAll(".summary, .paper a")])
        .filter((part) => part.checkVisibility())
        .map((part) => part.textContent.trim());
    });
    // The summary, its paper, and the link to its page.
    assert.equal(said.length, 3, said.join("\n"));
    const options = page.locator("wf-option-form .option");
    const inView = await options.evaluateAll(
      (nodes) => nodes.filter((node) => node.checkVisibility()).length,
    );
    assert.equal(inView, width < 500 ? 2 : 6);
    await close();
  });

test("a link to the first card scrolls to it, also after a change", async () => {
  const { page, close } = await openGallery("&go=ropeTheta:500000&at=schemes");
  await awaitNumbers(page, open);
  const top = await page.locator(open).evaluate((node) => node.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 900, `${top}`);
  await close();
});

test("a link opens scheme, options, text, head and cell", async () => {
  const more = "&g=alibi&gt=dog+bites+man&gh=2&gc=2.0&at=schemes";
  const { page, close } = await openGallery(more);
  // Following the link is enough to scroll there.
  const data = await awaitNumbers(page, open);
  const top = await page
    .locator("wf-scheme-portrait")
    .evaluate((node) => node.getBoundingClientRect().top);
  assert.ok(top >= 0 && top < 900, `the open scheme is not in view, at ${top}`);
  assert.equal(data.scheme, "alibi");
  assert.deepEqual(data.labels, ["dog", "bites", "man"]);
  assert.deepEqual([data.head, data.active], [2, { row: 2, column: 0 }]);
  const distance = data.terms.find(({ name }) => name === "distance");
  assert.ok(
    Math.abs(distance.value + 2 * 2 ** -6) < 1e-6,
    "not two words back with the third of four slopes",
  );
  await close();
});

test("an invalid address still opens the page", async () => {
  const { page, complaints, close } = await openGallery("&g=nonsense&go=a:b;;ropeTheta:-1&gc=9");
  assert.equal(await page.locator("wf-scheme-portrait").count(), 0);
  assert.equal(await page.locator("wf-scheme-card").count(), wf.schemes.length);
  assert.deepEqual(complaints, []);
  await close();
});

test("cards open by keyboard, below their row, and announce whether they are open", async () => {
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
    "a later part is not lower",
  );
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    (tag) => !document.querySelector(tag).shadowRoot.querySelector("wf-scheme-portrait"),
    gallery,
  );
});
