/** A tile for each scheme: the map of the sentence before and after it has moved on. */
import type { Draw } from "../../controls/scene-view.js";
import { type Palette, weightColours } from "../../drawing/colour.js";
import { familyColour, familyOf } from "../../drawing/family-colours.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { caption, linesOf } from "../shared/pictures/captions.js";
import type { Change } from "./changes.js";
import type { SlideWords } from "./words.js";

export interface Tile extends Change {
  name: string;
}

/** Distance of the two maps of a tile, and of two tiles. */
const between = 10;
const gap = 32;
const maxCell = 19;
const columnsFor = (width: number): number => (width >= 760 ? 3 : width >= 480 ? 2 : 1);
const lineHeight = 16;
/** Height of the line with the positions of each map. */
const spansHeight = 20;

interface Box {
  x: number;
  y: number;
  cell: number;
  tokens: number;
}

/** A causal map with its frame: keys after the query stay blank. */
function mapMarks(weights: Float32Array, box: Box, isMarked: boolean, palette: Palette): Mark[] {
  const { x, y, cell, tokens } = box;
  const colourOf = weightColours(palette, 1);
  const colours = Array.from(weights, (value, at) =>
    at % tokens > Math.floor(at / tokens) ? undefined : colourOf(value),
  );
  const steps = Array.from({ length: tokens }, () => `h${cell}v${cell}`).join("");
  return [
    { kind: "cells", x, y, cell, gap: 0, rows: tokens, columns: tokens, colours },
    {
      kind: "path",
      d: `M${x} ${y}${steps}H${x}V${y}`,
      stroke: isMarked ? palette.ink : palette.hair,
      width: isMarked ? 2 : 1,
    },
  ];
}

function tileMarks(
  tile: Tile,
  { x, y, width }: { x: number; y: number; width: number },
  { tokens, cell, nameLines, shift }: Record<"tokens" | "cell" | "nameLines" | "shift", number>,
  words: SlideWords,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const side = cell * tokens;
  const spansAt = y + nameLines * lineHeight + 16;
  const top = y + nameLines * lineHeight + 6 + spansHeight;
  const second = x + side + between;
  const names = linesOf(tile.name, width, measure, 14);
  const { isChanged, largest } = tile;
  const said = isChanged ? words.changed(largest) : words.same;
  const middle = second - between / 2;
  const fill = familyColour(familyOf(tile.scheme), palette);
  return [
    ...names.map((line, row): Mark => {
      const at = y + 12 + lineHeight * (nameLines - names.length + row);
      return { ...caption(palette, x, at, line), fill, size: 14, weight: 600 };
    }),
    caption(palette, x, spansAt, words.span(0, tokens)),
    caption(palette, second, spansAt, words.span(shift, tokens)),
    ...mapMarks(tile.before, { x, y: top, cell, tokens }, false, palette),
    ...mapMarks(tile.after, { x: second, y: top, cell, tokens }, isChanged, palette),
    {
      ...caption(palette, middle, top + side + 18, said, "center"),
      fill: isChanged ? palette.ink : palette.soft,
      weight: isChanged ? 600 : 400,
    },
  ];
}

export function drawSlide(
  tiles: readonly Tile[] | undefined,
  shift: number,
  words: SlideWords,
): Draw {
  return (width, palette, measure) => {
    const columns = columnsFor(width);
    const cellWidth = width / columns;
    const tileWidth = columns > 1 ? cellWidth - gap : width;
    if (!tiles) return { width, height: columns === 3 ? 500 : 1100, marks: [], grids: [] };
    const tokens = Math.sqrt(tiles[0]!.before.length);
    const cell = Math.min(maxCell, Math.floor((tileWidth - between) / 2 / tokens));
    const nameLines = Math.max(
      ...tiles.map(({ name }) => linesOf(name, tileWidth, measure, 14).length),
    );
    const cellHeight = nameLines * lineHeight + spansHeight + cell * tokens + 52;
    const rows = Math.ceil(tiles.length / columns);
    const order = linesOf(words.order, width, measure, 13);
    const above = order.length * lineHeight + 14;
    const grid: Grid = {
      id: "schemes",
      label: words.name,
      x: 0,
      y: above,
      cellWidth,
      cellHeight,
      rows,
      columns,
      describe: (row, column) => {
        const tile = tiles[row * columns + column];
        return tile ? words.tile(tile.name, tile.isChanged, tile.largest) : "";
      },
    };
    return {
      width,
      height: above + rows * cellHeight,
      marks: [
        ...order.map((line, row) => ({
          ...caption(palette, 0, 12 + row * lineHeight, line),
          size: 13,
        })),
        ...tiles.flatMap((tile, index) => {
          const x = (index % columns) * cellWidth;
          const y = above + Math.floor(index / columns) * cellHeight;
          const sizes = { tokens, cell, nameLines, shift };
          return tileMarks(tile, { x, y, width: tileWidth }, sizes, words, palette, measure);
        }),
      ],
      grids: [grid],
    };
  };
}
