// A map of attention whose numbers a program supplies when they are shown: first an overview, then
// what is in view, and of one head only.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { awaitNumbers, awaitText, openBrowser, openPage } from "./browser.mjs";
import { buildHost, headOf } from "./host-page.mjs";

/** Two layers of three heads, 1,024 tokens a side: each number says where it is. */
const script = `import "whereformer/elements/attention-map";
const n = 1024;
const cell = (layer, head, row, column) =>
  column > row ? NaN : ((layer * 3 + head + 1) * (row + 1)) / 8192 + column / 1e5;
const block = ({ layer, head, side }, down, across) => {
  let largest = NaN;
  for (let row = down * side; row < Math.min(n, (down + 1) * side); row++)
    for (let column = across * side; column < Math.min(n, (across + 1) * side); column++) {
      const value = cell(layer, head, row, column);
      if (!(value <= largest) && !Number.isNaN(value)) largest = value;
    }
  return largest;
};
window.asked = [];
const figure = document.createElement("wf-attention-map");
figure.weights = {
  shape: [2, 3, n, n],
  async head(wanted) {
    asked.push(["head", wanted.layer, wanted.head]);
    if (wanted.head === 2) throw new Error("no such head here");
    const side = 8;
    const values = Float32Array.from({ length: (n / side) ** 2 }, (_, at) =>
      block({ ...wanted, side }, Math.floor(at / (n / side)), at % (n / side)));
    const max = cell(wanted.layer, wanted.head, n - 1, n - 1);
    return { side, values, min: 0, max, peak: { row: n - 1, column: n - 1 }, hasGaps: true };
  },
  async part(wanted) {
    const { side, top, left, rows, columns } = wanted;
    asked.push(["part", side, top, left]);
    return Float32Array.from({ length: rows * columns }, (_, at) =>
      block(wanted, top + Math.floor(at / columns), left + (at % columns)));
  },
  async heads({ layer }) {
    asked.push(["heads", layer]);
    return { rows: 4, columns: 4, values: new Float32Array(3 * 16).fill(0.5 + layer / 4) };
  },
};
document.querySelector("main").append(figure);
`;

let session;
before(async () => {
  const pages = { map: [`${headOf("map")}<main></main></html>`, script] };
  session = await openBrowser(await buildHost("host-on-demand", pages));
});
after(() => session.close());

const tag = "wf-attention-map";
const opened = () => openPage(session, { hash: "map.html" });
const asked = (page) => page.evaluate(() => globalThis.asked);
const captionOf = (page) => page.locator(`${tag} .reading`);

test("the overview is drawn first, and a zoom requests the squares in view alone", async () => {
  const { page, complaints, close } = await opened();
  await awaitNumbers(page, tag, (data) => data.parts && data.small);
  await awaitText(captionOf(page), /row 1,?024.*column 1,?024/s);
  const before = await asked(page);
  assert.ok(before.some(([kind]) => kind === "head") && before.some(([kind]) => kind === "heads"));
  const cells = before.filter(([kind, side]) => kind === "part" && side === 1);
  assert.ok(cells.length <= 1, "of the cells only the square of the one that keys begin at");
  const buttons = page.locator(`${tag} button.closer`);
  for (let step = 0; step < 5; step++) await buttons.click();
  await page.waitForFunction(() =>
    globalThis.asked.some(([kind, side]) => kind === "part" && side === 1),
  );
  const after = await asked(page);
  const squares = after.filter(([kind, side]) => kind === "part" && side === 1);
  // Those in view, and that of the cell at which keys begin.
  assert.ok(squares.length <= 5, `${squares.length} of 16 squares`);
  assert.deepEqual(complaints, []);
  await close();
});

test("a cell that has not arrived is being fetched, and is read when it is there", async () => {
  const { page, complaints, close } = await opened();
  await awaitNumbers(page, tag, (data) => data.parts);
  const cell = page.locator(`${tag} .cell`).last();
  await cell.focus();
  await page.keyboard.press("ArrowDown");
  await awaitText(captionOf(page), /row 2 .*column 1 : 2\.4 × 10⁻⁴/s);
  assert.ok((await asked(page)).some(([kind, side]) => kind === "part" && side === 1));
  assert.deepEqual(complaints, []);
  await close();
});

test("another head and another layer are requested when they are chosen", async () => {
  const { page, close } = await opened();
  await awaitNumbers(page, tag, (data) => data.parts);
  await page.locator(tag).evaluate((figure) => {
    figure.layer = 1;
    figure.head = 1;
  });
  await page.waitForFunction(() => globalThis.asked.some((one) => one.join() === "head,1,1"));
  const { max } = await page.locator(tag).evaluate(async (figure) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return figure.data.parts.overview;
  });
  assert.ok(Math.abs(max - (5 * 1024) / 8192 - 1023 / 1e5) < 1e-6, `${max}`);
  await page.locator(tag).evaluate((figure) => {
    figure.head = 2;
  });
  await awaitText(page.locator(`${tag} [part~="failure"]`), /no such head here/);
  await close();
});
