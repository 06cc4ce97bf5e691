// Positions with several axes, with the package's functions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { near, wf } from "./golden.mjs";

const config = {
  vocabSize: 12,
  hiddenSize: 16,
  numLayers: 2,
  numHeads: 2,
  intermediateSize: 24,
  isCausal: false,
  scheme: "swin",
};
const ids = [3, 1, 4, 1, 5, 9, 2];
const grid = (rows, columns) => ({ data: [...rows, ...columns], shape: [2, rows.length] });
const hidden = (model, positions) =>
  model.run(ids, { record: ["hidden"], ...(positions && { positions }) }).hidden.data;

test("a model for grids arranges a text in the smallest square, row by row", async () => {
  const model = await wf.model(config);
  const square = grid([0, 0, 0, 1, 1, 1, 2], [0, 1, 2, 0, 1, 2, 0]);
  assert.deepEqual(hidden(model), hidden(model, square));
  const moved = grid([5, 5, 5, 6, 6, 6, 7], [-2, -1, 0, -2, -1, 0, -2]);
  near(hidden(model, moved), hidden(model, square), 2e-6, "moved as a whole");
  const other = hidden(model, grid([0, 0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 0, 1, 2]));
  assert.ok(other.some((x, i) => Math.abs(x - hidden(model)[i]) > 1e-5));
  model.dispose();
});

test("positions with a wrong number of axes, or beyond a window, are refused", async () => {
  const model = await wf.model(config);
  const message = (text) => ({ code: "invalid_argument", message: text });
  assert.throws(() => hidden(model, [0, 1, 2, 3, 4, 5, 6]), message(/1 axes.*\[2,T\]/));
  assert.throws(
    () => hidden(model, { data: Array(21).fill(0), shape: [3, 7] }),
    message(/3 axes.*\[2,T\]/),
  );
  assert.throws(
    () => hidden(model, { data: Array(28).fill(0), shape: [4, 7] }),
    message(/positions\.shape/),
  );
  assert.throws(
    () => hidden(model, { data: Array(12).fill(0), shape: [2, 6] }),
    message(/\[axes,7\]/),
  );
  assert.throws(
    () => hidden(model, grid([0, 0, 0, 0, 0, 0, 7], [0, 1, 2, 3, 4, 5, 6])),
    message(/7 rows.*windowHeight is 7/),
  );
  const text = await wf.model({ ...config, scheme: "rope" });
  assert.throws(() => hidden(text, grid(ids, ids)), message(/2 axes.*\[T\]/));
  await assert.rejects(wf.model({ ...config, scheme: ["rope", "swin"] }), { code: "unsupported" });
  for (const handle of [model, text]) handle.dispose();
});

test("outside of a model, schemes use initial weights, for their own heads", () => {
  const swin = wf.scheme("swin", { numHeads: 2, headDim: 4, version: "v2" });
  assert.equal(swin.description.positionAxes, 2);
  const positions = { data: [0, 0], shape: [2, 1] };
  const ones = (heads) => ({ data: Array(4 * heads).fill(1), shape: [heads, 1, 4] });
  // A row of length 2 is normalised to 1, times exp(ln 10), the initial temperature.
  near(swin.rotate(ones(2), positions).data, Array(8).fill(5), 1e-5);
  assert.throws(() => swin.rotate(ones(3), positions), {
    code: "invalid_argument",
    message: /3 heads \(expected 1 to 2/,
  });
  swin.dispose();
});

test("a scheme that uses a layer's projections is refused outside of a model", () => {
  const shape = { numHeads: 2, headDim: 4 };
  const scheme = wf.scheme("sinusoidal_2d", { ...shape, layout: "detr" });
  const cell = { data: [0, 1], shape: [2, 1] };
  assert.equal(scheme.description.positionAxes, 2);
  const x = { data: Array(8).fill(1), shape: [2, 1, 4] };
  assert.throws(() => scheme.rotate(x, cell), { code: "unsupported", message: /projections/ });
  assert.throws(() => scheme.embeddings(cell), { code: "unsupported" });
  scheme.dispose();
});

test("a text with a picture gets the positions of models that read both", () => {
  const { positions, delta } = wf.positionsWithPictures(9, [{ first: 2, rows: 2, columns: 2 }]);
  assert.deepEqual(positions.shape, [3, 9]);
  assert.deepEqual(
    [...positions.data],
    [0, 1, 2, 2, 2, 2, 4, 5, 6, 0, 1, 2, 2, 3, 3, 4, 5, 6, 0, 1, 2, 3, 2, 3, 4, 5, 6],
  );
  assert.equal(delta, -2);
  const outside = [{ first: 7, rows: 2, columns: 2 }];
  const refusal = { code: "invalid_argument", message: /blocks\[0\]/ };
  assert.throws(() => wf.positionsWithPictures(9, outside), refusal);
  assert.throws(() => wf.positionsWithPictures(9, [{ first: 0, columns: 2 }]), refusal);
});
