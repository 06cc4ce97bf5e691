// The gallery's open scheme: its numbers equal the formula's and the engine's; options, text and
// code.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  bringIntoView,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-scheme-gallery");

const root = fileURLToPath(new URL("../../", import.meta.url));
const { load } = await import(`${root}dist/index.js`);

const gallery = "wf-scheme-gallery";
const open = "wf-scheme-portrait";

let session;
let reader;
let wf;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session, { path: home });
  await numbersOf(reader.page, gallery);
  wf = await load();
});
after(() => session.close());

/** Follows a link to a scheme, its options and the default text, in the shared page. */
async function follows(scheme, options = "") {
  const { page, complaints } = reader;
  await follow(page, fragment("en", `&g=${scheme}&go=${options}&gt=`));
  const portrait = (ready = () => true) =>
    numbersOf(page, open, (data) => (data.scheme === scheme || scheme === "-") && ready(data));
  return { page, complaints, portrait };
}

/** Each scheme's costs, as the page computes them. */
const costs = new Map();

test("every scheme opens, and its terms sum to its score", async () => {
  const { page, complaints, portrait } = await follows("-");
  await page.locator(open).waitFor({ state: "detached" });
  for (const { id, options, terms } of wf.schemes) {
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
    const count = (part = "") => page.locator(`${open} ${part}`).count();
    const [portraits, formulas, controls] = await Promise.all([
      count(),
      count("math"),
      count("wf-option-form .option"),
    ]);
    assert.deepEqual([portraits, controls], [1, options.length], id);
    assert.ok(formulas > 0, id);
  }
  assert.deepEqual(complaints, []);
});

test("a scheme's costs equal the engine's at the sizes beside them", () => {
  const [tokens, numHeads, headDim, numLayers] = [2048, 12, 64, 12];
  assert.equal(costs.size, wf.schemes.length);
  for (const { id } of wf.schemes) {
    const scheme = wf.scheme(id, { numHeads, headDim });
    const own = scheme.cost({ queries: tokens, width: numHeads * headDim });
    scheme.dispose();
    assert.deepEqual(
      costs.get(id),
      {
        tokens,
        numHeads,
        headDim,
        numLayers,
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

test("the picture of an added vector is the formula, its score has four parts", async () => {
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

test("a bias is drawn with the engine's numbers", async () => {
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

test("options are controls: slider, number, switch, choice, and reset", async () => {
  const { page, portrait } = await follows("rope");
  const before = await portrait();
  const { left, frequencies } = before.picture;
  for (const distance of [0, 1, 17, 63]) {
    const mean = frequencies.reduce((sum, w) => sum + Math.cos(w * distance), 0) / 8;
    assert.ok(Math.abs(left[distance] - mean) < 1e-4, `not equal vectors ${distance} apart`);
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

test("a scheme for grids reads cells, each of which attends to all", async () => {
  for (const { id, numAxes } of wf.schemes.map((one) => ({
    id: one.id,
    numAxes: one.positionAxes,
  }))) {
    if (numAxes !== 2) continue;
    const { portrait, page } = await follows(id);
    const data = await portrait();
    assert.equal(data.labels.length, 9);
    assert.deepEqual(data.labels.slice(2, 4), ["0,2", "1,0"]);
    const { weights } = data.record;
    assert.ok(weights[8] > 0, "the first cell does not attend to the last");
    assert.match(await page.locator("wf-scheme-portrait .note").textContent(), /without a mask/);
  }
});

test("beyond the end of a table the picture is hatched, and the text is cut off", async () => {
  const { page, portrait } = await follows("learned", "maxPositions:5");
  const data = await portrait();
  assert.equal(data.picture.positions, 5);
  assert.deepEqual(data.labels, ["the", "cat", "chases", "the", "mouse"]);
  assert.match(await page.locator("wf-scheme-portrait .note").textContent(), /first 5 words/);
});

test("the engine refuses options that exclude each other, and they can be changed", async () => {
  const { page, portrait } = await follows("sandwich", "width:3");
  await bringIntoView(page.locator(open));
  const failure = page.locator(`${open} [role=alert]`);
  await failure.waitFor();
  assert.match(await failure.textContent(), /width: 3 \(expected an even number/);
  await page.locator("wf-option-form input[type=number]").first().fill("4");
  await page.locator("wf-option-form input[type=number]").first().press("Enter");
  await portrait(({ options }) => options.width === 4);
  assert.equal(await failure.count(), 0);
});

test("typing changes the maps of that text", async () => {
  const { page, portrait } = await follows("shaw");
  await portrait(({ labels }) => labels[0] === "the");
  await page.locator(`${gallery} wf-text-line input`).fill("dog bites man");
  const data = await portrait(({ labels }) => labels.length === 3);
  assert.equal(Object.keys(data.record.weights).length, 4 * 9);
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
