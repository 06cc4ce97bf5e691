// Surgery on the trained models in the page: a term removed, a pair frozen, a token moved, a scheme
// replaced.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-surgery");

const tag = "wf-surgery";
const has = (id) => existsSync(`${pageFolder}/models/${id}/model.safetensors`);
const skip = ["nope", "rope", "alibi"].every(has) ? false : "the models are not trained yet";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const operationIs =
  (operation, value, scheme = "rope") =>
  (data) =>
    data.scheme === scheme &&
    data.operation === operation &&
    data.where === "all" &&
    (value === undefined || data.value === value);

let reader;

/** Follows a link to a surgery in the page that most tests share; waits until it is applied. */
async function operated(more, ready) {
  reader ??= await openPage(session, { path: home });
  const { page, complaints } = reader;
  await follow(page, fragment("en", more));
  return { page, complaints, data: await numbersOf(page, tag, ready) };
}

const reading = (page) => page.locator(`${tag} .reading`).textContent();

test("without its rotation the rotary model gets worse, in map, loss and caption", {
  skip,
}, async () => {
  const { page, data, complaints } = await operated("", operationIs("zero", "rotation"));
  assert.deepEqual(data.surgery, { zero: ["rotation"] });
  assert.equal(data.scored, 512);
  for (const { language, before, after } of data.losses)
    assert.ok(after > before + 0.1, `${language}: ${before} to ${after}`);
  assert.notDeepEqual(data.after, data.before);
  const text = await reading(page);
  for (const { before, after } of data.losses)
    assert.ok(text.includes(`from ${before.toFixed(3)} to ${after.toFixed(3)}`), text);

  // Applied to one head of one layer it costs less; selected by keyboard.
  await page.locator(`${tag} wf-choice.scope input`).nth(0).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const head = await numbersOf(page, tag, ({ where }) => where === "head");
  assert.deepEqual(head.surgery, { layers: [3], heads: [2], zero: ["rotation"] });
  assert.ok(head.losses[0].after < data.losses[0].after);
  assert.equal(head.losses[0].before, data.losses[0].before);
  // The address is written after a delay.
  await page.waitForFunction(() => location.hash.includes("sp=head"));
  assert.deepEqual(complaints, []);
});

test("a slider changes the rotary base, and the trained base changes nothing", {
  skip,
}, async () => {
  const { page, data } = await operated("&sd=option&sv=10000", operationIs("option", "10000"));
  for (const { before, after } of data.losses) assert.equal(after, before);
  assert.deepEqual(data.after, data.before);
  const slider = page.locator(`${tag} wf-slider input`);
  await slider.focus();
  await page.keyboard.press("Home");
  const turned = await numbersOf(page, tag, ({ value }) => Number(value) < 100);
  assert.ok(turned.losses[0].after > turned.losses[0].before);
});

test("models without positions do not change for a moved token; others do", {
  skip,
}, async () => {
  const blind = await operated("&su=nope&sd=move&sv=9", operationIs("move", "9", "nope"));
  assert.deepEqual([blind.data.operation, blind.data.to - blind.data.token], ["move", 9]);
  for (const { before, after } of blind.data.losses) assert.equal(after, before);
  const { page, data } = await operated("&sd=copy&st=5", operationIs("copy"));
  assert.deepEqual([data.token, data.to, data.positions[4]], [4, 3, 3]);
  assert.ok(data.losses.some(({ before, after }) => after !== before));
  await page.locator(`${tag} wf-pick select`).selectOption({ index: 6 });
  const other = await numbersOf(page, tag, ({ token }) => token === 7);
  assert.equal(other.positions[7], 6);
});

test("a scheme is replaced in one layer, on a phone, in Chinese", { skip }, async () => {
  const { page, complaints, close } = await openPage(session, {
    path: home,
    hash: fragment("zh", "&su=alibi&sd=scheme&sv=rope&sp=layer&cl=1"),
    width: 390,
    height: 800,
  });
  const isSwapped = ({ operation, value }) => operation === "scheme" && value === "rope";
  const data = await numbersOf(page, tag, isSwapped);
  assert.deepEqual(data.surgery, { layers: [1], scheme: "rope" });
  assert.ok(data.losses.every(({ before, after }) => before !== after));
  assert.match(
    await reading(page),
    /换成“旋转（RoPE）”（第 2 层），留出文本上的损失，英文从 [\d.]+ 变为 [\d.]+/,
  );
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `the page is ${wide} px wide`);
  assert.deepEqual(complaints, []);
  await close();
});
