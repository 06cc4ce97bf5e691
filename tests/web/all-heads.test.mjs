// All heads of a model: measured from given weights, given as numbers, or of a trained model;
// chosen by pointer and by key, as a small map or as a dot.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  awaitNumbers,
  awaitText,
  cellAt,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
} from "./browser.mjs";
import { buildHost, headOf } from "./host-page.mjs";
import { about, set, skip } from "./own-elements-page.mjs";

const n = 8;
/** Each query attends evenly to all keys that it sees. */
const even = Array.from({ length: n }, (_, row) =>
  Array.from({ length: n }, (_, column) => (column > row ? null : 1 / (row + 1))),
);
/** Each query attends to the token before. */
const before1 = Array.from({ length: n }, (_, row) =>
  Array.from({ length: n }, (_, column) =>
    column > row ? null : Number(column === Math.max(0, row - 1)),
  ),
);

const script = `import "whereformer/elements/heads";
window.changes = [];
window.picks = [];
document.addEventListener("wf-change", ({ detail }) => window.changes.push(detail));
document.addEventListener("wf-pick", ({ detail }) => window.picks.push(detail));
`;
const body = '<main><wf-heads id="own"></wf-heads></main></html>';

let session;
before(async () => {
  const folder = await buildHost("host-heads", { heads: [headOf("heads") + body, script] });
  if (!skip) cpSync(`${pageFolder}/models`, `${folder}/models`, { recursive: true });
  session = await openBrowser(folder);
});
after(() => session.close());

const tag = "wf-heads";
const opened = (options) => openPage(session, { hash: "heads.html", ...options });
const captionOf = (page) => page.locator(`${tag} .reading`);
const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

test("weights are measured: means over the queries after the first", async () => {
  const { page, complaints, close } = await opened();
  await set(page, tag, { weights: [[even, before1]] });
  const { layers, heads, measures } = await numbersOf(page, tag);
  assert.deepEqual([layers, heads], [1, 2]);
  const rows = Array.from({ length: n - 1 }, (_, at) => at + 1);
  const expected = {
    previous: [mean(rows.map((row) => 1 / (row + 1))), 1],
    self: [mean(rows.map((row) => 1 / (row + 1))), 0],
    first: [mean(rows.map((row) => 1 / (row + 1))), 1 / (n - 1)],
    entropy: [mean(rows.map((row) => Math.log2(row + 1))), 0],
    distance: [mean(rows.map((row) => row / 2)), 1],
  };
  assert.deepEqual(Object.keys(measures), Object.keys(expected));
  for (const [name, list] of Object.entries(expected))
    for (const [head, value] of list.entries()) about(measures[name][head], value);
  await awaitText(captionOf(page), /Highest entropy in bits: layer 1, head 1/);
  assert.deepEqual(complaints, []);
  await close();
});

const measures = {
  near: [
    [0, 0.25, 0.5],
    [0.75, 1, null],
  ],
  wide: [
    [3, 2, 1],
    [0, -1, 2],
  ],
};

test("a head is chosen by a click on its tile or its dot, and by key", async () => {
  const { page, complaints, close } = await opened({ width: 1000 });
  await set(page, tag, { measures });
  await numbersOf(page, tag);
  const scene = page.locator(`${tag} wf-scene`);
  await scene.locator("canvas").click({ position: await cellAt(scene, "heads", 1, 0) });
  await awaitText(captionOf(page), /Layer 2, head 1: near 0.75, wide 0\./);
  // The dot farthest right is near 1, wide −1: the fifth of five.
  await scene.locator("canvas").click({ position: await cellAt(scene, "dots", 0, 4) });
  await awaitText(captionOf(page), /Layer 2, head 2: near 1, wide −1\./);
  assert.deepEqual(await page.evaluate(() => window.changes.at(-1)), { layer: 1, head: 1 });
  assert.deepEqual(await page.evaluate(() => window.picks.at(-1)), {
    layer: 1,
    head: 1,
    near: 1,
    wide: -1,
  });
  await scene.locator('[data-grid="dots"]').focus();
  await page.keyboard.press("ArrowLeft");
  await awaitText(captionOf(page), /Layer 2, head 1: near 0.75/);
  await scene.locator('[data-grid="heads"]').focus();
  await page.keyboard.press("ArrowUp");
  await awaitText(captionOf(page), /Layer 1, head 1: near 0, wide 3/);
  await set(page, tag, { layer: 1, head: 2 });
  await awaitText(captionOf(page), /Layer 2, head 3: near –, wide 2/);
  assert.deepEqual(complaints, []);
  await close();
});

