// The figure in which a model looks at a picture: it shows the engine's maps, of the page's own
// model and of dropped files, follows pointer and keys, and words what cannot be opened.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { load } from "../../dist/index.js";
import { filesOf, pictureFile } from "../package/pictures.mjs";
import {
  awaitNumbers,
  awaitText,
  cellAt,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";
import { runCodeOf } from "./figure-code.mjs";

const tag = "wf-opened-picture";
const home = pathOfFigure(tag);
const models = new URL("../../dist-web/models/", import.meta.url);
const folder = new URL("pictures/creatures/", models);
const side = 12;

let session;
let wf;
let creature;
before(async () => {
  session = await openBrowser();
  wf = await load();
  const names = ["config.json", "preprocessor_config.json", "model.safetensors"];
  creature = await wf.model(
    names.map((name) => new File([readFileSync(new URL(name, folder))], name)),
  );
});
after(() => session.close());

/** Draws a picture of pictures.json, with loops of its own. */
function creatureNamed(name) {
  const { tiles, pictures } = JSON.parse(readFileSync(new URL("pictures.json", folder), "utf8"));
  const rows = pictures.find((one) => one.name === name).rows.map((row) => [...row]);
  const data = rows.flatMap((row) =>
    [0, 1, 2, 3].flatMap((line) =>
      row.flatMap((letter) => tiles[letter].slice(12 * line, 12 * line + 12)),
    ),
  );
  return { data, width: 4 * side, height: 4 * side };
}

/** The row of a token in one head. */
function rowIn(model, picture, layer, head, token) {
  const region = { layers: [layer], heads: [head], rows: [token] };
  return [...model.look(picture, { record: ["weights"], region }).weights.data];
}

function near(actual, expected, max = 1e-6) {
  const found = Object.values(actual);
  assert.equal(found.length, expected.length);
  const largest = Math.max(...expected.map((value, i) => Math.abs(found[i] - value)));
  assert.ok(largest <= max, `${largest}`);
}

const indexOfMax = (values) => values.indexOf(Math.max(...values));
const patch = (row, column) => 1 + row * side + column;
const isOpen = (data) => data.stage === "open" && !data.problem;

/** Opens the page, with files to drop by name. */
async function opened({ hash = fragment("en"), files = [], ...options } = {}) {
  const tab = await openPage(session, { path: home, hash, isAlone: true, ...options });
  await numbersOf(tab.page, tag, isOpen);
  const given = await Promise.all(
    files.map(async (file) => [
      file.name,
      file.type,
      Buffer.from(await file.arrayBuffer()).toString("base64"),
    ]),
  );
  await tab.page.evaluate((list) => {
    window.files = list.map(([name, type, text]) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      return new File([bytes], name, { type });
    });
  }, given);
  return { ...tab, figure: tab.page.locator(tag) };
}

