/**
 * The picture under a veil that is clear where the asking token looks, the tokens before the
 * patches, and the same question in every head.
 */
import type { PictureGrid } from "whereformer";
import type { Draw } from "../../controls/scene-view.js";
import { type Palette, textOn, weightColour } from "../../drawing/colour.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { percent } from "../../text/numbers.js";
import { caption, heading, headingLines } from "../shared/pictures/captions.js";
import type { Shown } from "./pixels.js";
import type { LookWords } from "./words.js";

export interface Looked {
  grid: PictureGrid;
  shown: Shown;
  token: number;
  layer: number;
  head: number;
  numHeads: number;
  /** The layers of `weights`, [layers, heads, tokens]: from the asking token to all. */
  layers: readonly number[];
  weights: Float32Array;
}

/** Weights of one head, from the asking token to all. */
export function rowOf({ weights, layers, layer, head, numHeads, grid }: Looked): Float32Array {
  const tokens = grid.special.length + grid.rows * grid.columns;
  const at = (Math.max(0, layers.indexOf(layer)) * numHeads + head) * tokens;
  return weights.subarray(at, at + tokens);
}

export const indexOfMax = (values: Float32Array): number =>
  values.reduce((max, value, at) => (value > values[max]! ? at : max), 0);

/** Opacity of the veil where no attention goes. */
const veiled = 0.72;
const edge = 3;
const lineHeight = 18;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function frame({ x, y, width, height }: Box, colour: string, palette: Palette): Mark[] {
  // A line of paper below makes the frame visible on any picture.
  const at = { kind: "rect", x, y, width, height } as const;
  return [
    { ...at, stroke: palette.paper, lineWidth: 5 },
    { ...at, stroke: colour, lineWidth: 2.5 },
  ];
}

function pixelMarks(shown: Shown, { x, y, width, height }: Box): Mark[] {
  if ("image" in shown) return [{ kind: "image", x, y, width, height, image: shown.image }];
  const { rows, columns, colours } = shown;
  return [{ kind: "cells", x, y, cell: width / columns, gap: 0, rows, columns, colours }];
}

const alpha = (opacity: number): string =>
  Math.round(255 * opacity)
    .toString(16)
    .padStart(2, "0");

/** The picture, its patches veiled, with the asking patch and the one that gets most framed. */
function overBlock(looked: Looked, box: Box, words: LookWords, palette: Palette) {
  const { grid, token, shown } = looked;
  const { rows, columns, special } = grid;
  const weights = rowOf(looked).subarray(special.length);
  const limit = Math.max(...weights);
  const [cellWidth, cellHeight] = [box.width / columns, box.height / rows];
  const cellOf = (patch: number): Box => ({
    x: box.x + (patch % columns) * cellWidth,
    y: box.y + Math.floor(patch / columns) * cellHeight,
    width: cellWidth,
    height: cellHeight,
  });
  const veil = Array.from(weights, (weight, patch): Mark => {
    const opacity = veiled * (1 - (limit > 0 ? weight / limit : 0));
    return { kind: "rect", ...cellOf(patch), fill: `${palette.paper}${alpha(opacity)}` };
  });
  const asked = cellOf(indexOfMax(weights));
  const asking = token - special.length;
  const marks: Mark[] = [
    ...pixelMarks(shown, box),
    ...veil,
    { kind: "rect", ...box, stroke: palette.hair },
    ...frame(asked, palette.key, palette),
    ...(asking >= 0 ? frame(cellOf(asking), palette.query, palette) : []),
  ];
  const cells: Grid = {
    id: "picture",
    label: words.overLabel,
    x: box.x,
    y: box.y,
    cellWidth,
    cellHeight,
    rows,
    columns,
    describe: (row, column) =>
      words.patchCell(row + 1, column + 1, weights[row * columns + column]!),
  };
  return { marks, grid: cells, limit };
}

/** The tokens before the patches, as a row of chips. */
function chips(looked: Looked, x: number, y: number, width: number, words: LookWords, p: Palette) {
  const { grid, token } = looked;
  const count = grid.special.length;
  const weights = rowOf(looked);
  const limit = Math.max(...weights.subarray(count));
  const [chipWidth, chipHeight] = [Math.min(76, width / count), 44];
  const marks = grid.special.flatMap((label, at): Mark[] => {
    const box = { x: x + at * chipWidth, y, width: chipWidth - 4, height: chipHeight - 4 };
    const fill = weightColour(p, Math.min(weights[at]!, limit), limit);
    const ink = textOn(p, fill);
    const middle = box.x + box.width / 2;
    const text = (words: string, line: number): Mark => ({
      kind: "text",
      x: middle,
      y: y + line,
      text: words,
      fill: ink,
      size: 13,
      align: "center",
    });
    return [
      { kind: "rect", ...box, fill, stroke: p.hair },
      text(words.short[label] ?? label.replace(/\D+/, "R "), 17),
      text(percent(weights[at]!), 33),
      ...(token === at ? frame(box, p.query, p) : []),
    ];
  });
  const cells: Grid = {
    id: "tokens",
    label: words.tokensLabel,
    x,
    y,
    cellWidth: chipWidth,
    cellHeight: chipHeight,
    rows: 1,
    columns: count,
    describe: (_, column) => words.specialCell(grid.special[column]!, weights[column]!),
  };
  return { marks, grid: cells, bottom: y + chipHeight };
}

