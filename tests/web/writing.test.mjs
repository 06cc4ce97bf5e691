// A model that writes: each word adds a row, which stays; the reader can stop it, and mark a word.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  awaitText,
  follow,
  fragment,
  longestMilliseconds,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";
import { runCodeOf } from "./figure-code.mjs";

const tag = "wf-writing";

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session, { path: pathOfFigure(tag) });
});
after(() => session.close());

const written = (count) => (data) => data.written.length === count && data.count === count;
const sumOf = (row) => row.reduce((sum, value) => sum + value, 0);

for (const language of ["en", "zh"])
  test(`each word has a row over all words up to itself, ${language}`, async () => {
    const { page, complaints } = reader;
    await follow(page, fragment(language, "&wn=6"));
    const { promptTokens, rows, tokens, layer, head } = await numbersOf(page, tag, written(6));
    assert.deepEqual([layer, head, rows.length, tokens.length], [3, 2, 6, promptTokens + 6]);
    for (const [row, { weights, terms }] of rows.entries()) {
      const shares = Object.values(weights);
      assert.equal(shares.length, promptTokens + row + 1);
      assert.ok(Math.abs(sumOf(shares) - 1) < 1e-5);
      assert.deepEqual(Object.keys(terms), ["content", "rotation"]);
    }
    const spans = page.locator(`${tag} .text .token`);
    assert.equal(await spans.count(), tokens.length);
    assert.equal(await page.locator(`${tag} .text [aria-current="true"]`).count(), 1);
    assert.deepEqual(complaints, []);
  });

test("more words leave the first ones and their rows as they were", async () => {
  const { page } = reader;
  await follow(page, fragment("en", "&wn=4"));
  const before = await numbersOf(page, tag, written(4));
  await page.locator(`${tag} button.play`).first().click();
  await numbersOf(page, tag, (data) => data.written.length > 8);
  await page.locator(`${tag} button.play`).first().click();
  // The word that was in progress still comes.
  const count = await page.locator(tag).evaluate((figure) => figure.count);
  const after = await numbersOf(page, tag, written(count));
  assert.deepEqual(after.written.slice(0, 4), before.written);
  for (const [row, { weights }] of before.rows.entries())
    for (const [at, weight] of Object.entries(weights))
      assert.ok(Math.abs(after.rows[row].weights[at] - weight) < 1e-5, `row ${row}`);
  // The number of words is part of the address, and so is another draw.
  await page.waitForURL(new RegExp(`wn=${count}`), { timeout: longestMilliseconds });
  await page.locator(`${tag} button.draw`).click();
  await awaitNumbers(page, tag, ({ seed }) => seed === 2);
  await page.waitForURL(/wd=2/, { timeout: longestMilliseconds });
});

test("a word, a head and a model can be chosen", async () => {
  const { page } = reader;
  await follow(page, fragment("en", "&wn=5&wm=nope&wl=0&we=1"));
  const { rows, scheme, tokens, promptTokens } = await numbersOf(page, tag, written(5));
  assert.equal(scheme, "nope");
  assert.deepEqual(Object.keys(rows[0].terms), ["content"]);
  await page.locator(`${tag} .text .written`).first().click();
  const { row } = await numbersOf(page, tag, (data) => data.row === 0);
  assert.equal(row, 0);
  const word = tokens[promptTokens].trim();
  await awaitText(page.locator(`${tag} .reading`), new RegExp(`“-?${word}” looked most at`));
});

test("its code writes the same text", async () => {
  const { page } = reader;
  await follow(page, fragment("en", "&wn=6"));
  const { rows, tokens, promptTokens } = await numbersOf(page, tag, written(6));
  const lines = await runCodeOf(page, tag);
  assert.equal(lines.length, 6);
  for (const [row, { weights }] of rows.entries()) {
    const shares = Object.values(weights);
    const best = Math.max(...shares);
    const key = tokens[shares.indexOf(best)];
    const word = tokens[promptTokens + row];
    assert.equal(lines[row].trim(), `${word} → ${key} ${best.toFixed(4)}`.trim());
  }
});
