// The visible part of a map, the cells that stand for many, and their form in an address.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

let sources;
let viewport;
let pyramids;
let shades;
let axes;
let lab;
before(async () => {
  sources = await openSources();
  viewport = await sources.load("/drawing/map-viewport.ts");
  pyramids = await sources.load("/drawing/map-pyramid.ts");
  shades = await sources.load("/drawing/map-shades.ts");
  axes = await sources.load("/drawing/map-axes.ts");
  lab = await sources.load("/figures/lab/lab-state.ts");
});
after(() => sources.close());

const size = { rows: 2048, columns: 2048 };
const box = { width: 512, height: 512 };
const at = Promise.resolve();
const yieldAndCheck = () => at;
const about = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} and ${b}`);

test("zooming keeps the cell under the pointer, between four cells and the whole map", () => {
  const { wholeMap, zoomed, cellAtPoint, isWhole } = viewport;
  let view = wholeMap(size, box);
  assert.equal(view.across, 2048);
  const hand = { x: 300, y: 100 };
  const before = cellAtPoint(view, hand, size, box);
  for (let step = 0; step < 5; step++) view = zoomed(view, 2, hand, size, box);
  about(view.across, 64);
  const now = cellAtPoint(view, hand, size, box);
  assert.ok(Math.abs(now.row - before.row) <= 4 && Math.abs(now.column - before.column) <= 4);
  for (let step = 0; step < 30; step++) view = zoomed(view, 2, hand, size, box);
  assert.equal(view.across, 4);
  for (let step = 0; step < 60; step++) view = zoomed(view, 0.5, hand, size, box);
  assert.ok(isWhole(view, size, box));
  assert.deepEqual([view.left, view.top], [0, 0]);
});

test("a drag moves the map up to its edge; keys bring a cell into view", () => {
  const { zoomed, wholeMap, panned, revealing, insideMap } = viewport;
  const view = zoomed(wholeMap(size, box), 16, { x: 256, y: 256 }, size, box);
  const right = panned(view, -64, 32, size, box);
  about(right.left - view.left, 16);
  about(right.top - view.top, -8);
  const edge = panned(view, -1e6, -1e6, size, box);
  about(edge.left, 2048 - 128);
  about(edge.top, 2048 - 128);
  const shown = revealing(view, { row: 3, column: 2000 }, size, box);
  assert.ok(shown.top <= 3 && shown.left <= 2000 && shown.left + shown.across >= 2001);
  assert.deepEqual(revealing(shown, { row: 4, column: 1999 }, size, box), shown);
  const tall = { rows: 400, columns: 10 };
  assert.equal(insideMap({ left: 5, top: -3, across: 1 }, tall, box).top, 0);
});

test("a selected rectangle becomes the visible part", () => {
  const view = viewport.brushed({ x: 700, y: 300 }, { x: 500, y: 400 }, size, box);
  assert.deepEqual(view, { left: 500, top: 300, across: 200 });
});

test("one cell of four million is visible at every maximum level; means are exact", async () => {
  const values = new Float32Array(size.rows * size.columns);
  const place = 1234 * 2048 + 987;
  values[place] = 0.75;
  const source = { ...size, values };
  let breaths = 0;
  const counting = () => {
    breaths++;
    return at;
  };
  const max = await pyramids.buildPyramid(source, "max", counting);
  assert.ok(breaths > 50, `${breaths}`);
  assert.equal(max.levels.length, 12);
  assert.deepEqual([max.min, max.max, max.hasGaps], [0, 0.75, false]);
  assert.deepEqual(max.peak, { row: 1234, column: 987 });
  for (const { values: level, side, columns } of max.levels)
    assert.equal(level[Math.floor(1234 / side) * columns + Math.floor(987 / side)], 0.75);
  const mean = await pyramids.buildPyramid(source, "mean", yieldAndCheck);
  about(mean.levels.at(-1).values[0] * size.rows * size.columns, 0.75);
});

test("masked cells count in no mean; the maximum is the farthest from zero", async () => {
  const nan = Number.NaN;
  const source = { rows: 3, columns: 3, values: Float32Array.of(1, nan, nan, 2, 3, nan, -9, 5, 6) };
  const mean = await pyramids.buildPyramid(source, "mean", yieldAndCheck);
  assert.deepEqual([...mean.levels[1].values], [2, nan, -2, 6]);
  about(mean.levels[2].values[0], (1 + 2 + 3 - 9 + 5 + 6) / 6);
  const max = await pyramids.buildPyramid(source, "max", yieldAndCheck);
  assert.deepEqual([...max.levels[1].values], [3, nan, -9, 6]);
  assert.ok(max.hasGaps);
});

test("a difference is computed for each cell, and the first token can be hidden", async () => {
  const source = {
    rows: 2,
    columns: 2,
    values: Float32Array.of(1, 2, 3, 4),
    minus: Float32Array.of(0.5, 0, 4, 0),
  };
  const difference = await pyramids.buildPyramid(source, "max", yieldAndCheck);
  assert.deepEqual([...difference.levels[0].values], [0.5, 2, -1, 4]);
  const hidden = await pyramids.buildPyramid({ ...source, hidesFirst: true }, "max", yieldAndCheck);
  assert.deepEqual([...hidden.levels[0].values], [Number.NaN, 2, Number.NaN, 4]);
  assert.deepEqual([hidden.min, hidden.max], [2, 4]);
});

test("the chosen level has cells no smaller than a device pixel", async () => {
  const { levels } = await pyramids.buildPyramid(
    { ...size, values: new Float32Array(2048 * 2048) },
    "max",
    yieldAndCheck,
  );
  const sideAt = (devicePixels) => levels[pyramids.levelFor({ levels }, devicePixels)].side;
  assert.deepEqual([3, 1, 0.5, 0.25, 0.2].map(sideAt), [1, 1, 2, 4, 8]);
});

test("scales: linear, logarithmic over four powers of ten, signed with zero in the middle", () => {
  const { shareOf } = shades;
  const linear = { signed: false, limit: 0.5, log: false };
  assert.deepEqual(
    [0, 0.25, 0.5, 2].map((value) => shareOf(value, linear)),
    [0, 0.5, 1, 1],
  );
  const log = { ...linear, log: true };
  for (const [value, share] of [
    [0.5, 1],
    [0.005, 0.5],
    [0.00005, 0],
    [0, 0],
  ])
    about(shareOf(value, log), share);
  const signed = { signed: true, limit: 2, log: false };
  assert.deepEqual(
    [-2, 0, 1].map((value) => shareOf(value, signed)),
    [0, 0.5, 0.75],
  );
});

test("labels do not overlap at any zoom", () => {
  for (const cell of [0.1, 0.25, 1, 3, 9, 14, 40]) {
    const step = axes.labelStep(cell, 14);
    assert.ok(step * cell >= 14 && [1, 2, 5].includes(step / 10 ** Math.floor(Math.log10(step))));
  }
});

test("the lab's state is restored from its address; an invalid one gives the first state", () => {
  const state = {
    ...lab.labBegin,
    text: "猫~追!老鼠 100% & more~",
    unit: "character",
    reader: "scheme",
    schemes: ["rope", "transformer_xl"],
    layer: 3,
    head: 2,
    part: "position",
    difference: true,
    log: true,
    hideFirst: true,
    reduce: "mean",
    view: { left: 12.5, top: 1024, across: 64.2 },
    cell: { row: 2047, column: 7 },
  };
  assert.deepEqual(lab.readLab(lab.writeLab(state)), state);
  assert.equal(lab.writeLab(lab.labBegin), "");
  const long = { ...lab.labBegin, length: 2048 };
  assert.deepEqual(lab.readLab(lab.writeLab(long)), long);
  for (const nonsense of ["", "t~%E0%A4%A", "n~77!s~../x!v~1.2!c~!l~999", "!!!~~~", "v~1.2.0"])
    assert.deepEqual(lab.readLab(nonsense), lab.labBegin, nonsense);
});
