// Labels of maps: all if there is enough space, otherwise some of them, without overlap.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

let sources;
let labels;
before(async () => {
  sources = await openSources();
  labels = await sources.load("/drawing/labels.ts");
});
after(() => sources.close());

const palette = { query: "#000000", key: "#000000" };
const tokens = Array.from({ length: 64 }, (_, index) => `w${index}`);
const map = (cell, more = {}) => ({ x: 100, y: 100, cell, rows: tokens, columns: tokens, ...more });
const measure = (text, size) => text.length * size * 0.5;

/** Returns the tokens that have a label, with its position. */
const shown = (marks, along) => marks.map((mark) => ({ text: mark.text, at: mark[along] }));

test("every row and column has its label if cells are wide enough", () => {
  assert.equal(labels.rowLabels(map(12), palette).length, 64);
  assert.equal(labels.columnLabels(map(12), palette, measure).length, 64);
});

test("narrow cells keep some labels, ten pixels apart, including the marked one", () => {
  for (const active of [undefined, { row: 31, column: 7 }])
    for (const [marks, along, own] of [
      [labels.rowLabels(map(5, { active }), palette), "y", active?.row],
      [labels.columnLabels(map(5, { active }), palette, measure), "x", active?.column],
    ]) {
      const found = shown(marks, along);
      assert.ok(found.length > 25 && found.length <= 33, `${found.length}`);
      const places = found.map(({ at }) => at).sort((a, b) => a - b);
      for (let index = 1; index < places.length; index++)
        assert.ok(places[index] - places[index - 1] >= 9.9);
      if (own !== undefined) assert.ok(found.some(({ text }) => text === `w${own}`));
    }
});
