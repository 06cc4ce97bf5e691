// Options in the address, formulas, and pictures of grids; and no code of the page contains a
// scheme's id.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { typeset } from "../../scripts/build/scheme-words.mjs";
import { openSources } from "./sources.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { load } = await import(`${root}dist/index.js`);

let sources;
let wf;
before(async () => {
  sources = await openSources();
  wf = await load();
});
after(() => sources.close());

test("no file of the page contains a scheme's id, except defaults.ts", () => {
  const named = [];
  for (const file of readdirSync(`${root}web`, { recursive: true })) {
    if (!/\.ts$/.test(file) || file === "defaults.ts") continue;
    const text = readFileSync(`${root}web/${file}`, "utf8").replace(
      /kind === "integer"|case "integer":/g,
      "",
    );
    for (const { id } of wf.schemes) if (text.includes(`"${id}"`)) named.push(`${file}: ${id}`);
  }
  assert.deepEqual(named, []);
});

test("formulas become MathML without styles, line by line", () => {
  const math = typeset(
    "a = \\frac{1}{2},\n\\qquad b = \\begin{cases} 1 & x \\\\ 2 & \\qquad y \\end{cases}",
  );
  assert.equal(math.match(/<math/g).length, 2);
  assert.match(math, /<mfrac>/);
  assert.doesNotMatch(math, / style=/);
  assert.throws(() => typeset("\\nonsense{a}"));
});

test("options are read from the address and written to it", async () => {
  const { nested, readOptions, writeOptions, spanOf, sliderPosition, valueAt } = await sources.load(
    "/engine/both/scheme-options.ts",
  );
  const description = {
    options: [
      { key: "deep.factor", kind: "number", default: 4, minimum: 1, maximum: 1e6 },
      { key: "count", kind: "integer", default: 32, minimum: 2, maximum: 4096 },
      { key: "on", kind: "boolean", default: false },
      { key: "word", kind: "choice", default: "a", choices: ["a", "b"] },
      { key: "deep.numbers", kind: "list", default: [], minimum: 0.001, maximum: 1e6 },
    ],
  };
  const values = {
    "deep.factor": 2.5,
    count: 7,
    on: true,
    word: "b",
    "deep.numbers": [1, 1.5],
  };
  const written = writeOptions(description, values);
  assert.equal(written, "deep.factor:2.5;count:7;on:true;word:b;deep.numbers:1,1.5");
  assert.deepEqual(nested(values), {
    count: 7,
    on: true,
    word: "b",
    deep: { factor: 2.5, numbers: [1, 1.5] },
  });
  assert.equal(writeOptions(description, { "deep.numbers": [] }), "");
  assert.deepEqual(readOptions(description, "deep.numbers:1,x"), {});
  assert.deepEqual(readOptions(description, "deep.numbers:0"), {});
  assert.deepEqual(readOptions(description, written), values);
  assert.equal(writeOptions(description, { count: 32, on: false }), "");
  assert.deepEqual(
    readOptions(description, "count:1;count:2.5;word:c;on:yes;x:1;deep.factor:"),
    {},
  );
  for (const option of description.options.slice(0, 2)) {
    const { low, high } = spanOf(option);
    assert.ok(option.minimum <= low && low < option.default && option.default < high);
    assert.ok(high <= option.maximum);
    const back = valueAt(option, sliderPosition(option, option.default));
    assert.ok(
      Math.abs(back / option.default - 1) < 0.1,
      "the slider cannot be set near the default",
    );
    for (let place = 0; place <= 100; place++) {
      const value = valueAt(option, place);
      assert.ok(value >= option.minimum && value <= option.maximum);
    }
  }
});

test("a grid's picture is one map for each head, or one for some of the channels", async () => {
  const { gridBlock, gridThumb } = await sources.load("/figures/scheme-gallery/grid-picture.ts");
  const { galleryWords } = await sources.load("/figures/scheme-gallery/words.ts");
  const words = { gallery: galleryWords.en };
  const shades = ["#ffffff", "#dddddd", "#bbbbbb", "#999999", "#777777", "#000000"];
  const palette = { paper: "#ffffff", minus: "#0000ff", plus: "#ff0000", weight: shades };
  const measure = (text, size) => text.length * size * 0.6;
  const values = Float32Array.from({ length: 32 * 9 }, (_, index) => Math.floor(index / 9) - 8);
  const cellsIn = (marks) => marks.filter(({ kind }) => kind === "cells");
  const channels = { kind: "grid", what: "encoding", side: 3, values };
  const { marks, grids } = gridBlock(channels, { x: 0, y: 0, width: 600 }, words, palette, measure);
  assert.equal(cellsIn(marks).length, 16);
  assert.match(grids[0].describe(0, 0), /channel 0: from −8 to −8/);
  assert.match(grids[0].describe(1, 7), /channel 31: from 23 to 23/);
  const heads = { ...channels, what: "bias", values: values.subarray(0, 36) };
  const block = gridBlock(heads, { x: 0, y: 0, width: 350 }, words, palette, measure);
  assert.equal(cellsIn(block.marks).length, 4);
  assert.ok(cellsIn(block.marks).every(({ x, cell }) => x + 3 * cell <= 350));
  assert.equal(cellsIn(gridThumb(heads, 205, palette)).length, 2);
});
