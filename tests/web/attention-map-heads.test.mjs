// Thumbnails of all heads of the layer above the map, of which a click opens one; their numbers
// equal the package's.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { load } from "../../dist/index.js";
import { openSources } from "../modules/sources.mjs";
import {
  awaitNumbers,
  bringIntoView,
  cellAt,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
  pathOfFigure,
} from "./browser.mjs";

const home = pathOfFigure("wf-attention-map");

const tag = "wf-attention-map";
const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-5, `${a} and ${b}`);

let session;
let wf;
let labModel;
before(async () => {
  session = await openBrowser();
  wf = await load();
  const sources = await openSources();
  ({ labModel } = await sources.load("/engine/both/lab-sizes.ts"));
  await sources.close();
});
after(() => session.close());

/** Sets properties of the figure and returns its numbers once it has all heads for them. */
async function headsOf(page, properties, isThere = () => true) {
  await numbersOf(page, tag);
  await page.locator(tag).evaluate((figure, given) => Object.assign(figure, given), properties);
  return awaitNumbers(
    page,
    tag,
    (data) => data.small && isThere(data) && data.answer.tokens.length === data.small.rows,
  );
}

/** Computes each head's map of the layer with the package. */
function mapsOf(model, ids, layer) {
  const { data } = model.run(ids, { record: ["weights"], region: { layers: [layer] } }).weights;
  const area = ids.length ** 2;
  return Array.from({ length: model.config.numHeads }, (_, head) =>
    data.slice(head * area, (head + 1) * area),
  );
}

function areThose({ heads, rows, values }, maps) {
  assert.equal(heads, maps.length);
  const area = rows * rows;
  maps.forEach((map, head) => {
    for (let at = 0; at < area; at++) {
      const shown = values[head * area + at];
      const [row, column] = [Math.floor(at / rows), at % rows];
      if (column > row) assert.ok(Number.isNaN(shown), "masked");
      else close(shown, map[at]);
    }
  });
}

test("an untrained layer: every head equals the package's, and a click opens one", async () => {
  const {
    page,
    complaints,
    close: end,
  } = await openPage(session, { path: home, hash: fragment("en") });
  const properties = { scheme: "alibi", text: "the cat chased the mouse" };
  const { small, answer } = await headsOf(page, properties, (data) =>
    data.answer.schemes.includes("alibi"),
  );
  const model = await wf.model({ ...labModel, scheme: "alibi" });
  const maps = mapsOf(model, answer.ids, 0);
  areThose(small, maps);

  const told = page.locator(tag).evaluate(
    (figure) =>
      new Promise((resolve) => {
        figure.addEventListener("wf-change", ({ detail }) => resolve(detail), { once: true });
      }),
  );
  const heads = page.locator(`${tag} wf-scene.heads`);
  await bringIntoView(heads);
  await heads.locator("canvas").click({ position: await cellAt(heads, "heads", 0, 2) });
  assert.deepEqual(await told, { head: 2 });
  const { values } = await awaitNumbers(page, tag, (data) => data.answer.head === 2);
  for (const [at, value] of Object.values(values).entries())
    if (!Number.isNaN(value)) close(value, maps[2][at]);
  // The keyboard selects the next head, too.
  await heads.locator("[role=gridcell]").focus();
  await page.keyboard.press("ArrowRight");
  await awaitNumbers(page, tag, (data) => data.answer.head === 3);
  assert.equal(await page.locator(tag).evaluate(({ head }) => head), 3);
  model.dispose();
  assert.deepEqual(complaints, []);
  await end();
});

test("a trained model: the heads of the selected layer, with weights or scores", {
  skip: existsSync(`${pageFolder}/models/rope/model.safetensors`)
    ? false
    : "the models are not trained yet",
}, async () => {
  const {
    page,
    complaints,
    close: end,
  } = await openPage(session, { path: home, hash: fragment("zh") });
  const properties = { model: "rope", text: "床前明月光，疑是地上霜。", layer: 1 };
  const isOf = (layer) => (data) => data.answer.reader === "model" && data.answer.layer === layer;
  const read = (path) => readFileSync(`${pageFolder}/models/rope/${path}`);
  const model = await wf.model({
    config: JSON.parse(read("config.json")),
    weights: read("model.safetensors"),
  });
  const first = await headsOf(page, properties, isOf(1));
  areThose(first.small, mapsOf(model, first.answer.ids, 1));
  await page.locator(`${tag} wf-choice.layer label`).nth(3).click();
  const second = await headsOf(page, {}, isOf(3));
  areThose(second.small, mapsOf(model, second.answer.ids, 3));
  // Scores have signs, so each block of cells (here of one cell) keeps its number unchanged.
  const scores = await headsOf(page, { show: "sum" }, (data) => data.answer.part === "sum");
  const { ids } = scores.answer;
  const { logits } = model.run(ids, { record: ["logits"], region: { layers: [3], heads: [2] } });
  const area = ids.length ** 2;
  for (let row = 0; row < ids.length; row++)
    close(
      scores.small.values[2 * area + row * ids.length + row],
      logits.data[row * ids.length + row],
    );
  model.dispose();
  assert.deepEqual(complaints, []);
  await end();
});

test("the reader's own numbers have their own heads, and none of the engine's", async () => {
  const { page, close: end } = await openPage(session, { path: home, hash: fragment("en") });
  await headsOf(page, {});
  await page.locator(tag).evaluate((figure) => {
    figure.weights = [[[1]], [[1]]];
  });
  await awaitNumbers(page, tag, ({ heads }) => heads === 2);
  const grid = await page
    .locator(`${tag} wf-scene.heads`)
    .evaluate((scene) => scene.updateComplete.then(() => scene.picture.grids[0].columns));
  assert.equal(grid, 2);
  await end();
});
