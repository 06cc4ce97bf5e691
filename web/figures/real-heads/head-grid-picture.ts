/** All heads of all models as thumbnails: layers down, heads across, the chosen one framed. */
import type { Draw } from "../../controls/scene-view.js";
import { type Palette, weightColour } from "../../drawing/colour.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { ReadAnswer } from "../../engine/both/messages.js";
import { blankLabels, layOutMaps } from "../shared/maps/map-row.js";
import { caption, heading, headingLines } from "../shared/pictures/captions.js";
import type { Column } from "../shared/trained/session-figure.js";
import type { HeadsWords } from "./words.js";

/** Maximum cells on a side of a thumbnail; longer maps keep the largest weight of each block. */
const maxCells = 24;

/**
 * Reduces a map [n,n] to [m,m] by the largest value of each block, so that a single sharp cell
 * stays visible.
 */
export function shrink(map: ArrayLike<number>, n: number, m: number): Float32Array {
  const small = new Float32Array(m * m);
  for (let row = 0; row < n; row++) {
    for (let column = 0; column <= row; column++) {
      const at = Math.floor((row * m) / n) * m + Math.floor((column * m) / n);
      small[at] = Math.max(small[at]!, map[row * n + column]!);
    }
  }
  return small;
}

/**
 * Places thumbnails below the large maps if these are side by side; else two models per row, large
 * enough for a finger.
 */
function layOut(
  labels: readonly string[],
  count: number,
  heads: number,
  width: number,
  measure: Measure,
) {
  const maps = layOutMaps(labels, count, width, measure);
  if (maps.isWide) {
    const pitch = Math.floor(Math.min(maps.stepX - 26, Math.max(maps.n * maps.cell, 240)) / heads);
    return { isWide: true, left: maps.left, step: maps.stepX, pitch, across: count };
  }
  const left = 16;
  const gap = 14;
  const across = Math.min(2, count);
  const step = (width - left + gap) / across;
  const pitch = Math.floor((step - gap) / heads);
  return { isWide: false, left, step, pitch, across };
}

interface Sizes {
  layers: number;
  heads: number;
  /** Distance from one thumbnail to the next. */
  pitch: number;
}

/** Draws one head's reduced map in its frame. */
function thumbnail(
  map: ArrayLike<number> | undefined,
  { x, y, pitch, n }: { x: number; y: number; pitch: number; n: number },
  isChosen: boolean,
  palette: Palette,
): Mark[] {
  const frame: Mark = {
    kind: "rect",
    x: x - 0.5,
    y: y - 0.5,
    width: pitch - 4,
    height: pitch - 4,
    stroke: isChosen ? palette.ink : palette.hair,
    lineWidth: isChosen ? 2 : 1,
  };
  if (!map || !n) return [frame];
  const m = Math.min(n, maxCells);
  const small = shrink(map, n, m);
  const colours = Array.from({ length: m * m }, (_, at) =>
    small[at]! > 0.02 ? weightColour(palette, small[at]!, 1) : undefined,
  );
  const cell = (pitch - 5) / m;
  return [{ kind: "cells", x, y, cell, gap: 0, rows: m, columns: m, colours }, frame];
}

/** Draws the heads of one model, under their numbers. */
function modelMarks(
  weights: Float32Array | undefined,
  n: number,
  { left, top }: { left: number; top: number },
  { layers, heads, pitch }: Sizes,
  chosen: { layer: number; head: number },
  palette: Palette,
): Mark[] {
  const numbers = Array.from({ length: heads }, (_, head) =>
    caption(palette, left + (head + 0.5) * pitch - 2, top - 6, String(head + 1), "center"),
  );
  const thumbnails = Array.from({ length: layers * heads }, (_, index) => {
    const [layer, head] = [Math.floor(index / heads), index % heads];
    const box = { x: left + head * pitch, y: top + layer * pitch, pitch, n };
    const isChosen = layer === chosen.layer && head === chosen.head;
    const map = weights?.subarray(index * n * n, (index + 1) * n * n);
    return thumbnail(map, box, isChosen, palette);
  });
  return [...numbers, ...thumbnails.flat()];
}

/** Draws the numbers of the layers, left of the first model in a row. */
const layerNumbers = (left: number, top: number, { layers, pitch }: Sizes, palette: Palette) =>
  Array.from({ length: layers }, (_, layer) =>
    caption(palette, left - 10, top + (layer + 0.5) * pitch + 3, String(layer + 1), "center"),
  );

function headGrid(
  { id, name }: Column,
  distances: ArrayLike<number>,
  { left, top }: { left: number; top: number },
  { layers, heads, pitch }: Sizes,
  words: HeadsWords,
): Grid {
  return {
    id: `heads-${id}`,
    label: words.gridLabel(name),
    x: left,
    y: top,
    cellWidth: pitch,
    cellHeight: pitch,
    rows: layers,
    columns: heads,
    describe: (layer, head) =>
      words.headLabel(layer + 1, head + 1, distances[layer * heads + head]!),
  };
}

/** Draws the thumbnails of every model, in the order of the large maps. */
export function drawHeadGrid(
  answer: ReadAnswer | undefined,
  labels: readonly string[],
  chosen: { layer: number; head: number },
  models: readonly Column[],
  words: HeadsWords,
): Draw {
  return (width, palette, measure) => {
    const layers = answer?.numLayers || 4;
    const heads = answer?.numHeads || 4;
    const n = answer?.tokens.length ?? 0;
    const tokens = labels.length ? labels : blankLabels;
    const layout = layOut(tokens, models.length, heads, width, measure);
    const { isWide, step, pitch, across } = layout;
    const sizes = { layers, heads, pitch };
    const title = headingLines(words.gridTitle, width, measure);
    // Models are named here unless they are below the large maps.
    const above = isWide ? 38 : 60;
    const firstTop = 4 + title.length * 20 + above;
    const stepY = layers * pitch + above + 4;
    const marks: Mark[] = title.map((line, row) => heading(palette, 0, 24 + row * 20, line));
    const grids: Grid[] = [];
    models.forEach((model, index) => {
      const left = layout.left + (index % across) * step;
      const top = firstTop + Math.floor(index / across) * stepY;
      const found = answer?.byScheme[index];
      if (!isWide) marks.push(heading(palette, left, top - 26, model.name));
      if (index % across === 0) marks.push(...layerNumbers(left, top, sizes, palette));
      marks.push(...modelMarks(found?.weights, n, { left, top }, sizes, chosen, palette));
      if (found) grids.push(headGrid(model, found.meanDistances, { left, top }, sizes, words));
    });
    const rows = Math.ceil(models.length / across);
    return { width, height: firstTop + rows * stepY - above, marks, grids };
  };
}
