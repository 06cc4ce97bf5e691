// A map whose numbers arrive in parts has, once they are there, the pyramid of the whole map; only
// what comes into view is requested.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

let sources;
let parts;
let pyramids;
before(async () => {
  sources = await openSources();
  parts = await sources.load("/drawing/map-parts.ts");
  pyramids = await sources.load("/drawing/map-pyramid.ts");
});
after(() => sources.close());

const size = { rows: 700, columns: 601 };
const side = 4;
const yieldAndCheck = async () => {};

/** A map with masked cells, negative numbers and odd sides. */
function wholeMap() {
  const values = Float32Array.from({ length: size.rows * size.columns }, (_, at) => {
    const [row, column] = [Math.floor(at / size.columns), at % size.columns];
    return column > row ? Number.NaN : Math.fround(Math.sin(at * 0.37) * (1 + (row % 7)));
  });
  return { ...size, values };
}

/** Returns the map in parts of the whole one, and the parts that have been requested. */
async function inParts(reduce) {
  const whole = await pyramids.buildPyramid(wholeMap(), reduce, yieldAndCheck);
  const levelOf = (wanted) => whole.levels.find((level) => level.side === wanted);
  const { values, counts } = levelOf(side);
  const { min, max, peak, hasGaps } = whole;
  const requested = [];
  const read = async (part) => {
    requested.push(part);
    const level = levelOf(part.side);
    return Float32Array.from({ length: part.rows * part.columns }, (_, at) => {
      const row = part.top + Math.floor(at / part.columns);
      return level.values[row * level.columns + part.left + (at % part.columns)];
    });
  };
  const overview = { side, values, counts, min, max, peak, hasGaps };
  const map = new parts.MapParts(size.rows, size.columns, reduce, overview, read);
  return { whole, map, requested, pyramid: await map.pyramid(yieldAndCheck) };
}

for (const reduce of ["max", "mean"])
  test(`in parts or as a whole, every level has the same numbers: ${reduce}`, async () => {
    const { whole, map, pyramid } = await inParts(reduce);
    assert.deepEqual(
      pyramid.levels.map(({ rows, columns, side }) => [rows, columns, side]),
      whole.levels.map(({ rows, columns, side }) => [rows, columns, side]),
    );
    assert.ok(pyramid.levels[0].values.every(Number.isNaN), "nothing has arrived yet");
    await map.whole();
    for (const level of pyramid.levels.slice(1, 2))
      while (level.lacks({ top: 0, left: 0, rows: level.rows, columns: level.columns }))
        await new Promise((resolve) => setTimeout(resolve, 1));
    for (const [at, level] of whole.levels.entries())
      assert.deepEqual(pyramid.levels[at].values, level.values, `level ${at}`);
    assert.deepEqual([pyramid.min, pyramid.max, pyramid.peak], [whole.min, whole.max, whole.peak]);
  });

test("a square is requested once, if a cell of it is needed; its arrival is reported", async () => {
  const { whole, map, requested } = await inParts("max");
  assert.equal(requested.length, 0);
  const gone = new AbortController();
  let arrivals = 0;
  const arrived = new Promise((resolve) =>
    map.listen(() => {
      arrivals++;
      resolve();
    }, gone.signal),
  );
  assert.ok(!map.has(300, 10) && !map.has(301, 11), "not there, and requested");
  await arrived;
  assert.deepEqual(requested, [{ side: 1, top: 256, left: 0, rows: 256, columns: 256 }]);
  assert.ok(map.has(300, 10));
  assert.equal(
    map.values[300 * size.columns + 10],
    whole.levels[0].values[300 * size.columns + 10],
  );
  gone.abort();
  await map.whole();
  assert.equal(arrivals, 1, "nobody listens any more");
  assert.equal(requested.length, 9, "three squares down and three across, each once");
});

test("a square that fails stays missing, and is not requested in each frame", async () => {
  let tries = 0;
  const values = new Float32Array(4).fill(1);
  const overview = { side: 128, values, min: 0, max: 1, peak: undefined, hasGaps: false };
  const map = new parts.MapParts(256, 256, "max", overview, async () => {
    tries++;
    throw new Error("gone");
  });
  for (let frame = 0; frame < 5; frame++) {
    assert.ok(!map.has(0, 0));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.equal(tries, 1);
});