test("the axes show the measures that are chosen, and say which there are", async () => {
  const { page, close } = await opened();
  await set(page, tag, { measures, x: "layer" });
  await numbersOf(page, tag);
  const dots = page.locator(`${tag} [data-grid="dots"]`);
  assert.match(await dots.getAttribute("aria-label"), /^layer 1, head/);
  await page.locator(`${tag} wf-choice.y input[value="wide"]`).check();
  await page.waitForFunction(() => window.changes.at(-1)?.y === "wide");
  await awaitText(captionOf(page), /Highest wide: layer 1, head 1, 3/);
  await set(page, tag, { y: "loss" });
  await awaitText(page.locator(`${tag} .note`), /no measure “loss”, only near, wide/);
  // One number for each layer is a curve.
  await set(page, tag, { measures: { loss: [3, 2.5, 2] }, y: "loss" });
  await awaitNumbers(page, tag, ({ heads }) => heads === 1);
  await awaitText(captionOf(page), /Highest loss: layer 1, 3/);
  await close();
});

test("numbers that cannot be drawn are refused by name; others are drawn afterwards", async () => {
  const { page, close } = await opened();
  const failure = page.locator(`${tag} [part~="failure"]`);
  for (const [given, message] of [
    [{ a: [[1, 2], [3]] }, /measures\.a\[1\]/],
    [{ a: [[1, 2]], b: [[1, 2, 3]] }, /measures\.b.*2 numbers, as measures\.a has/],
    [{ a: { data: [1, 2, 3], shape: [2, 2] } }, /measures\.a\.shape/],
    [{ a: [["x"]] }, /measures\.a\[0\]\[0\]/],
    [{ a: [[null]] }, /at least one/],
    [{ a: [] }, /measures\.a/],
  ]) {
    await set(page, tag, { measures: given });
    await awaitText(failure, message);
  }
  await set(page, tag, { measures: { a: { data: [1, 2, 3, 4], shape: [2, 2] } } });
  const { measures: read } = await numbersOf(page, tag);
  assert.deepEqual(read, { a: [1, 2, 3, 4] });
  await close();
});

test("32 layers of 32 heads fit a phone: tiles in several rows, each in the page", async () => {
  const { page, close } = await opened({ width: 390 });
  const many = Array.from({ length: 32 }, (_, layer) =>
    Array.from({ length: 32 }, (_, head) => layer + head / 32),
  );
  await set(page, tag, { measures: { many } });
  await numbersOf(page, tag);
  const [tiles] = await page
    .locator(`${tag} wf-scene`)
    .evaluate((scene) => scene.picture.grids.map(({ describe, ...grid }) => grid));
  assert.equal(tiles.rows, 64);
  assert.ok(tiles.cellWidth >= 18 && tiles.x + tiles.columns * tiles.cellWidth <= 390);
  const scene = page.locator(`${tag} wf-scene`);
  // The second row of the first layer begins with head 17.
  await scene.locator("canvas").click({ position: await cellAt(scene, "heads", 1, 0) });
  await awaitText(captionOf(page), /Layer 1, head 17: many 0.5/);
  await close();
});

test("a trained model's heads are measured of its own maps", { skip }, async () => {
  const { page, complaints, close } = await opened();
  await set(page, tag, { models: "models/", model: "alibi", text: "the cat sat on the mat" });
  const { measures: read, maps, layers, heads } = await numbersOf(page, tag);
  assert.equal(read.self.length, layers * heads);
  const side = maps.rows;
  const own = Array.from({ length: side - 1 }, (_, at) => maps.values[(at + 1) * side + at + 1]);
  about(read.self[0], mean(own));
  await awaitText(page.locator(`${tag} .note`), new RegExp(`text of ${side} tokens`));
  assert.deepEqual(complaints, []);
  await close();
});
