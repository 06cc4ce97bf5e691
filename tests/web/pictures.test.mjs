// Positions in pictures: pointer and keys move the query's cell, and numbers equal the formulas.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { load } from "../../dist/index.js";
import {
  awaitNumbers,
  awaitText,
  cellAt,
  follow,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";
import { trainedTensors } from "./trained-tensors.mjs";

const home = pathOfFigure("wf-picture-positions");

const root = fileURLToPath(new URL("../../", import.meta.url));
const tag = "wf-picture-positions";
const side = 8;

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session, { path: home });
});
after(() => session.close());

/** Returns the figure's numbers for a scheme; the query is the cell at `row`, `column`. */
async function gridOf(scheme, row = 2, column = 2, more = "", ready = () => true) {
  const { page } = reader;
  await follow(page, fragment("en", `&gr=${scheme}&gra=${row}.${column}${more}`));
  return numbersOf(
    page,
    tag,
    (data) => data.scheme === scheme && data.row === row && data.column === column && ready(data),
  );
}

/** Mean cosine of row and column distances over `frequencies`, less the mean over cells. */
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

test("sinusoids and rotation equal their formulas", async () => {
  // Width 64: 16 frequencies for each axis. Heads of 16 channels: 4 pairs for each axis.
  const added = await gridOf("sinusoidal_2d");
  assert.equal(added.kind, "added");
  isNear(added.position, byFormula(2, 2, frequencies(16, 10_000)));
  const turned = await gridOf("rope_2d", 5, 1);
  assert.equal(turned.kind, "rotated");
  isNear(turned.position, byFormula(5, 1, frequencies(4, 10_000)));
});

