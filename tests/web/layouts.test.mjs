// Which channels make a pair: both matrices, and a trained model with the wrong layout.
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

const home = pathOfFigure("wf-pair-layouts");

const tag = "wf-pair-layouts";
const size = 8;

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session, { path: home });
});
after(() => session.close());

/** Returns the rotation by a distance; `first` and `second` are the channels of a pair. */
function rotation(distance, first, second) {
  const matrix = new Array(size * size).fill(0);
  for (let pair = 0; pair < size / 2; pair++) {
    const angle = distance * 10_000 ** ((-2 * pair) / size);
    const [a, b] = [first(pair), second(pair)];
    matrix[a * size + a] = matrix[b * size + b] = Math.cos(angle);
    matrix[a * size + b] = -Math.sin(angle);
    matrix[b * size + a] = Math.sin(angle);
  }
  return matrix;
}

const isNear = (found, wanted) => {
  for (const [index, value] of Object.values(found).entries())
    assert.ok(Math.abs(value - wanted[index]) < 1e-5, `${index}: ${value}, ${wanted[index]}`);
};

test("both matrices equal the formula's, at any distance", async () => {
  const { page, complaints } = reader;
  for (const distance of [3, 17]) {
    await follow(page, fragment("en", `&md=${distance}`));
    const data = await numbersOf(page, tag, (one) => one.distance === distance);
    isNear(
      data.neighbours,
      rotation(
        distance,
        (pair) => 2 * pair,
        (pair) => 2 * pair + 1,
      ),
    );
    isNear(
      data.halves,
      rotation(
        distance,
        (pair) => pair,
        (pair) => pair + size / 2,
      ),
    );
  }
  const scrub = page.locator('wf-scrub[field="layoutDistance"]').first();
  await scrub.press("ArrowLeft");
  await awaitNumbers(page, tag, (one) => one.distance === 16);
  assert.deepEqual(complaints, []);
});

test("rotating pair by pair and multiplying by the matrix give the same", async () => {
  const { page, complaints } = reader;
  const x = [0.6, 0.2, -0.5, 0.7, 0.3, -0.4, 0.1, 0.5];
  const pairs = {
    neighbours: [(pair) => 2 * pair, (pair) => 2 * pair + 1],
    halves: [(pair) => pair, (pair) => pair + size / 2],
  };
  for (const distance of [3, 29]) {
    await follow(page, fragment("en", `&md=${distance}`));
    const { rows } = await numbersOf(page, tag, (one) => one.distance === distance);
    for (const [name, [first, second]] of Object.entries(pairs)) {
      const wanted = new Array(size).fill(0);
      for (let pair = 0; pair < size / 2; pair++) {
        const angle = distance * 10_000 ** ((-2 * pair) / size);
        const [a, b] = [first(pair), second(pair)];
        wanted[a] = x[a] * Math.cos(angle) - x[b] * Math.sin(angle);
        wanted[b] = x[a] * Math.sin(angle) + x[b] * Math.cos(angle);
      }
      isNear(rows[name].x, x);
      isNear(rows[name].sum, wanted);
      isNear(rows[name].product, wanted);
    }
  }
  // Walks over the rows; the numbers must have arrived, because their arrival may move the focus.
  await numbersOf(page, tag, (one) => one.mixed);
  const cell = page.locator(`${tag} [data-grid=halves-rows]`);
  for (let row = 0; row < 2; row++) await cell.press("ArrowDown");
  const spoken = page.locator(`${tag} wf-scene [role=status]`).first();
  await awaitText(spoken, /exchanged, one negated, channel 1: −0\.3$/);
  assert.deepEqual(complaints, []);
});

test("the trained model gets worse in the other layout, unless rows are reordered", async () => {
  const { page, complaints } = reader;
  await follow(page, fragment("en"));
  const { mixed } = await numbersOf(page, tag, (one) => one.mixed);
  const { trained, mixed: other, reordered } = mixed.losses;
  for (const language of ["en", "zh"]) {
    assert.ok(other[language] > trained[language] + 0.1, language);
    assert.ok(Math.abs(reordered[language] - trained[language]) < 1e-4, language);
  }
  assert.equal(mixed.scored, 512);
  const said = `${trained.en.toFixed(2)} bits a character.*needs ${other.en.toFixed(2)}`;
  await awaitText(page.locator(`${tag} wf-frame .reading`), new RegExp(said));
  await follow(page, fragment("zh"));
  await awaitText(page.locator(`${tag} wf-frame .reading`), /换另一种排法来读/);
  assert.deepEqual(complaints, []);
});
