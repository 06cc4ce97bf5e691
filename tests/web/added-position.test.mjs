// Added positions: the figure's numbers equal those of the formula and of the model's file.
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
import { trainedTensors } from "./trained-tensors.mjs";

const home = pathOfFigure("wf-added-position");

const tag = "wf-added-position";
const width = 128;
const headDim = 32;
const queries = [64, 96, 127];
const distances = 64;
const close = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} and ${b}`);
const list = (numbers) => Object.values(numbers);

let session;
let page;
let complaints;
before(async () => {
  session = await openBrowser();
  ({ page, complaints } = await openPage(session, { path: home }));
});
after(() => session.close());

async function figureAt(more, ready, language = "en") {
  await follow(page, fragment(language, more));
  return numbersOf(page, tag, ready);
}

// Vaswani et al. 2017, section 3.5.
const sinusoid = (position, channel) => {
  const angle = position / 10000 ** ((channel - (channel % 2)) / width);
  return channel % 2 ? Math.cos(angle) : Math.sin(angle);
};
const sinusoids = (positions) =>
  Array.from({ length: positions * width }, (_, at) =>
    sinusoid(Math.floor(at / width), at % width),
  );

const dot = (a, i, b, j, from = 0, to = width) => {
  let sum = 0;
  for (let at = from; at < to; at++) sum += a[i * width + at] * b[j * width + at];
  return sum;
};

/** Multiplies rows by the weights of the layer's norm, then by W of the first layer. */
function projected(rows, weight, gain) {
  const count = rows.length / width;
  return Array.from({ length: rows.length }, (_, at) => {
    const [row, out] = [Math.floor(at / width), at % width];
    let sum = 0;
    for (let c = 0; c < width; c++)
      sum += weight[out * width + c] * rows[row * width + c] * gain[c];
    return count ? sum : 0;
  });
}

/** Asserts that products [queries, distances] equal the dot products of rows of q and k. */
function holdProducts(products, q, k, scale, tolerance, from = 0, to = width) {
  for (const [index, query] of queries.entries())
    for (let distance = 0; distance < distances; distance += 7)
      close(
        products[index * distances + distance],
        dot(q, query, k, query - distance, from, to) * scale,
        tolerance,
      );
}

/** Asserts the products of rows after W_q and W_k of the model's head. */
function holdProjected(scheme, rows, { products, head }) {
  const tensor = trainedTensors(scheme);
  const layer = (name) => tensor(`model.layers.0.${name}.weight`);
  const gain = layer("input_layernorm");
  const q = projected(rows, layer("self_attn.q_proj"), gain);
  const k = projected(rows, layer("self_attn.k_proj"), gain);
  const [from, to] = [head * headDim, (head + 1) * headDim];
  holdProducts(list(products), q, k, 1 / Math.sqrt(headDim), 1e-4, from, to);
}

test("sinusoids: products depend on distance alone, but not after W_q and W_k", async () => {
  const data = await figureAt("", ({ scheme, projected }) => scheme === "sinusoidal" && projected);
  const rows = sinusoids(128);
  const values = list(data.values);
  for (let at = 0; at < rows.length; at += 37) close(values[at], rows[at], 1e-5);
  list(data.frequencies).forEach((frequency, pair) => {
    close(frequency, 10000 ** ((-2 * pair) / width), 1e-6);
  });
  const products = list(data.products);
  holdProducts(products, rows, rows, 1, 1e-4);
  holdProjected("sinusoidal", rows, data.projected);
  const spread = (all) =>
    Math.max(
      ...Array.from({ length: distances }, (_, distance) => {
        const three = queries.map((_, index) => all[index * distances + distance]);
        return Math.max(...three) - Math.min(...three);
      }),
    );
  assert.ok(spread(products) < 1e-4, `${spread(products)}`);
  assert.ok(spread(list(data.projected.products)) > 1);
  // The chart and the caption leave out each query's mean, which a softmax cancels.
  const after = list(data.projected.products);
  const left = queries.flatMap((_, index) => {
    const ofQuery = after.slice(index * distances, (index + 1) * distances);
    const mean = ofQuery.reduce((sum, value) => sum + value, 0) / distances;
    return ofQuery.map((value) => value - mean);
  });
  const share = spread(left) / (Math.max(...left) - Math.min(...left));
  assert.ok(share > 0.05 && share < 0.15, `${share}`);
  const said = `${Number(spread(left).toPrecision(3))}, ${Math.round(100 * share)}% of the range`;
  const reading = await page.locator(`${tag} .reading`).textContent();
  assert.ok(reading.includes(said), `${said}: ${reading}`);
});

test("learned rows are the model's; a position beyond the last is refused", async () => {
  const data = await figureAt(
    "&w=learned&wa=130.3",
    ({ scheme, projected }) => scheme === "learned" && projected?.scheme === "learned",
  );
  const table = trainedTensors("learned")("model.position.learned.embeddings");
  assert.equal(data.positions, 128);
  const values = list(data.values);
  for (let at = 0; at < table.length; at += 37) close(values[at], table[at], 1e-6);
  holdProducts(list(data.products), table, table, 1, 1e-4);
  holdProjected("learned", table, data.projected);
  assert.match(data.refusal, /128 \(expected 0 to 127/);
  await awaitText(page.locator(`${tag} .reading`), /no row for position 130.*0 to 127/);
});

test("head and base are options; the position is also a number in the prose", async () => {
  const data = await figureAt("&wh=1&wb=100&wa=10.127", ({ base, projected }) => {
    return base === 100 && projected?.head === 1;
  });
  close(list(data.frequencies).at(-1), 100 ** (-126 / width), 1e-6);
  holdProjected("sinusoidal", sinusoids(128), data.projected);
  const number = page.locator('section:has(#added) wf-scrub[label="position"]').first();
  assert.equal(await number.getAttribute("role"), "slider");
  assert.equal(await number.getAttribute("aria-valuenow"), "10");
  await number.press("ArrowRight");
  await number.press("PageUp");
  await awaitNumbers(page, tag, ({ at }) => at.position === 21);
  const box = await number.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2);
  await page.mouse.up();
  await awaitNumbers(page, tag, ({ at }) => at.position === 31);
  // The last sentence is about the learned table, and selects it.
  await page.locator("section:has(#added) wf-scrub[only]").first().press("End");
  await awaitNumbers(page, tag, ({ scheme, at }) => scheme === "learned" && at.position === 143);
  assert.deepEqual(complaints, []);
});

test("without models the rows are shown, and the chart says what it needs", async () => {
  const { page: other, close: end } = await openPage(session, {
    path: home,
    prepare: (page) => page.route("**/models/sinusoidal/**", (route) => route.abort()),
  });
  const data = await numbersOf(other, tag);
  assert.equal(data.projected, undefined);
  assert.equal(data.positions, 144);
  const said = async () => {
    const picture = await other
      .locator(`${tag} wf-scene`)
      .first()
      .evaluate((scene) => scene.picture);
    return picture.marks.some(({ text }) => text === "The trained model did not arrive.");
  };
  await other.waitForFunction((name) => document.querySelector(name).hasNoModel, tag);
  await other.locator(tag).evaluate((figure) => figure.updateComplete);
  await other
    .locator(`${tag} wf-scene`)
    .first()
    .evaluate((scene) => scene.updateComplete);
  assert.ok(await said());
  await end();
});

test("the products need a part of the model's file, and equal the whole file's", async () => {
  const products = {};
  const sizes = {};
  for (const what of ["part", "whole"]) {
    sizes[what] = 0;
    const { page: other, close: end } = await openPage(session, {
      path: home,
      isAlone: true,
      prepare: async (page) => {
        const file = "**/models/sinusoidal/model.safetensors";
        // A server without range requests sends the whole file.
        if (what === "whole")
          await page.route(file, async (route) => {
            const { range, ...headers } = route.request().headers();
            await route.continue({ headers });
          });
        page.on("response", async (response) => {
          if (response.url().endsWith("sinusoidal/model.safetensors"))
            sizes[what] += Number(response.headers()["content-length"]);
        });
      },
    });
    const { projected } = await numbersOf(other, tag, (data) => data.projected !== undefined);
    products[what] = Object.values(projected.products);
    await end();
  }
  assert.ok(products.part.length > 100);
  assert.deepEqual(products.part, products.whole);
  assert.ok(sizes.part < 100_000, `${sizes.part} bytes`);
  assert.ok(sizes.whole > 2_000_000, `${sizes.whole} bytes`);
});