test("Swin's bias depends on steps alone: another cell has the same bias, shifted", async () => {
  const one = await gridOf("swin", 2, 2, "&grw=8");
  const other = await gridOf("swin", 3, 4, "&grw=8");
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

/** First and last position of the window around a position, along one axis. */
const windowsOf = {
  4: (place) => (place < 4 ? [0, 3] : [4, 7]),
  shifted: (place) => (place < 2 ? [0, 1] : place < 6 ? [2, 5] : [6, 7]),
};

const lookingCells = {
  4: ["2.3", "5.0"],
  shifted: ["2.3", "7.1"],
};

for (const [kind, cells] of Object.entries(lookingCells))
  test(`windows, ${kind}: a cell attends to its own window, by hand for 4 × 4`, async () => {
    // The package's scheme with the inner 7 × 7 of the trained table's 15 × 15 offsets.
    const name = "model.layers.1.self_attn.position.swin.relative_position_bias_table";
    const table = trainedTensors("image/swin")(name);
    const heads = 4;
    const inner = Array.from({ length: 7 }, (_, down) =>
      table.slice(((down + 4) * 15 + 4) * heads, ((down + 4) * 15 + 11) * heads),
    ).flat();
    const wf = await load();
    const scheme = wf.scheme("swin", {
      numHeads: heads,
      headDim: 1,
      windowHeight: 4,
      windowWidth: 4,
      parameters: {
        relative_position_bias_table: { data: Float32Array.from(inner), shape: [49, heads] },
      },
    });
    const attention = wf.attention({ scheme });
    for (const [row, column] of cells.map((cell) => cell.split(".").map(Number))) {
      const data = await gridOf(
        "swin",
        row,
        column,
        `&grw=${kind}`,
        ({ window }) => window === kind,
      );
      const [rows, columns] = [windowsOf[kind](row), windowsOf[kind](column)];
      assert.deepEqual([data.windowed.rows, data.windowed.columns], [rows, columns]);
      const seen = [];
      for (let y = rows[0]; y <= rows[1]; y++)
        for (let x = columns[0]; x <= columns[1]; x++) seen.push([y, x]);
      const zeros = { data: new Float32Array(heads * seen.length), shape: [heads, seen.length, 1] };
      const places = [...seen.map(([y]) => y), ...seen.map(([, x]) => x)];
      const positions = { data: places, shape: [2, seen.length] };
      const given = { q: zeros, k: zeros, v: zeros, positions, keyPositions: positions };
      const { terms } = attention.run({ ...given, record: ["terms"] });
      const query = seen.findIndex(([y, x]) => y === row && x === column);
      const from = (data.head * seen.length + query) * seen.length;
      const biases = terms.window.data.slice(from, from + seen.length);
      const mean = biases.reduce((a, b) => a + b) / seen.length;
      const positionsSeen = Object.values(data.position).filter((value) => !Number.isNaN(value));
      isNear(
        positionsSeen,
        [...biases].map((bias) => bias - mean),
        1e-4,
      );
      for (let cell = 0; cell < side * side; cell++) {
        const isSeen = seen.some(([y, x]) => y * side + x === cell);
        assert.equal(Number.isNaN(data.weights[cell]), !isSeen, `${cell}`);
        assert.equal(Number.isNaN(data.position[cell]), !isSeen, `${cell}`);
      }
      const weights = Object.values(data.weights).filter((value) => !Number.isNaN(value));
      assert.ok(Math.abs(weights.reduce((a, b) => a + b) - 1) < 1e-5);
      // The table's order is reversed: a number for each step from the query's cell.
      for (const [y, x] of seen) {
        const shown = data.windowed.table[(7 + y - row) * 15 + 7 + x - column];
        const own = table[((7 + row - y) * 15 + 7 + column - x) * heads + data.head];
        assert.ok(Math.abs(shown - own) < 1e-3, `${shown}, ${own}`);
      }
    }
    scheme.dispose();
  });

test("moving the query's cell over a border changes its window and the caption", async () => {
  const { page, complaints } = reader;
  await gridOf("swin", 2, 3);
  const reading = page.locator(`${tag} wf-frame .reading`);
  await awaitText(reading, /rows 1 to 4 and columns 1 to 4/);
  await awaitText(page.locator(`${tag} wf-frame .note`), /one window as large as the picture/);
  const scene = page.locator(`${tag} wf-scene`);
  const box = await scene.boundingBox();
  const { x, y } = await cellAt(scene, "picture", 2, 4);
  await page.mouse.move(box.x + x, box.y + y);
  await awaitNumbers(page, tag, ({ row, column }) => row === 2 && column === 4);
  await awaitText(reading, /rows 1 to 4 and columns 5 to 8/);
  await page.mouse.move(0, 0);
  await page.locator(`${tag} wf-choice.window label`).nth(1).click();
  await awaitNumbers(page, tag, ({ window }) => window === "shifted");
  await awaitText(reading, /rows 3 to 6 and columns 3 to 6/);
  await page.waitForFunction(() => location.hash.includes("grw=shifted"));
  await page.locator(`${tag} wf-choice.window label`).nth(2).click();
  const whole = await awaitNumbers(page, tag, ({ window }) => window === "8");
  assert.ok(!Object.values(whole.weights).some(Number.isNaN));
  await awaitText(page.locator(`${tag} wf-frame .note`), /It was trained so/);
  assert.deepEqual(complaints, []);
});

test("a table is interpolated for other sizes, and unchanged for its own", async () => {
  const { page, complaints } = reader;
  const own = await gridOf("learned_2d");
  assert.equal(own.side, side);
  assert.equal(await page.locator(`${tag} wf-slider.side`).count(), 1);
  await page.locator(`wf-scrub[field="gridSide"]`).first().press("End");
  const wide = await awaitNumbers(page, tag, (data) => data.side === 16);
  assert.equal(Object.keys(wide.position).length, 256);
  assert.deepEqual(wide.at, { row: 5, column: 5 });
  // Neighbouring cells of the finer grid have more similar values.
  const beside = ({ position, at, side }) =>
    position[at.row * side + at.column] - position[at.row * side + at.column + 1];
  assert.ok(Math.abs(beside(wide)) < Math.abs(beside(own)));
  await awaitText(page.locator(`${tag} wf-frame .reading`), /16 × 16 are interpolated/);
  await gridOf("mrope");
  assert.equal(await page.locator(`${tag} wf-slider.side`).count(), 0);
  assert.deepEqual(complaints, []);
});

test("arrow keys and the pointer move the query's cell, and a head is selected", async () => {
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

async function codePrints(data) {
  const figure = reader.page.locator(tag);
  await figure.locator("wf-takeaway button.code").click();
  const code = await figure.locator("wf-takeaway code").textContent();
  const folder = `${root}build/figure-code/`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${tag}.mjs`, code);
  const { stdout } = await promisify(execFile)(process.execPath, [`${folder}${tag}.mjs`]);
  const shares = [...stdout.matchAll(/^row \d+ column \d+ (\S+)$/gm)].map(([, share]) => +share);
  await figure.locator("wf-takeaway button.code").click();
  // Outside of a window the weights are zero.
  isNear(
    Object.values(data.weights).map((share) => share || 0),
    shares,
    1e-5,
  );
}

test("the code prints the head's map, also within a window", async () => {
  await codePrints(await gridOf("rope_2d", 4, 4));
  await codePrints(await gridOf("swin", 4, 4, "", ({ window }) => window === "4"));
});
