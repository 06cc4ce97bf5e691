/** Parts of the picture of a formula whose positions are the cells of a grid: small maps of it. */
import { type Palette, signedColours, weightColours } from "../../drawing/colour.js";
import type { Grid, Mark } from "../../drawing/scene.js";
import { caption } from "../shared/pictures/captions.js";
import { limitOf, signedLegend } from "../shared/pictures/signed-legend.js";
import { type Area, type Block, type Pens, titled } from "./blocks.js";
import type { FormulaAnswer } from "./messages.js";

/** The cell whose queries are drawn. */
export const middleOf = (side: number): number => Math.floor((side * side) / 2);

/** Returns the row of [heads, cells, cells] for the query in the middle. */
export function fromMiddle(values: Float32Array, head: number, side: number): Float32Array {
  const cells = side * side;
  const begin = (head * cells + middleOf(side)) * cells;
  return values.subarray(begin, begin + cells);
}

/** Maps beside one another, as many in a row as there is room for. */
interface Maps {
  side: number;
  cell: number;
  gap: number;
  count: number;
  /** Room above each for its name. */
  above: number;
}

const pitchOf = ({ side, cell, gap }: Maps): number => side * cell + gap;

function cornersOf(maps: Maps, { x, width }: Area, top: number) {
  const pitch = pitchOf(maps);
  const columns = Math.max(1, Math.min(maps.count, Math.floor((width + maps.gap) / pitch)));
  return Array.from({ length: maps.count }, (_, map) => ({
    x: x + (map % columns) * pitch,
    y: top + Math.floor(map / columns) * (pitch + maps.above) + maps.above,
  }));
}

function mapMarks(
  values: ArrayLike<number>,
  maps: Maps,
  { x, y }: { x: number; y: number },
  colour: (value: number) => string,
): Mark {
  const { side, cell } = maps;
  const colours = Array.from({ length: side * side }, (_, at) => colour(values[at]!));
  return { kind: "cells", x, y, cell, gap: cell > 12 ? 1 : 0, rows: side, columns: side, colours };
}

/** Marks the cell of the query. */
function queryMark(
  { side, cell }: Maps,
  { x, y }: { x: number; y: number },
  palette: Palette,
): Mark {
  const at = middleOf(side);
  const [left, top] = [x + (at % side) * cell, y + Math.floor(at / side) * cell];
  const d = `M${left} ${top}h${cell}v${cell}h${-cell}z`;
  return { kind: "path", d, stroke: palette.ink, width: 1.5 };
}

/** A hidden key has no colour of the scale. */
const shownOr = (palette: Palette, colour: (value: number) => string) => (value: number) =>
  Number.isFinite(value) ? colour(value) : palette.hair;

export function gridBiasBlock(answer: FormulaAnswer, area: Area, pens: Pens): Block {
  const { words, palette, measure } = pens;
  const side = answer.side!;
  const title = words.gridBias;
  const { marks, top } = titled(area, title, pens);
  const { numHeads: count } = answer;
  const cell = Math.max(6, Math.min(14, Math.floor((area.width / 2 - 20) / side)));
  const maps: Maps = { side, cell, gap: 20, count, above: 20 };
  const rows = Array.from({ length: count }, (_, head) => fromMiddle(answer.added, head, side));
  const limit = limitOf(rows.flatMap((values) => [...values].filter(Number.isFinite)));
  const colour = shownOr(palette, signedColours(palette, limit));
  const corners = cornersOf(maps, area, top);
  const grids = corners.map(
    (corner, head): Grid => ({
      id: `added-${head}`,
      label: `${title}, ${words.headName(head + 1)}`,
      ...corner,
      rows: side,
      columns: side,
      cellWidth: cell,
      cellHeight: cell,
      describe: (row, column) =>
        words.gridPoint(
          words.headName(head + 1),
          row,
          column,
          words.added(rows[head]![row * side + column]!),
        ),
    }),
  );
  marks.push(
    ...corners.flatMap((corner, head) => [
      caption(palette, corner.x, corner.y - 6, words.headName(head + 1)),
      mapMarks(rows[head]!, maps, corner, colour),
      queryMark(maps, corner, palette),
    ]),
  );
  const under = { x: area.x, y: corners.at(-1)!.y + side * cell + 8, width: area.width };
  const legend = signedLegend("", limit, under, palette, measure);
  return { marks: [...marks, ...legend.marks], grids, bottom: legend.bottom + 8 };
}

export function gridMapBlock(answer: FormulaAnswer, limit: number, area: Area, pens: Pens): Block {
  const { words, palette, head } = pens;
  const side = answer.side!;
  const title = words.gridMap(head + 1);
  const { marks, top } = titled(area, title, pens);
  const cell = Math.max(8, Math.min(36, Math.floor((area.width - 2) / side)));
  const maps: Maps = { side, cell, gap: 0, count: 1, above: 0 };
  const corner = { x: area.x + 1, y: top + 6 };
  const weights = fromMiddle(answer.weights, head, side);
  marks.push(
    mapMarks(weights, maps, corner, weightColours(palette, limit)),
    queryMark(maps, corner, palette),
  );
  const grid: Grid = {
    id: "map",
    label: title,
    ...corner,
    rows: side,
    columns: side,
    cellWidth: cell,
    cellHeight: cell,
    describe: (row, column) => words.gridCell(row, column, weights[row * side + column]!),
  };
  return { marks, grids: [grid], bottom: corner.y + side * cell + 8 };
}

/** A map for each channel of the vectors that are added to the cells. */
export function gridVectorsBlock(answer: FormulaAnswer, area: Area, pens: Pens): Block {
  const { words, palette, measure } = pens;
  const side = answer.side!;
  const vectors = answer.vectors!;
  const cells = side * side;
  const count = vectors.length / cells;
  const { marks, top } = titled(area, words.gridVectors, pens);
  const maps: Maps = { side, cell: 3, gap: 5, count, above: 0 };
  const limit = limitOf(vectors);
  const colour = signedColours(palette, limit);
  const corners = cornersOf(maps, area, top + 6);
  for (const [channel, corner] of corners.entries()) {
    const values = Array.from({ length: cells }, (_, cell) => vectors[cell * count + channel]!);
    marks.push(mapMarks(values, maps, corner, colour));
  }
  const under = { x: area.x, y: corners.at(-1)!.y + pitchOf(maps) + 4, width: area.width };
  const legend = signedLegend("", limit, under, palette, measure);
  return { marks: [...marks, ...legend.marks], grids: [], bottom: legend.bottom + 6 };
}
