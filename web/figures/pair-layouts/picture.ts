/** One rotation as a matrix in either layout, and the losses of a model read in each layout. */
import type { Draw } from "../../controls/scene-view.js";
import type { Language } from "../../defaults.js";
import type { Palette } from "../../drawing/colour.js";
import { cellMarks, type HeatMap } from "../../drawing/heat-map.js";
import { namedBarGrid, namedBarMarks, namedBarPitch } from "../../drawing/named-bars.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { caption, linesOf } from "../shared/pictures/captions.js";
import {
  type LayoutsAnswer,
  pairLayoutNames as layouts,
  type MixedAnswer,
  type PairLayout,
  readAs,
} from "./messages.js";
import { rotatedRows } from "./rotated-rows.js";
import type { LayoutsWords } from "./words.js";

const languages: readonly Language[] = ["en", "zh"];

interface Area {
  x: number;
  y: number;
  width: number;
}

interface Block {
  marks: Mark[];
  grid: Grid;
  bottom: number;
}

function matrix(
  shown: LayoutsAnswer,
  which: PairLayout,
  { x, y, width }: Area,
  words: LayoutsWords,
  palette: Palette,
  measure: Measure,
): Block {
  const { size } = shown;
  const cell = Math.min(34, Math.floor((width - 1) / size));
  const lines = linesOf(words[which], width, measure);
  const indices = Array.from({ length: size }, (_, index) => String(index + 1));
  const values = shown[which];
  // The frame is drawn outside the cells.
  const shape = { x: x + 1, y: y + 36, cell, rows: indices, columns: indices };
  const map: HeatMap = { ...shape, values, limit: 1, signed: true };
  const grid: Grid = {
    id: which,
    label: words[which],
    x: map.x,
    y: map.y,
    cellWidth: cell,
    cellHeight: cell,
    rows: size,
    columns: size,
    describe: (row, column) =>
      words.cell(words[which], row + 1, column + 1, values[row * size + column]!),
  };
  const marks = [
    ...lines.map((line, index) =>
      caption(palette, x, y + 28 - 16 * (lines.length - 1 - index), line),
    ),
    ...cellMarks(map, palette),
  ];
  return { marks, grid, bottom: map.y + size * cell };
}

function bars(
  { losses }: MixedAnswer,
  language: Language,
  { x, y, width }: Area,
  words: LayoutsWords,
  palette: Palette,
  measure: Measure,
): Block {
  const rows = readAs.map((how) => {
    const value = losses[how][language];
    const colour = how === "mixed" ? palette.position : palette.content;
    return { name: words.readAs[how], value, text: words.bits(value), colour };
  });
  const max = Math.max(...rows.map(({ value }) => value));
  const field = { x, y: y + 20, width, bars: rows, max };
  const label = words.charts[language];
  const grid = namedBarGrid(field, {
    id: language,
    label,
    describe: (row) => `${rows[row]!.name}: ${rows[row]!.text}`,
  });
  const marks = [caption(palette, x, y + 12, label), ...namedBarMarks(field, palette, measure)];
  return { marks, grid, bottom: field.y + rows.length * namedBarPitch };
}

/** Places two parts side by side, or one below the other if each needs all of the width. */
function sideBySide(
  isBeside: boolean,
  { width, y, gap }: { width: number; y: number; gap: number },
  draw: readonly ((area: Area) => Block)[],
): { blocks: Block[]; bottom: number } {
  const half = Math.floor((width - gap) / 2);
  const blocks: Block[] = [];
  for (const [index, one] of draw.entries()) {
    const below = blocks.at(-1)?.bottom;
    const area = isBeside
      ? { x: index * (half + gap), y, width: half }
      : { x: 0, y: below === undefined ? y : below + 20, width };
    blocks.push(one(area));
  }
  return { blocks, bottom: Math.max(...blocks.map(({ bottom }) => bottom)) };
}

/** Minimum width of each column for a vector rotated without a matrix. */
const roomForRows = 340;

export const drawLayouts =
  (shown: LayoutsAnswer | undefined, mixed: MixedAnswer | undefined, words: LayoutsWords): Draw =>
  (width, palette, measure) => {
    const isWide = width >= 560;
    const gap = isWide ? 48 : 16;
    if (!shown) return { width, height: isWide ? 700 : 1000, marks: [], grids: [] };
    const matrices = sideBySide(
      true,
      { width, y: 0, gap },
      layouts.map((which) => (at) => matrix(shown, which, at, words, palette, measure)),
    );
    const rows = sideBySide(
      (width - gap) / 2 >= roomForRows,
      { width, y: matrices.bottom + 16, gap },
      layouts.map((which) => (at) => rotatedRows(shown, which, at, words, palette, measure)),
    );
    const top = rows.bottom + 22;
    // Space for the losses is reserved before they have loaded.
    const chart = 20 + readAs.length * namedBarPitch;
    const bottom = top + (isWide ? chart : 2 * chart + 20);
    const losses = mixed
      ? sideBySide(
          isWide,
          { width, y: top, gap },
          languages.map((language) => (at) => bars(mixed, language, at, words, palette, measure)),
        ).blocks
      : [];
    const waiting = mixed ? [] : [caption(palette, 0, top + 12, words.waiting)];
    const blocks = [...matrices.blocks, ...rows.blocks, ...losses];
    return {
      width,
      height: bottom + 6,
      marks: [...blocks.flatMap(({ marks }) => marks), ...waiting],
      grids: blocks.map(({ grid }) => grid),
    };
  };