/** The asking token's attention in all heads whose maps are known. */
function sheet(looked: Looked, x: number, y: number, width: number, words: LookWords, p: Palette) {
  const { grid, layers, layer, head, numHeads, weights } = looked;
  const { rows, columns, special } = grid;
  const tokens = special.length + rows * columns;
  const across = Math.min(numHeads, Math.max(4, Math.floor(width / 34)));
  const lines = Math.ceil(numHeads / across);
  const pitch = Math.min(104, width / across);
  const cell = (pitch - 6) / Math.max(rows, columns);
  const marks: Mark[] = [];
  layers.forEach((_, line) => {
    for (let at = 0; at < numHeads; at++) {
      const from = (line * numHeads + at) * tokens + special.length;
      const values = weights.subarray(from, from + rows * columns);
      const limit = Math.max(...values);
      const box = {
        x: x + (at % across) * pitch,
        y: y + (line * lines + Math.floor(at / across)) * pitch,
      };
      marks.push({
        kind: "cells",
        ...box,
        cell,
        gap: 0,
        rows,
        columns,
        colours: Array.from(values, (value) => weightColour(p, value, limit)),
      });
      const size = { width: columns * cell, height: rows * cell };
      if (layers[line] === layer && at === head)
        marks.push({ kind: "rect", ...box, ...size, stroke: p.ink, lineWidth: 2.5 });
    }
  });
  const heads: Grid = {
    id: "heads",
    label: words.allHeads,
    x,
    y,
    cellWidth: pitch,
    cellHeight: pitch,
    rows: layers.length * lines,
    columns: across,
    describe: (row, column) => {
      const found = headAt(looked, across, row, column);
      return words.headCell(found.layer + 1, found.head + 1);
    },
  };
  return { marks, grid: heads, bottom: y + layers.length * lines * pitch, across };
}

/** The layer and head of a cell of the sheet, whose lines have `across` heads. */
export function headAt({ layers, numHeads }: Looked, across: number, row: number, column: number) {
  const lines = Math.ceil(numHeads / across);
  return {
    layer: layers[Math.floor(row / lines)]!,
    head: Math.min(numHeads - 1, (row % lines) * across + column),
  };
}

const titled = (lines: readonly string[], x: number, y: number, palette: Palette): Mark[] =>
  lines.map((line, at) => heading(palette, x, y + 13 + at * lineHeight, line));

/** Returns where the parts are: beside each other if there is room, else below. */
function layoutOf(
  width: number,
  { area }: PictureGrid,
  words: LookWords,
  title: string,
  m: Measure,
) {
  const isWide = width >= 640;
  const side = isWide ? Math.min(440, Math.floor(width * 0.52)) : Math.min(440, width);
  const longer = side - 2 * edge;
  const ratio = area.height / area.width;
  const size =
    ratio > 1
      ? { width: longer / ratio, height: longer }
      : { width: longer, height: longer * ratio };
  const left = headingLines(words.over, side, m);
  const right = headingLines(title, isWide ? width - side - 40 : width, m);
  return { isWide, side, size, left, right };
}

/** `spans`: called with the number of heads in a line of the sheet. */
export const drawLooked =
  (looked: Looked | undefined, words: LookWords, spans: (across: number) => void): Draw =>
  (width, palette, measure) => {
    if (!looked) return { width, height: 420, marks: [], grids: [] };
    const { grid, layers, numHeads, layer } = looked;
    const title =
      layers.length > 1 || numHeads < 1 ? words.allHeads : words.headsOfLayer(layer + 1);
    const { isWide, side, size, left, right } = layoutOf(width, grid, words, title, measure);
    const top = left.length * lineHeight + 8;
    const box = { x: edge, y: top, ...size };
    const over = overBlock(looked, box, words, palette);
    const marks = [...titled(left, edge, 0, palette), ...over.marks];
    const grids = [over.grid];
    let bottom = top + size.height + 22;
    marks.push(caption(palette, edge, bottom - 6, words.veil(over.limit)));
    if (grid.special.length) {
      marks.push(caption(palette, edge, bottom + 14, words.tokens));
      const row = chips(looked, edge, bottom + 20, side, words, palette);
      marks.push(...row.marks);
      grids.push(row.grid);
      bottom = row.bottom;
    }
    const x = isWide ? side + 40 : edge;
    const y = isWide ? 0 : bottom + 20;
    const below = y + right.length * lineHeight + 8;
    const all = sheet(looked, x, below, width - x - edge, words, palette);
    spans(all.across);
    marks.push(...titled(right, x, y, palette), ...all.marks);
    grids.push(all.grid);
    const isOneLine = all.across >= numHeads;
    if (isOneLine && layers.length > 1)
      marks.push(caption(palette, x, all.bottom + 14, words.headsNote));
    return { width, height: Math.max(bottom, all.bottom + 22) + 4, marks, grids };
  };
