/**
 * Attention of a cell of a grid to the others: by position alone, and in a trained model's head.
 */

import type { Engine, Model, Positions, Scheme } from "whereformer";
import type { Job } from "whereformer/requests";
import { askedPicture, gridView, stretchedTable } from "../../defaults.js";
import { cellsOf } from "../../engine/worker/configured-scheme.js";
import type { Handlers } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import { shapeOf, trainedScheme } from "../../engine/worker/trained-scheme.js";
import { inWindow, windowAround } from "../../engine/worker/windows.js";
import type { GridAnswer, GridQuestion } from "./messages.js";

const { trainedSide } = gridView;

/** Token ids of the picture, row by row. */
const pictureIds: readonly number[] = [...askedPicture.rows.join("")].map(
  (cell) =>
    ({
      "?": askedPicture.asks,
      s: askedPicture.speck,
      t: askedPicture.speck,
      "#": askedPicture.ink,
    })[cell] ?? askedPicture.ground,
);

/** Returns the row or column at the corresponding position of a grid of another size. */
const stretchedTo = (index: number, side: number): number =>
  Math.min(side - 1, Math.max(0, Math.round(((index + 0.5) * side) / trainedSide - 0.5)));

/** Returns the cosine between the vector added in one cell and that of every other cell. */
function addedCosines(scheme: Scheme, side: number, cell: number): Float32Array {
  const { data, shape } = scheme.embeddings(cellsOf(side));
  const width = shape[1]!;
  const dot = (a: number, b: number): number => {
    let sum = 0;
    for (let at = 0; at < width; at++) sum += data[a * width + at]! * data[b * width + at]!;
    return sum;
  };
  return Float32Array.from(
    { length: side * side },
    (_, other) => dot(cell, other) / Math.sqrt(dot(cell, cell) * dot(other, other)),
  );
}

const sumOf = (values: Float32Array): number =>
  values.reduce((sum, value) => (Number.isNaN(value) ? sum : sum + value), 0);

/** Subtracts the mean: the softmax ignores what all keys have in common. */
function lessMean(values: Float32Array): Float32Array {
  const mean = sumOf(values) / values.filter((value) => !Number.isNaN(value)).length;
  return values.map((value) => value - mean);
}

/** Returns the cells as the scheme's positions; with three axes (video), all at one time. */
function positionsOf(axes: number): Positions {
  const cells = cellsOf(trainedSide) as { data: number[]; shape: number[] };
  if (axes < 3) return cells;
  return {
    data: [...new Array<number>(trainedSide * trainedSide).fill(0), ...cells.data],
    shape: [3, trainedSide * trainedSide],
  };
}

/**
 * Returns the product of a vector of ones rotated to one cell and to every other, as a share of its
 * squared length.
 */
function rotatedShares(scheme: Scheme, model: Model, axes: number, cell: number): Float32Array {
  const { headDim } = shapeOf(model);
  const cells = trainedSide * trainedSide;
  const ones = { data: new Float32Array(cells * headDim).fill(1), shape: [1, cells, headDim] };
  const { data } = scheme.rotate(ones, positionsOf(axes));
  return Float32Array.from({ length: cells }, (_, other) => {
    let sum = 0;
    for (let at = 0; at < headDim; at++)
      sum += data[cell * headDim + at]! * data[other * headDim + at]!;
    return sum / headDim;
  });
}

/** Returns the effect of positions on the logits of one cell, and its kind. */
function positionPart(
  wf: Engine,
  model: Model,
  { scheme: id, head, side }: GridQuestion,
  at: { row: number; column: number },
): Pick<GridAnswer, "kind" | "position"> {
  const { hooks, positionAxes } = wf.schemes.find((one) => one.id === id)!;
  const cell = at.row * side + at.column;
  if (hooks.includes("bias")) {
    const region = { layers: [model.config.numLayers - 1], heads: [head], rows: [cell] };
    const { terms } = model.run(pictureIds, { record: ["terms"], region });
    return { kind: "bias", position: terms!["window"]!.data.slice() };
  }
  const grid = id === stretchedTable ? { gridHeight: side, gridWidth: side } : {};
  const scheme = trainedScheme(wf, model, grid);
  try {
    return hooks.includes("embeddings")
      ? { kind: "added", position: addedCosines(scheme, side, cell) }
      : { kind: "rotated", position: rotatedShares(scheme, model, positionAxes, cell) };
  } finally {
    scheme.dispose();
  }
}

async function lookInGrid(
  store: ModelStore,
  question: GridQuestion,
  job: Job,
): Promise<GridAnswer> {
  const wf = await store.engine();
  const model = await store.model(question.folder, question.scheme, job);
  const { numHeads, numLayers } = model.config;
  const head = Math.min(question.head, numHeads - 1);
  const side = question.scheme === stretchedTable ? question.side : trainedSide;
  const [row, column] = [question.row, question.column].map((index) =>
    Math.min(index, trainedSide - 1),
  );
  const at = { row: stretchedTo(row!, side), column: stretchedTo(column!, side) };
  const { kind, position } = positionPart(wf, model, { ...question, head, side }, at);
  const region = { layers: [numLayers - 1], heads: [head], rows: [row! * trainedSide + column!] };
  const weights = model.run(pictureIds, { record: ["weights"], region }).weights.data;
  const { window } = question;
  const answer = {
    scheme: question.scheme,
    row: row!,
    column: column!,
    head,
    side,
    numHeads,
    pictureSide: trainedSide,
    window,
    kind,
    at,
  };
  if (kind !== "bias") return { ...answer, position: lessMean(position), weights: weights.slice() };
  const windowed = windowAround(wf, model, answer);
  // A softmax over some of the keys: their weights, divided by the sum of those weights.
  const seen = inWindow(weights, windowed);
  const share = sumOf(seen);
  return {
    ...answer,
    windowed,
    position: lessMean(inWindow(position, windowed)),
    weights: seen.map((weight) => weight / share),
  };
}

export const answers = (store: ModelStore): Pick<Handlers, "grid"> => ({
  grid: (question, job) => lookInGrid(store, question, job),
});
