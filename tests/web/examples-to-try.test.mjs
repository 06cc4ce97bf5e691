// Example texts: a click or a key puts one into the field, and the previous text can be restored.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  fragment,
  goTo,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const chase = "wf-who-chases";
const order = "wf-causal-order";
const gallery = "wf-scheme-gallery";
const heads = "wf-real-heads";
const lab = "wf-lab";

/** Returns the example texts of a figure. */
const offered = (page, tag) => page.locator(`${tag} wf-text-line`).first().locator(".example");
const field = (page, tag) => page.locator(`${tag} wf-text-line`).first().locator("input, textarea");

for (const [language, pair] of [
  ["en", "cat eats fish"],
  ["zh", "猫吃鱼"],
]) {
  test(`who chases whom, ${language}: each example swaps two of its words`, async () => {
    const { page, complaints, close } = await openPage(session, {
      path: pathOfFigure(chase),
      hash: fragment(language),
    });
    const texts = [];
    await numbersOf(page, chase);
    for (const example of await offered(page, chase).all()) {
      const text = await example.textContent();
      texts.push(text);
      await example.click();
      const said = text.replaceAll(" ", "");
      const { tokensA, tokensB } = await awaitNumbers(
        page,
        chase,
        (data) => data.tokensA.join("") === said,
      );
      assert.ok(tokensA.length > 2, text);
      assert.notDeepEqual(tokensA, tokensB);
      assert.deepEqual([...tokensA].sort(), [...tokensB].sort());
      assert.equal(await example.getAttribute("aria-current"), "true");
      assert.equal(await field(page, chase).inputValue(), text);
    }
    assert.ok(texts.includes(pair), texts.join());
    const first = await awaitNumbers(page, chase);
    assert.equal(first.tokensA.join(""), texts.at(-1).replaceAll(" ", ""));
    assert.deepEqual(complaints, []);
    await close();
  });

  test(`causal order, ${language}: each example has three words to exchange`, async () => {
    const { page, close } = await openPage(session, {
      path: pathOfFigure(chase),
      hash: fragment(language),
    });
    await numbersOf(page, order);
    for (const example of await offered(page, order).all()) {
      const text = await example.textContent();
      await example.click();
      const { tokens, swapped } = await awaitNumbers(
        page,
        order,
        (data) => data.tokens.join(" ") === text,
      );
      assert.equal(tokens.length, 3);
      assert.notEqual(swapped[0], tokens[0]);
      assert.equal(swapped[2], tokens[2]);
    }
    await close();
  });
}

test("a reader's own text is restored by its button and by the browser's back button", async () => {
  const { page, complaints, close } = await openPage(session, {
    path: pathOfFigure(chase),
    isAlone: true,
  });
  const first = ({ tokensA }) => tokensA[0];
  await numbersOf(page, chase);
  await field(page, chase).fill("Ann helps Bob");
  await awaitNumbers(page, chase, (data) => first(data) === "Ann");
  // Typed text becomes a history entry after a delay.
  await page.waitForFunction(() => location.hash.includes("Ann"));
  await offered(page, chase).nth(1).focus();
  await page.keyboard.press("Enter");
  await awaitNumbers(page, chase, ({ tokensA }) => tokensA[1] === "eats");
  await page.locator(`${chase} wf-text-line .previous`).click();
  await awaitNumbers(page, chase, (data) => first(data) === "Ann");
  assert.equal(await page.locator(`${chase} wf-text-line .previous`).count(), 0);
  await page.waitForFunction(() => location.hash.includes("Ann"));
  await offered(page, chase).nth(1).click();
  await page.waitForFunction(() => location.hash.includes("eats"));
  await page.goBack();
  await awaitNumbers(page, chase, (data) => first(data) === "Ann");
  assert.equal(await field(page, chase).inputValue(), "Ann helps Bob");
  assert.deepEqual(complaints, []);
  await close();
});

test("an example equal to the language's default text keeps following the language", async () => {
  const { page, close } = await openPage(session, {
    path: pathOfFigure(chase),
    hash: fragment("en", "&a=dog+bites+man"),
  });
  await numbersOf(page, chase);
  await offered(page, chase).first().click();
  await awaitNumbers(page, chase, ({ tokensA }) => tokensA[0] === "cat");
  await page.waitForFunction(() => !location.hash.includes("dog"));
  await page.locator("wf-bar .language").click();
  await awaitNumbers(page, chase, ({ tokensA }) => tokensA[0] === "猫");
  await close();
});

/** By language: a text, and words that move it to later positions. */
const shifted = { en: ["would eat", "When I was a child"], zh: ["我喜欢吃苹果", "小时候"] };

for (const [language, [sentence, before]] of Object.entries(shifted))
  test(`heads, gallery and lab, ${language}: a sentence, also at later positions`, async () => {
    const hash = fragment(language);
    const { page, close } = await openPage(session, { path: pathOfFigure(heads), hash });
    const visit = (tag) => goTo(session, page, pathOfFigure(tag), hash);
    await numbersOf(page, heads);
    const texts = await offered(page, heads).allTextContents();
    const late = texts.findIndex((text) => text.startsWith(before));
    assert.ok(texts[late].includes(sentence), texts[late]);
    assert.ok(texts[late].slice(before.length).includes(texts[late - 1].slice(1)), texts.join());
    const sorted = (text) => [...text.toLowerCase()].sort().join("");
    assert.equal(sorted(texts[1]), sorted(texts[2]));
    await offered(page, heads).nth(late).click();
    const { tokens } = await awaitNumbers(
      page,
      heads,
      (data) => data.tokens.join("") === texts[late],
    );
    assert.ok(!tokens.includes("□"));
    await visit(lab);
    await numbersOf(page, lab, ({ maps }) => maps?.length);
    await offered(page, lab).nth(1).click();
    await awaitNumbers(page, lab, (data) => data.tokens.join("") === texts[1]);
    await visit(gallery);
    await numbersOf(page, gallery);
    const inGallery = await offered(page, gallery).allTextContents();
    assert.equal(sorted(inGallery[1]), sorted(inGallery[2]));
    await offered(page, gallery).last().click();
    await page.waitForFunction(
      ({ tag, text }) =>
        [...document.querySelector(tag).shadowRoot.querySelectorAll("wf-scheme-card")].every(
          (card) => card.tokens.join("") === text.replaceAll(" ", ""),
        ),
      { tag: gallery, text: inGallery.at(-1) },
    );
    await close();
  });

test("on a touch screen, examples are large enough for a finger", async () => {
  const { page, close } = await openPage(session, {
    path: pathOfFigure(chase),
    hash: fragment("zh"),
    width: 390,
    hasTouch: true,
    isMobile: true,
  });
  await numbersOf(page, chase);
  for (const example of await offered(page, chase).all()) {
    const { width, height } = await example.boundingBox();
    assert.ok(width >= 44 && height >= 44, `${width} × ${height}`);
  }
  await close();
});
