// The numbers of figures equal independent computations.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  bringIntoView,
  cellAt,
  fragment,
  goTo,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
  pathOfFigure,
  settled,
} from "./browser.mjs";

const home = pathOfFigure("wf-real-heads");

const blind = "nope";
const rotary = "rope";
const byDistance = "alibi";
const close = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} and ${b}`);

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

let reader;

/** Returns the page that tests share if they need only a state of it. */
async function readerAt(language, more, path = pathOfFigure(chase)) {
  reader ??= await openPage(session);
  const { page, complaints } = reader;
  await goTo(session, page, path, fragment(language, more));
  await page.waitForFunction((lang) => document.documentElement.lang.startsWith(lang), language);
  return { page, complaints };
}

const chase = "wf-who-chases";
/** The address of the first figure in its first state, except for these settings. */
const chaseWith = ({ scheme = blind, unit = "word" } = {}) => `&a=&as=0.2&ap=${scheme}&au=${unit}`;

for (const language of ["en", "zh"]) {
  test(`who chases whom, ${language}: one map without positions, two with`, async () => {
    const { page, complaints } = await readerAt(language, chaseWith());
    const first = language === "en" ? "cat" : "猫";
    const without = await numbersOf(
      page,
      chase,
      ({ scheme, tokensA }) => scheme === blind && tokensA[0] === first,
    );
    assert.ok(without.largestDifference < 1e-5, `${without.largestDifference}`);
    assert.ok(without.pooledDifference < 1e-5, `${without.pooledDifference}`);
    assert.equal(without.tokensA.length, 3);
    await page.locator(`${chase} wf-choice.positions label`).nth(1).click();
    const withRotation = await numbersOf(page, chase, ({ scheme }) => scheme === rotary);
    assert.ok(withRotation.largestDifference > 1e-3, `${withRotation.largestDifference}`);
    const reading = await page.locator(`${chase} .reading`).textContent();
    const said = withRotation.largestDifference;
    assert.ok(reading.includes(String(Number(said.toPrecision(said < 0.1 ? 2 : 3)))), reading);
    assert.deepEqual(complaints, []);
  });
}

test("who chases whom: an unsigned distance detects a swap, but not a reversal", async () => {
  const { page } = await readerAt("en", chaseWith({ scheme: byDistance }));
  const reversed = await numbersOf(
    page,
    chase,
    ({ scheme, tokensA }) => scheme === byDistance && tokensA[0] === "cat",
  );
  assert.ok(reversed.largestDifference < 1e-5, `${reversed.largestDifference}`);
  await page.locator(`${chase} wf-pick select`).nth(1).selectOption("1");
  const neighbours = await numbersOf(page, chase, ({ tokensB }) => tokensB[0] === "chases");
  assert.ok(neighbours.largestDifference > 1e-3, `${neighbours.largestDifference}`);
});

test("who chases whom: typing and characters, with repeated tokens", async () => {
  const { page, complaints } = await readerAt("zh", chaseWith({ unit: "character" }));
  const characters = await numbersOf(
    page,
    chase,
    ({ scheme, tokensA }) => scheme === blind && tokensA.length === 4,
  );
  assert.deepEqual(characters.tokensA, ["猫", "追", "老", "鼠"]);
  assert.deepEqual(characters.tokensB, ["老", "鼠", "追", "猫"]);
  await page.locator(`${chase} input[type=text]`).fill("猫 追 猫");
  const typed = await numbersOf(page, chase, ({ tokensA }) => tokensA.length === 3);
  assert.ok(typed.largestDifference < 1e-5);
  await page.locator(`${chase} input[type=text]`).fill("猫");
  await page.locator(`${chase} .remark`).waitFor();
  assert.deepEqual(complaints, []);
});

test("causal order: the last token needs a mask and two layers to change", async () => {
  const { page, complaints } = await readerAt("en", "");
  for (let click = 0; click < 3; click++) {
    const { cases, seed } = await numbersOf(
      page,
      "wf-causal-order",
      (data) => data.seed === 1 + click,
    );
    assert.deepEqual(
      cases.map(({ isCausal, numLayers }) => [isCausal, numLayers]),
      [
        [false, 2],
        [true, 1],
        [true, 2],
      ],
    );
    assert.ok(cases[0].lastDifference < 1e-5, `seed ${seed}: ${cases[0].lastDifference}`);
    assert.ok(cases[1].lastDifference < 1e-5, `seed ${seed}: ${cases[1].lastDifference}`);
    assert.ok(cases[2].lastDifference > 1e-3, `seed ${seed}: ${cases[2].lastDifference}`);
    await page.locator("wf-causal-order button.weights").click();
  }
  assert.deepEqual(complaints, []);
});

const turning = "wf-turning-pairs";

test("pairs: the cosines of their angles sum to the score at all positions", async () => {
  const { page, complaints } = await readerAt("en", "&m=12.5&ms=all", pathOfFigure(turning));
  const near = await numbersOf(page, turning, ({ query, key }) => query === 12 && key === 5);
  const { frequencies, pairs, score, scores, bounds } = near;
  const list = (numbers) => Object.values(numbers);
  // RoFormer, section 3.2.2: θ_i = 10000^(−2i/d).
  list(frequencies).forEach((frequency, i) => {
    close(frequency, 10000 ** (-i / 8), 1e-6);
    close(pairs[i], Math.cos(7 * frequency), 1e-5);
  });
  close(
    list(pairs).reduce((sum, share) => sum + share, 0),
    score,
    1e-5,
  );
  close(score, scores[7], 1e-5);
  for (const [distance, max] of list(bounds).entries()) assert.ok(scores[distance] <= max + 1e-4);
  assert.ok(
    list(scores).some((at, distance) => distance > 20 && at > 1.3 * scores[distance - 10]),
    "the score never rises again at large distances",
  );
  await page.locator(`${turning} wf-slider.both input`).fill("45");
  const far = await numbersOf(page, turning, ({ key }) => key === 45);
  assert.equal(far.query, 52);
  close(far.score, score, 1e-4);
  await page.locator(`${turning} wf-choice.base label`).first().click();
  const alike = await numbersOf(page, turning, ({ theta }) => theta < 2);
  close(alike.score, 8 * Math.cos(7), 1e-2);
  assert.match(await page.locator(`${turning} .reading`).textContent(), /turn alike/);
  assert.deepEqual(complaints, []);
});

test("positions in an address beyond the sliders' range are moved into it", async () => {
  const { page } = await readerAt("zh", "&m=900.3", pathOfFigure(turning));
  const { query, key } = await numbersOf(page, turning, (data) => data.key === 3);
  assert.deepEqual([query, key], [64, 3]);
});

const trained = [blind, rotary, byDistance].every((id) =>
  existsSync(`${pageFolder}/models/${id}/model.safetensors`),
);
const unlessTrained = trained ? false : "the models are not trained yet";

for (const language of ["en", "zh"]) {
  test(`trained heads, ${language}: maps, sums and distances agree`, {
    skip: unlessTrained,
  }, async () => {
    const { page, complaints } = await readerAt(language, "", home);
    const isOwn = ({ tokens }) => /\p{Script=Han}/u.test(tokens.join("")) === (language === "zh");
    const heads = await numbersOf(page, "wf-real-heads", isOwn);
    const n = heads.tokens.length;
    assert.deepEqual(
      heads.byScheme.map(({ scheme }) => scheme),
      [blind, rotary, byDistance],
    );
    for (const { weights } of heads.byScheme) {
      const list = Object.values(weights);
      assert.equal(list.length, heads.numLayers * heads.numHeads * n * n);
      for (let row = 0; row < list.length / n; row++) {
        const sum = list.slice(row * n, (row + 1) * n).reduce((total, weight) => total + weight, 0);
        close(sum, 1, 1e-4);
        assert.ok(
          list.slice(row * n + (row % n) + 1, (row + 1) * n).every((weight) => weight === 0),
        );
      }
    }
    const { sums } = await numbersOf(page, "wf-score-terms");
    for (const { scheme, terms, total, pairs } of sums) {
      const added = terms.reduce((sum, { value }) => sum + value, 0);
      close(added, total, 1e-4);
      assert.equal(terms[0].name, "content");
      assert.equal(terms.length, scheme === blind ? 1 : 2);
      if (scheme === rotary)
        close(
          Object.values(pairs).reduce((sum, value) => sum + value, 0),
          total,
          1e-3,
        );
    }
    const { curves } = await numbersOf(page, "wf-distance-curve");
    for (const { values, nearShare } of curves) {
      assert.ok(Object.values(values).every((value) => value >= 0 && value <= 1));
      assert.ok(nearShare > 0 && nearShare <= 1.0001);
    }
    assert.deepEqual(complaints, []);
  });
}

test("trained heads: the newest text wins, and selecting a head changes all figures", {
  skip: unlessTrained,
}, async () => {
  const { page, complaints } = await readerAt("en", "", home);
  await numbersOf(page, "wf-score-terms");
  await numbersOf(page, "wf-real-heads");
  const field = page.locator("wf-real-heads textarea");
  await field.fill("");
  await field.pressSequentially("In the beginning God created the heaven", { delay: 5 });
  const typed = await numbersOf(page, "wf-real-heads", ({ tokens }) =>
    tokens.join("").endsWith("heaven"),
  );
  assert.equal(typed.tokens.join(""), "In the beginning God created the heaven");
  await page.locator("wf-real-heads wf-choice.layer label").nth(2).click();
  await page.locator("wf-real-heads wf-choice.head label").nth(3).click();
  const chosen = await numbersOf(
    page,
    "wf-real-heads",
    (data) => data.layer === 2 && data.head === 3,
  );
  await numbersOf(page, "wf-score-terms");
  assert.equal(chosen.byScheme.length, 3);
  assert.match(page.url(), /v=1/);
  assert.deepEqual(complaints, []);
});

test("trained heads: a hovered cell is marked in all figures, until the pointer leaves", {
  skip: unlessTrained,
}, async () => {
  const { page, complaints, close: end } = await openPage(session, { path: home });
  await numbersOf(page, "wf-score-terms");
  const before = await numbersOf(page, "wf-real-heads");
  const maps = page.locator("wf-real-heads wf-scene.maps");
  const canvas = maps.locator("canvas");
  // Figures nearby grow when their numbers arrive.
  await awaitNumbers(page, "wf-distance-curve");
  await bringIntoView(canvas);
  await settled(canvas);
  const at = (row, column) => cellAt(maps, byDistance, row, column);
  await canvas.hover({ position: await at(6, 3) });
  await awaitNumbers(
    page,
    "wf-real-heads",
    ({ active }) => active.row === 6 && active.column === 3,
  );
  const terms = await awaitNumbers(page, "wf-score-terms");
  assert.deepEqual([terms.row, terms.column], [6, 3]);
  await page.mouse.move(5, 5);
  await awaitNumbers(page, "wf-real-heads", ({ active }) => active.row === before.active.row);
  await canvas.click({ position: await at(7, 2) });
  await page.mouse.move(5, 5);
  const after = await awaitNumbers(page, "wf-real-heads", ({ active }) => active.row === 7);
  assert.equal(after.active.column, 2);
  assert.deepEqual(complaints, []);
  await end();
});

test("if models cannot be loaded a figure says so, and the article still works", async () => {
  const { page, close: end } = await openPage(session, {
    path: home,
    prepare: (page) => page.route("**/tokenizer.json", (route) => route.abort()),
  });
  await bringIntoView(page.locator("wf-real-heads"));
  await page.locator("wf-real-heads .failure").waitFor();
  const said = await page.locator("wf-real-heads .failure").textContent();
  assert.match(said, /did not arrive/);
  await goTo(session, page, "", fragment("en"));
  assert.ok(await numbersOf(page, "wf-who-chases"));
  await end();
});
