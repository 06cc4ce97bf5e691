// Position as an angle, step by step: one pair, all pairs, their sum, large distances, the base.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  awaitText,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-turning-pairs");

const tag = "wf-turning-pairs";
const steps = ["one", "many", "sum", "far", "base", "all"];

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session, { path: home });
});
after(() => session.close());

const close = (found, wanted) => assert.ok(Math.abs(found - wanted) < 1e-5, `${found}, ${wanted}`);

const stepOf = (page) => page.locator(tag).evaluate((figure) => figure.step);

/** Waits until the picture is that of a step, by its grids of cells. */
const gridsAre = (page, wanted) =>
  page.waitForFunction(
    ([name, ids]) => {
      const { picture } = document.querySelector(name).shadowRoot.querySelector("wf-scene");
      return picture?.grids.map(({ id }) => id).join() === ids;
    },
    [tag, wanted.join()],
  );

test("one pair: (1, 0) rotated by 45°, and cos(π/4) from positions 1 and 3", async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("en", "&m=2.0"));
  const turned = await numbersOf(page, tag, ({ query, key }) => query === 2 && key === 0);
  for (const number of turned.hands.query) close(number, Math.SQRT1_2);
  assert.deepEqual([...turned.hands.key], [1, 0]);
  await follow(page, fragment("en"));
  const { hands, shiftedHands } = await numbersOf(page, tag, ({ key }) => key === 1);
  assert.deepEqual(hands.at, [3, 1]);
  close(hands.product, Math.cos(Math.PI / 4));
  close(hands.query[0], Math.cos((3 * Math.PI) / 8));
  close(hands.query[1], Math.sin((3 * Math.PI) / 8));
  assert.deepEqual(
    shiftedHands.map(({ at }) => at),
    [0, 1, 11, 101].map((first) => [first + 2, first]),
  );
  for (const { product } of shiftedHands) close(product, Math.SQRT1_2);
  await awaitText(page.locator(`${tag} wf-frame .reading`), /2 apart, 45° .* product is 0\.707/);
  // The other positions stand in one row, under their common product.
  const [row, texts] = await page
    .locator(`${tag} wf-scene`)
    .evaluate(({ picture }) => [
      picture.grids.map(({ rows, columns }) => [rows, columns]).at(-1),
      picture.marks.flatMap(({ text }) => text ?? []),
    ]);
  assert.deepEqual(row, [1, 4]);
  for (const said of ["0 and 2", "101 and 103", /the same product 0\.707$/])
    assert.ok(
      texts.some((text) => text.match(said)),
      `${said}`,
    );
  assert.deepEqual(complaints, []);
});

test("steps are walked by key and by click, each is in the address, and shows more", async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("en"));
  await numbersOf(page, tag);
  await gridsAre(page, ["hand", "places"]);
  await page.locator(`${tag} wf-choice.step input`).first().focus();
  await page.keyboard.press("ArrowRight");
  await gridsAre(page, ["pairs", "waves"]);
  assert.equal(await stepOf(page), "many");
  await page.waitForFunction(() => location.hash.includes("ms=many"));
  const next = page.locator(`${tag} button.next`);
  const seen = [];
  for (let step = 0; step < steps.length; step++) {
    const before = await stepOf(page);
    await next.click();
    await page.waitForFunction(
      ([name, was]) => document.querySelector(name).step !== was,
      [tag, before],
    );
    seen.push(await stepOf(page));
  }
  assert.deepEqual(seen, ["sum", "far", "base", "all", "one", "many"]);
  for (const step of ["far", "base", "all"]) {
    await follow(page, fragment("en", `&ms=${step}`));
    await gridsAre(page, ["pairs", "distances"]);
  }
  // The base can be changed only in the step that shows the bound.
  assert.equal(await page.locator(`${tag} wf-choice.base`).count(), 1);
  await follow(page, fragment("en", "&ms=sum"));
  await page.locator(`${tag} wf-choice.base`).waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});

test("by distance, each pair adds its cosine, and the pairs sum to the score", async () => {
  const { page } = reader;
  await follow(page, fragment("en", "&ms=sum"));
  const { shares, scores, frequencies } = await numbersOf(page, tag);
  const rates = Object.values(frequencies);
  for (const distance of [0, 1, 2, 63, 64, 256]) {
    const own = rates.map((_, pair) => shares[distance * rates.length + pair]);
    for (const [pair, rate] of rates.entries())
      assert.ok(Math.abs(own[pair] - Math.cos(distance * rate)) < 1e-4, `${distance}, ${pair}`);
    const sum = own.reduce((total, share) => total + share, 0);
    assert.ok(Math.abs(sum - scores[distance]) < 1e-4, `${distance}`);
  }
});

test("large distances: the minimum of the score, and where it returns", async () => {
  const { page } = reader;
  await follow(page, fragment("en", "&ms=far"));
  const { scores } = await numbersOf(page, tag);
  const reading = page.locator(`${tag} wf-frame .reading`);
  await awaitText(reading, /At distance \d+ it has fallen/);
  const said = await reading.textContent();
  const [, low, min, high, max] =
    /distance (\d+) it has fallen to (−?[\d.]+), .* at (\d+) it is back at (\d\.\d+)/.exec(said);
  const list = Object.values(scores);
  const rise = Number(max) - Number(min.replace("−", "-"));
  for (const [at, score] of list.entries()) {
    const highest = Math.max(...list.slice(at));
    assert.ok((highest - score) / list[0] < rise + 1e-3, `from ${at}`);
  }
  assert.ok(Math.abs((list[high] - list[low]) / list[0] - rise) < 1e-3, said);
});

test("sentences of the article open the step that they describe", async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("zh"));
  await numbersOf(page, tag);
  const says = (asked) => page.locator(`a[data-shows="${asked}"]:visible`).first();
  await says("turningStep:far turningBase:10000").click();
  await awaitText(page.locator(`${tag} wf-frame h3`), "隔得远了，得分还会回来");
  await says("turningStep:base turningBase:1.0001").click();
  await awaitNumbers(page, tag, ({ theta }) => theta < 2);
  await awaitText(page.locator(`${tag} wf-frame .reading`), /各?对转得一样快/);
  const asked = await page
    .locator("a[data-shows]")
    .evaluateAll((links) => links.map(({ dataset }) => dataset.shows));
  const named = asked.flatMap((text) => /turningStep:(\w+)/.exec(text)?.slice(1) ?? []);
  // Every step has a link, except the one that the figure opens with, and the sum.
  assert.deepEqual(
    steps.filter((step) => !named.includes(step)),
    ["one", "sum"],
  );
  assert.deepEqual(complaints, []);
});
