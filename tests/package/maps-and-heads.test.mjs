// Results of a model at hand: heads by a measure, and maps that grow with each written token.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rankHeads, withRow } from "../../dist/index.js";
import { refused, scattered, wf } from "./golden.mjs";

const config = {
  ...{ vocabSize: 16, hiddenSize: 16, numLayers: 3, numHeads: 4, intermediateSize: 16 },
  ...{ scheme: "rope", seed: 5 },
};
const model = await wf.model(config);

test("heads by a measure: the largest first, by their indices in the model", () => {
  const found = model.heads([3, 1, 4, 3, 1, 4, 3], { layers: [0, 2], heads: [1, 2, 3] });
  const ranked = rankHeads(found, "induction");
  assert.equal(ranked.length, 6);
  ranked.forEach(({ layer, head, induction, previous }, rank) => {
    const cell = found.layers.indexOf(layer) * 3 + found.heads.indexOf(head);
    assert.equal(induction, found.measures.induction.mean.data[cell]);
    assert.equal(previous, found.measures.previous.mean.data[cell]);
    if (rank) assert.ok(ranked[rank - 1].induction >= induction);
  });
  assert.equal(new Set(ranked.map(({ layer, head }) => `${layer} ${head}`)).size, 6);
});

test("heads for which no text defines the measure have no rank", () => {
  assert.deepEqual(rankHeads(model.heads([1, 2, 3]), "induction"), []);
  assert.equal(rankHeads(model.heads([1, 2, 3]), "first").length, 12);
});

test("maps with the rows of written tokens are the maps of the whole text", async () => {
  const record = { record: ["weights"], region: { layers: [0, 2], heads: [1, 3] } };
  const ids = [3, 1, 4];
  let maps = model.run(ids, record).weights;
  const written = model.generate(ids, { ...record, maxTokens: 4, stopId: [] });
  for await (const { id, weights } of written) {
    ids.push(id);
    maps = withRow(maps, weights);
  }
  const { data, shape } = model.run(ids, record).weights;
  assert.deepEqual(maps.shape, shape);
  assert.deepEqual(maps.shape, [2, 2, 7, 7]);
  // Float32, and a cache instead of one pass.
  for (const [at, weight] of data.entries())
    assert.ok(Math.abs(weight - maps.data[at]) < 1e-6, `${at}`);
});

test("what has no rank, and rows of other maps, are refused by name", () => {
  const found = model.heads([1, 2, 3]);
  refused(() => rankHeads(found, "inductive"), "invalid_argument", /^by: "inductive"/);
  refused(() => rankHeads(found.measures, "first"), "invalid_argument", /^found: /);
  refused(() => rankHeads(found), "invalid_argument", /^by: undefined/);
  refused(() => withRow(scattered([2, 3]), scattered([1, 4])), "invalid_argument", /^maps\.shape/);
  refused(
    () => withRow(scattered([2, 3, 3]), scattered([1, 1, 4])),
    "invalid_argument",
    /^row\.shape: \[1, 1, 4\] \(expected \[2, 1, 4\]/,
  );
});
