// What of pictures: the cell that looks is led by pointer and keys, and numbers are the formulas'.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  awaitNumbers,
  awaitText,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
} from "./browser.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const tag = "wf-picture-positions";
const side = 8;

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session);
});
after(() => session.close());

/** The figure's numbers for one scheme, with another cell looking where one is given. */
async function gridOf(scheme, row = 2, column = 2, more = "") {
  const { page } = reader;
  await follow(page, fragment("en", `&gr=${scheme}&gra=${row}.${column}${more}`));
  return numbersOf(
    page,
    tag,
    (data) => data.scheme === scheme && data.row === row && data.column === column,
  );
}

/** Cosines of row's and column's distance, by so many frequencies each, less their mean. */
function byFormula(row, column, frequencies) {
  const cells = Array.from({ length: side * side }, (_, cell) => {
    const [down, along] = [Math.floor(cell / side) - row, (cell % side) - column];
    const sum = frequencies.reduce((all, w) => all + Math.cos(down * w) + Math.cos(along * w), 0);
    return sum / (2 * frequencies.length);
  });
  const mean = cells.reduce((a, b) => a + b) / cells.length;
  return cells.map((value) => value - mean);
}

const isNear = (found, wanted, tolerance = 2e-6) => {
  const values = Object.values(found);
  assert.equal(values.length, wanted.length);
  for (const [index, value] of values.entries())
    assert.ok(Math.abs(value - wanted[index]) < tolerance, `${index}: ${value}, ${wanted[index]}`);
};

/** base^(−t / count), t from 0. */
const frequencies = (count, base) => Array.from({ length: count }, (_, t) => base ** (-t / count));

test("sinusoids and rotation say what their formulas say", async () => {
  // Width 64: 16 frequencies for each axis. Heads of 16 channels: 4 pairs for each axis.
  const added = await gridOf("sinusoidal_2d");
  assert.equal(added.kind, "added");
  isNear(added.position, byFormula(2, 2, frequencies(16, 10_000)));
  const turned = await gridOf("rope_2d", 5, 1);
  assert.equal(turned.kind, "turned");
  isNear(turned.position, byFormula(5, 1, frequencies(4, 10_000)));
});

test("Swin's bias knows only steps: another cell sees the same, moved", async () => {
  const one = await gridOf("swin", 2, 2);
  const other = await gridOf("swin", 3, 4);
  assert.equal(one.kind, "bias");
  const from = ({ position }, row, column) => position[row * side + column];
  for (const [down, along] of [
    [1, 2],
    [-2, 1],
    [3, -2],
  ]) {
    const a = from(one, 2 + down, 2 + along) - from(one, 2, 2);
    const b = from(other, 3 + down, 4 + along) - from(other, 3, 4);
    assert.ok(Math.abs(a - b) < 1e-5, `${down} ${along}: ${a}, ${b}`);
    assert.notEqual(a, 0);
  }
});

test("a table is stretched to other sizes, and holds its own at its own", async () => {
  const { page, complaints } = reader;
  const own = await gridOf("learned_2d");
  assert.equal(own.side, side);
  assert.equal(await page.locator(`${tag} wf-slider.side`).count(), 1);
  await page.locator(`wf-scrub[field="gridSide"]`).first().press("End");
  const wide = await awaitNumbers(page, tag, (data) => data.side === 16);
  assert.equal(Object.keys(wide.position).length, 256);
  assert.deepEqual(wide.at, { row: 5, column: 5 });
  // Neighbours of the finer grid are nearer to each other.
  const beside = ({ position, at, side }) =>
    position[at.row * side + at.column] - position[at.row * side + at.column + 1];
  assert.ok(Math.abs(beside(wide)) < Math.abs(beside(own)));
  await awaitText(page.locator(`${tag} wf-frame .reading`), /16 × 16 are interpolated/);
  await gridOf("mrope");
  assert.equal(await page.locator(`${tag} wf-slider.side`).count(), 0);
  assert.deepEqual(complaints, []);
});

test("arrow keys and the pointer lead the cell that looks, and a head is chosen", async () => {
  const { page, complaints } = reader;
  await gridOf("sinusoidal_2d", 0, 0);
  const cell = page.locator(`${tag} [data-grid="picture"]`);
  await cell.focus();
  await cell.press("ArrowDown");
  await cell.press("ArrowRight");
  const walked = await awaitNumbers(page, tag, ({ row, column }) => row === 1 && column === 1);
  assert.equal(Object.keys(walked.weights).length, 64);
  const sum = Object.values(walked.weights).reduce((a, b) => a + b);
  assert.ok(Math.abs(sum - 1) < 1e-5);
  const box = await cell.boundingBox();
  await page.mouse.move(box.x + 3.5 * box.width, box.y + 2.5 * box.height);
  await awaitNumbers(page, tag, ({ row, column }) => row === 3 && column === 4);
  await page.mouse.move(0, 0);
  await page.locator(`${tag} wf-choice.head label`).nth(3).click();
  await awaitNumbers(page, tag, ({ head }) => head === 3);
  await page.waitForFunction(() => /gra=3\.4/.test(location.hash) && /grh=3/.test(location.hash));
  await follow(page, fragment("zh", "&gr=swin"));
  await awaitText(page.locator(`${tag} wf-frame .reading`), /第 3 行第 3 列的格子在看/);
  assert.deepEqual(complaints, []);
});

test("the code prints the head's map", async () => {
  const data = await gridOf("rope_2d", 4, 4);
  const figure = reader.page.locator(tag);
  await figure.locator("wf-takeaway button.code").click();
  const code = await figure.locator("wf-takeaway code").textContent();
  const folder = `${root}build/figure-code/`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${tag}.mjs`, code);
  const { stdout } = await promisify(execFile)(process.execPath, [`${folder}${tag}.mjs`]);
  const shares = [...stdout.matchAll(/^row \d+ column \d+ (\S+)$/gm)].map(([, share]) => +share);
  isNear(data.weights, shares, 1e-5);
});
