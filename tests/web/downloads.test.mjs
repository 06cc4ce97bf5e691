// What every figure of the pages gives as files: a picture, a drawing and its numbers, each
// whole and none empty. The page's own way of saving is watched, so that no file is written.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { tagsOfPages } from "../../scripts/build/prose.mjs";
import {
  fragment,
  goTo,
  numbersOf,
  openBrowser,
  openPage,
  pageFolder,
  pathOfFigure,
  smallCosts,
} from "./browser.mjs";

const figures = tagsOfPages();
const skip = existsSync(`${pageFolder}/models/index.json`)
  ? false
  : "the models are not trained yet";

/** What is hidden until it is asked for has been asked for. */
const asked = fragment("zh", `${smallCosts}&lc=rope.learned`);

let session;
let reader;
before(async () => {
  session = await openBrowser();
  reader = await openPage(session, {
    hash: asked,
    prepare: (page) => page.addInitScript(keepFiles),
  });
});
after(() => session.close());

/** In the page: `takes(figure, kind)` returns the file that a button of the figure saves. */
function keepFiles() {
  let told;
  const blobs = new Map();
  const { createObjectURL } = URL;
  URL.createObjectURL = (blob) => {
    const address = createObjectURL.call(URL, blob);
    blobs.set(address, blob);
    return address;
  };
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function () {
    if (!this.download) return click.call(this);
    return told({ name: this.download, blob: blobs.get(this.href) });
  };
  const inShadows = (node, selector) =>
    node.querySelector(selector) ??
    [...node.querySelectorAll("*")].reduce(
      (found, { shadowRoot }) => found ?? (shadowRoot && inShadows(shadowRoot, selector)),
      null,
    );
  window.takes = async (figure, kind) => {
    const saved = new Promise((resolve) => {
      told = resolve;
    });
    while (!inShadows(figure.shadowRoot, `wf-takeaway`)?.shadowRoot?.querySelector(`.${kind}`))
      await new Promise(requestAnimationFrame);
    inShadows(figure.shadowRoot, "wf-takeaway").shadowRoot.querySelector(`.${kind}`).click();
    return saved;
  };
}

const filesOf = (page, tag) =>
  page.locator(tag).evaluate(async (figure) => {
    const taken = {};
    for (const kind of ["svg", "png", "csv"]) taken[kind] = await window.takes(figure, kind);
    const text = async ({ blob }) =>
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(await blob.arrayBuffer());
    const drawing = await text(taken.svg);
    const parsed = new DOMParser().parseFromString(drawing, "image/svg+xml");
    const bitmap = await createImageBitmap(taken.png.blob);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const colours = new Set(new Uint32Array(data.buffer));
    return {
      names: Object.values(taken).map(({ name }) => name),
      drawing,
      isWhole: !parsed.querySelector("parsererror"),
      marks: parsed.querySelectorAll("path, rect, image, text").length,
      texts: [...parsed.querySelectorAll("text")].map(({ textContent }) => textContent),
      size: [bitmap.width, bitmap.height],
      colours: colours.size,
      csv: await text(taken.csv),
    };
  });

/** Splits comma-separated values into rows. */
const rowsOf = (csv) =>
  csv
    .replace(/^\ufeff/, "")
    .trimEnd()
    .split("\r\n")
    // At commas outside of quotes.
    .map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));

/** Figures whose file of data is one table for each map, with tokens as headers. */
const areMaps = ["wf-lab", "wf-attention-map"];

function checkTable(tag, csv) {
  const all = rowsOf(csv);
  const [header, ...rows] = areMaps.includes(tag) ? all.filter(({ length }) => length > 1) : all;
  const isNamed = areMaps.includes(tag) || header.every((name) => /[a-z]/i.test(name));
  assert.ok(header.length > 1 && isNamed, `${header}`);
  assert.ok(rows.length > 1, `${rows.length} rows`);
  for (const row of rows) assert.equal(row.length, header.length, row.join(""));
  assert.match(rows.flat().join(" "), /\d/);
}

for (const tag of figures)
  test(`${tag}: PNG, SVG and CSV`, { skip, timeout: 180_000 }, async () => {
    const { page } = reader;
    await goTo(session, page, pathOfFigure(tag), asked);
    await numbersOf(page, tag);
    const files = await filesOf(page, tag);
    const [stem] = files.names[0].split(".");
    assert.deepEqual(files.names, [`${stem}.svg`, `${stem}.png`, `${stem}.csv`]);

    assert.match(files.drawing, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.ok(files.isWhole, "the drawing is no XML");
    // The bytes of an image may spell any of these words.
    const numbers = files.drawing.replaceAll(/href="data:[^"]*"/g, "");
    assert.doesNotMatch(numbers, /NaN|undefined|Infinity/);
    assert.ok(files.marks > 5, `${files.marks} marks`);
    assert.ok(
      files.texts.some((text) => /\p{Script=Han}/u.test(text)),
      "the title is missing",
    );

    assert.ok(Math.min(...files.size) > 100, `${files.size}`);
    assert.ok(files.colours > 3, `${files.colours} colours`);

    assert.ok(files.csv.startsWith("\ufeff"), "the mark for UTF-8 is missing");
    checkTable(tag, files.csv);
    assert.doesNotMatch(files.csv, /NaN|undefined|Infinity/);
  });

test("no figure reported an error", { skip }, () => {
  assert.deepEqual(reader.complaints, []);
});