/** Drops the files; a golden picture is made a PNG by a canvas. */
const drop = (page, picture) =>
  page.locator(`${tag} .drop`).evaluate(async (place, pixels) => {
    const dataTransfer = new DataTransfer();
    for (const file of window.files) dataTransfer.items.add(file);
    if (pixels) {
      const { data, width, height } = pixels;
      const canvas = new OffscreenCanvas(width, height);
      const rgba = new Uint8ClampedArray(4 * width * height).fill(255);
      for (let i = 0; i < width * height; i++) rgba.set(data.slice(3 * i, 3 * i + 3), 4 * i);
      canvas.getContext("2d").putImageData(new ImageData(rgba, width, height), 0, 0);
      const blob = await canvas.convertToBlob({ type: "image/png" });
      dataTransfer.items.add(new File([blob], "cat.png", { type: "image/png" }));
    }
    place.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, picture);

const plain = ({ data, ...size }) => ({ ...size, data: [...data] });

test("the page's own model: an ear asks the other ear, the class token the eyes", async () => {
  const { page, figure, complaints, close } = await opened();
  const picture = creatureNamed("cat");
  const first = await numbersOf(page, tag, isOpen);
  assert.deepEqual([first.grid.rows, first.grid.columns], [side, side]);
  assert.equal(first.token, patch(1, 1));
  near(first.row, rowIn(creature, picture, 0, 0, patch(1, 1)));
  assert.equal(indexOfMax(Object.values(first.row)), patch(1, 10));
  await awaitText(
    figure.locator("wf-frame .reading"),
    /row 2, column 2 asks: .*head 1, 8\d% of its attention goes to .*row 2, column 11/,
  );
  // The chip of the class token.
  const scene = figure.locator("wf-scene");
  const at = await cellAt(scene, "tokens", 0, 0);
  await scene.locator("canvas").click({ position: at });
  const ofClass = await awaitNumbers(page, tag, ({ token }) => token === 0);
  near(ofClass.row, rowIn(creature, picture, 0, 0, 0));
  assert.ok([patch(4, 3), patch(4, 8)].includes(indexOfMax(Object.values(ofClass.row))));
  await page.waitForFunction(() => location.hash.includes("lkt=0"));
  assert.deepEqual(complaints, []);
  await close();
});

test("pointing shows another patch for the moment, a drag and the keys choose it", async () => {
  const { page, figure, complaints, close } = await opened();
  const picture = creatureNamed("cat");
  const scene = figure.locator("wf-scene");
  const canvas = scene.locator("canvas");
  const pointAt = async (row, column) =>
    canvas.hover({ position: await cellAt(scene, "picture", row, column) });
  await pointAt(5, 4);
  const shown = await awaitNumbers(page, tag, ({ token }) => token === patch(5, 4));
  near(shown.row, rowIn(creature, picture, 0, 0, patch(5, 4)));
  await page.mouse.move(1, 1);
  await awaitNumbers(page, tag, ({ token }) => token === patch(1, 1));
  await pointAt(5, 4);
  await page.mouse.down();
  await pointAt(6, 7);
  await page.mouse.up();
  await page.mouse.move(1, 1);
  await awaitNumbers(page, tag, ({ token }) => token === patch(6, 7));
  const cell = figure.locator("[data-grid=picture]");
  await cell.press("ArrowDown");
  await cell.press("ArrowLeft");
  await awaitNumbers(page, tag, ({ token }) => token === patch(7, 6));
  await awaitText(figure.locator("wf-scene [role=status]"), /^row 8, column 7: \d+% of attention$/);
  assert.deepEqual(complaints, []);
  await close();
});

test("an address gives picture, layer, head and token; the sheet of heads chooses", async () => {
  const hash = fragment("zh", `&lkp=2&lkl=1&lkh=2&lkt=${patch(3, 9)}`);
  const { page, figure, complaints, close } = await opened({ hash });
  const shown = await numbersOf(page, tag, isOpen);
  const picture = creatureNamed("half");
  assert.deepEqual([shown.picture, shown.layer, shown.head], ["half", 1, 2]);
  near(shown.row, rowIn(creature, picture, 1, 2, patch(3, 9)));
  await awaitText(
    figure.locator("wf-frame .reading"),
    /^第 4 行第 10 列的图块在问：在第 2 层第 3 个头/,
  );
  const heads = figure.locator("[data-grid=heads]");
  await heads.press("ArrowRight");
  const other = await awaitNumbers(page, tag, ({ layer, head }) => layer === 0 && head === 1);
  near(other.row, rowIn(creature, picture, 0, 1, patch(3, 9)));
  await page.waitForFunction(() => /lkh=1/.test(location.hash) && !/lkl/.test(location.hash));
  await figure.locator("wf-choice.pictures label").first().click();
  const cat = await awaitNumbers(page, tag, (data) => data.picture === "cat" && isOpen(data));
  near(cat.row, rowIn(creature, creatureNamed("cat"), 0, 1, patch(3, 9)));
  assert.deepEqual(complaints, []);
  await close();
});

test("the code prints the numbers in view", async () => {
  const { page, close } = await opened({ hash: fragment("en", `&lkt=${patch(4, 3)}`) });
  const { row } = await numbersOf(page, tag, ({ token }) => token === patch(4, 3));
  const lines = await runCodeOf(page, tag, {
    changed: (code) =>
      code.replace(
        '"whereformer"',
        JSON.stringify(new URL("../../dist/index.js", import.meta.url)),
      ),
  });
  const numbers = lines.map((line) => Number(line.split(" ").at(-1)));
  near(row, numbers);
  assert.match(lines[0], /^class /);
  assert.match(lines.at(-1), /^row 11 column 11 /);
  await close();
});

for (const name of [
  "dinov2_with_registers",
  "siglip",
  "deit",
  "dinov3_vit",
  "siglip2_vision_model",
])
  test(`a dropped model and picture show the package's maps: ${name}`, async () => {
    const file = pictureFile(name);
    const { page, figure, complaints, close } = await opened({ files: filesOf(file) });
    await drop(page, plain(file.picture));
    const isTheirs = (data) =>
      isOpen(data) && data.picture === "cat.png" && data.model.numHeads === 3;
    const shown = await awaitNumbers(page, tag, isTheirs);
    const model = await wf.model(filesOf(file));
    const { grid } = model.look(file.picture);
    assert.deepEqual(shown.grid, grid);
    const { layer, head, token } = shown;
    near(shown.row, rowIn(model, file.picture, layer, head, token), 1e-5);
    const chips = await figure.locator("[data-grid=tokens]").count();
    assert.equal(chips, grid.special.length ? 1 : 0);
    // The last of the tokens before the patches asks.
    if (chips) {
      await figure.locator("[data-grid=tokens]").press("End");
      const last = grid.special.length - 1;
      const other = await awaitNumbers(page, tag, (data) => isTheirs(data) && data.token === last);
      near(other.row, rowIn(model, file.picture, layer, head, last), 1e-5);
    }
    model.dispose();
    assert.deepEqual(complaints, []);
    await close();
  });

test("a model of texts and a broken picture are refused in the reader's language", async () => {
  const text = ["config.json", "model.safetensors"].map(
    (name) => new File([readFileSync(new URL(`rope/${name}`, models))], name),
  );
  for (const [language, refused, unreadable] of [
    [
      "en",
      /was not opened.*a model that reads texts, not pictures.*is still open/s,
      /is no picture/,
    ],
    ["zh", /没能打开.*a model that reads texts, not pictures.*还在/s, /不是这个浏览器能读的图片/],
  ]) {
    const broken = new File(["no picture"], "cat.png", { type: "image/png" });
    const files = [...text, broken];
    const { page, figure, complaints, close } = await opened({ hash: fragment(language), files });
    await drop(page);
    const { problem } = await awaitNumbers(page, tag, (data) => data.problem);
    assert.equal(problem.code, "unsupported");
    await awaitText(figure.locator("wf-model-source [role=alert]"), refused);
    await awaitText(figure.locator(".problem"), unreadable);
    // The model before is still there.
    await awaitText(figure.locator("wf-frame .reading"), /86%/);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("opening can be cancelled, and the model closed and taken again", async () => {
  const { page, figure, complaints, close } = await opened();
  await page.route("**/creatures/model.safetensors", () => {});
  await figure.locator("button.sample").click();
  await awaitNumbers(page, tag, (data) => data.stage === "opening");
  await figure.locator("button.cancel").click();
  await awaitNumbers(page, tag, isOpen);
  await figure.locator("button.close").click();
  await awaitNumbers(page, tag, (data) => data.stage === "closed");
  await awaitText(figure.locator("wf-frame .reading"), /No model is open/);
  await page.unroute("**/creatures/model.safetensors");
  await figure.locator("button.sample").click();
  await awaitNumbers(page, tag, isOpen);
  assert.deepEqual(complaints, []);
  await close();
});

test("on a telephone the picture is as wide as the screen, and a tap asks", async () => {
  const { page, figure, complaints, close } = await opened({
    width: 390,
    height: 844,
    hasTouch: true,
  });
  const scene = figure.locator("wf-scene");
  const grid = await scene.evaluate((view) => view.picture.grids[0]);
  assert.ok(grid.cellWidth * grid.columns > 300, `${grid.cellWidth}`);
  const at = await cellAt(scene, "picture", 8, 2);
  await scene.locator("canvas").tap({ position: at });
  await awaitNumbers(page, tag, ({ token }) => token === patch(8, 2));
  assert.deepEqual(complaints, []);
  await close();
});
