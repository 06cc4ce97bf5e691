// The cache: its size by formula, why a rotation prevents merging matrices, and measured forms of
// decoding.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  awaitText,
  clickAndSee,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";
import { runCodeOf } from "./figure-code.mjs";

const home = pathOfFigure("wf-cache-bytes");

const bytes = "wf-cache-bytes";
const absorption = "wf-absorption";
const decoding = "wf-decoding-forms";
const close = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} and ${b}`);
const list = (numbers) => Object.values(numbers);

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session, { path: home });
});
after(() => session.close());

const numbersOfCode = async (tag) =>
  (await runCodeOf(reader.page, tag)).map((line) => Number(line.split(" ").at(-1)));

test("DeepSeek's sizes store 576 numbers, and other kinds those of their formula", async () => {
  const { page, complaints } = reader;
  const { numbers } = await numbersOf(page, bytes);
  assert.deepEqual(numbers, {
    mha: 2 * 128 * 128,
    gqa: 2 * 8 * 128,
    mqa: 2 * 128,
    latent: 512 + 64,
  });
  const reading = await page.locator(`${bytes} .reading`).textContent();
  assert.match(reading, /512 \+ 64 = 576 numbers/);
  assert.match(reading, /GQA with 2\.25 groups/);
  // 60 layers, 131,072 tokens, two bytes.
  const total = 576 * 2 * 60 * 131072;
  assert.ok(reading.includes(`${(total / 1e9).toPrecision(3)}\u00a0GB`), reading);
  assert.deepEqual(await numbersOfCode(bytes), [32768, 2048, 256, 576]);
  assert.deepEqual(complaints, []);
});

test("sizes can be changed, are adjusted, and are stored in the address", async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("zh", "&ks=12.8.65.128.31.4.2"));
  // 8 does not divide 12, and rotated channels come in pairs.
  const { groups, headDim, slice, numbers } = await numbersOf(
    page,
    bytes,
    ({ numHeads }) => numHeads === 12,
  );
  assert.deepEqual([groups, headDim, slice], [6, 64, 30]);
  assert.deepEqual(numbers, { mha: 1536, gqa: 768, mqa: 128, latent: 158 });
  const figure = page.locator(bytes);
  await figure.locator("wf-slider input").first().fill("16");
  await awaitNumbers(page, bytes, ({ numHeads }) => numHeads === 16);
  await page.waitForFunction(() => /ks=16\./.test(location.hash));
  await figure.locator("details.table summary").click();
  assert.equal(await figure.locator("tbody tr").count(), 4);
  await figure.locator("wf-choice.model label").nth(1).click();
  await awaitNumbers(page, bytes, (data) => data.numbers.latent === 576);
  await follow(page, fragment("en", "&ks=1.2"));
  await awaitNumbers(page, bytes, ({ numHeads }) => numHeads === 128);
  assert.deepEqual(complaints, []);
});

test("a matrix with a rotation depends on the distance, one without does not", async () => {
  const { page, complaints } = reader;
  const at = async (distance) => {
    await follow(page, fragment("en", `&kb=${distance}`));
    return numbersOf(page, absorption, (data) => data.distance === distance);
  };
  const none = await at(0);
  assert.equal(none.change, 0);
  assert.deepEqual(list(none.rotated), list(none.plain));
  const near = await at(1);
  const far = await at(20);
  assert.deepEqual(list(near.plain), list(none.plain));
  assert.deepEqual(list(far.plain), list(none.plain));
  assert.ok(near.change > 0.1 && far.change > 0.1);
  assert.notDeepEqual(list(near.rotated), list(far.rotated));
  // With equal queries and keys the rotated part is largest at distance 0, without rotation.
  const content = list(far.content);
  for (const value of content) close(value, content[0], 1e-5);
  const position = list(far.position);
  assert.ok(Math.max(...position) === position[0] && Math.min(...position) < 0.9 * position[0]);
  const [change, ...rows] = await numbersOfCode(absorption);
  close(change, far.change, 1e-5);
  for (const [row, sum] of rows.entries()) {
    const entries = list(far.rotated).slice(row * 8, (row + 1) * 8);
    const expected = entries.reduce((a, b) => a + b, 0);
    close(sum, expected, 1e-4);
  }
  const slider = page.locator(`${absorption} wf-slider input`);
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await awaitNumbers(page, absorption, ({ distance }) => distance === 21);
  await page.locator(`${absorption} [role=gridcell]`).first().focus();
  await page.keyboard.press("ArrowDown");
  await awaitText(
    page.locator(`${absorption} wf-scene [role=status]`).first(),
    /^turned: .*, row 2, column 1: −?[\d.]+$/,
  );
  assert.deepEqual(complaints, []);
});

test("decoding is measured in three forms with equal results, cancelled, and measured again", {
  timeout: 240_000,
}, async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("en", "&kt=2048"));
  const figure = page.locator(decoding);
  await figure.scrollIntoViewIfNeeded();
  await figure.locator("button.cancel").click();
  await figure.locator("button.again").waitFor();
  assert.match(await figure.locator(".reading").textContent(), /Cancelled/);
  await follow(page, fragment("en", "&kt=128"));
  const isNew = (data) => data.tokens === 128 && !data.isCancelled;
  const { forms, difference, size } = await numbersOf(page, decoding, isNew);
  assert.deepEqual(
    forms.map(({ form, cached }) => [form, cached]),
    [
      ["expanded", 8 * (128 + 64 + 128)],
      ["absorbed", 576],
      ["remade", 576],
    ],
  );
  assert.ok(difference < 1e-5 * size, `${difference} of ${size}`);
  for (const { microseconds, quartiles } of forms) {
    assert.ok(microseconds > 0 && Number.isFinite(microseconds));
    assert.ok(quartiles[0] <= microseconds && microseconds <= quartiles[1]);
  }
  // By formula: each form does a number of products for 128 keys, and W_UK and W_UV once.
  const ups = 2 * 8 * 2 * 128 * 512;
  assert.deepEqual(
    forms.map(({ operations }) => operations),
    [
      ups + 2 * 8 * 128 * (192 + 128),
      ups + 2 * 8 * 128 * (576 + 512),
      128 * ups + 2 * 8 * 128 * (192 + 128),
    ],
  );
  const [kept, latents, apart, ...times] = await numbersOfCode(decoding);
  assert.deepEqual([kept, latents], [2560, 576]);
  assert.ok(apart < 1e-5, `${apart}`);
  assert.ok(times.every((time) => time > 0));
  await clickAndSee(figure, "button.again", "progress");
  await numbersOf(page, decoding, isNew);
  assert.deepEqual(complaints, []);
});
