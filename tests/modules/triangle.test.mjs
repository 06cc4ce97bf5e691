// A causal map as a triangle, and the waves that are fitted to it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

let sources;
let triangle;
let waves;
before(async () => {
  sources = await openSources();
  triangle = await sources.load("/drawing/triangle.ts");
  waves = await sources.load("/engine/both/ghost-messages.ts");
});
after(() => sources.close());

const close = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} and ${b}`);

test("the point of two tokens leads back to them", () => {
  const box = { tokens: 40, x: 5, y: 7, width: 400, height: 300 };
  for (let row = 0; row < 40; row += 3)
    for (let column = 0; column <= row; column += 2) {
      const { x, y } = triangle.pointOf(box, { row, column });
      assert.deepEqual(triangle.pairAt(box, x, y - 1e-6), { row, column });
    }
  assert.equal(triangle.pairAt(box, 6, 8), undefined);
  assert.equal(triangle.pairAt(box, 200, 400), undefined);
});

test("a pixel has the largest number of its cells; a cell with pixels to itself fills them", () => {
  const tokens = 64;
  const values = new Float32Array((tokens * (tokens + 1)) / 2).fill(1e-9);
  const at = (row, column) => (row * (row + 1)) / 2 + column;
  values[at(50, 20)] = 0.3;
  const box = { tokens, x: 0, y: 0 };
  for (const [columns, rows] of [
    [48, 24],
    [640, 320],
  ]) {
    const shades = triangle.shadesOf({ values, tokens }, columns, rows, 0.3);
    const { x, y } = triangle.pointOf(
      { ...box, width: columns, height: rows },
      { row: 50, column: 20 },
    );
    const lit = [...shades.entries()].filter(([, shade]) => shade === 255);
    assert.ok(lit.length >= 1 && lit.length <= (columns / tokens) * (rows / tokens) * 4 + 1);
    for (const [pixel] of lit) {
      close(pixel % columns, x, columns / tokens + 1);
      close(Math.floor(pixel / columns), y, (2 * rows) / tokens + 1);
    }
    assert.equal(shades[0], -1);
  }
});

test("amplitude and crest of a wave are found, whatever its mean", () => {
  for (const [period, amplitude, crest] of [
    [199, 1.9, -25],
    [31, 0.4, 10],
  ]) {
    const values = Array.from(
      { length: 800 },
      (_, at) => 3 + amplitude * Math.cos((2 * Math.PI * (at - crest)) / period),
    );
    const wave = waves.fitWave(values, (2 * Math.PI) / period);
    close(wave.period, period, 1e-9);
    close(wave.amplitude, amplitude, 1e-9);
    close(wave.crest, crest, 1e-6);
    assert.deepEqual(
      waves.crestsOf(wave, 2.5 * period).map(Math.round),
      [crest + period, crest + 2 * period].filter((one) => one < 2.5 * period),
    );
  }
});
