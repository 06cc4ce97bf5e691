/** One rotation as a matrix in either layout, and the losses of a model read in each. */
import type { Draw } from "../../controls/scene-view.js";
import type { Language } from "../../defaults.js";
import type { Palette } from "../../drawing/colour.js";
import { cellMarks, type HeatMap } from "../../drawing/heat-map.js";
import { namedBarGrid, namedBarMarks, namedBarPitch } from "../../drawing/named-bars.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import {
  type LayoutsAnswer,
  type MixedAnswer,
  readAs,
} from "../../engine/both/rotation-messages.js";
import { caption, linesOf } from "../shared/pictures/captions.js";
import type { LayoutsWords } from "./words.js";

const languages: readonly Language[] = ["en", "zh"];
const layouts = ["neighbours", "halves"] as const;

interface Place {
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
  which: (typeof layouts)[number],
  { x, y, width }: Place,
  words: LayoutsWords,
  palette: Palette,
  measure: Measure,
): Block {
  const { size } = shown;
  const cell = Math.min(34, Math.floor((width - 1) / size));
  const lines = linesOf(words[which], width, measure);
  const indices = Array.from({ length: size }, (_, index) => String(index + 1));
  const values = shown[which];
  // Its frame is drawn outside of its cells.
  const shape = { x: x + 1, y: y + 36, cell, rows: indices, columns: indices };
  const map: HeatMap = { ...shape, values, limit: 1, signed: true };
  const grid: Grid = {
    id: which,
    label: words[which],
    ...{ x: map.x, y: map.y, cellWidth: cell, cellHeight: cell, rows: size, columns: size },
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
  { x, y, width }: Place,
  words: LayoutsWords,
  palette: Palette,
  measure: Measure,
): Block {
  const rows = readAs.map((how) => {
    const value = losses[how][language];
    const colour = how === "mixed" ? palette.position : palette.content;
    return { name: words.readAs[how], value, text: words.bits(value), colour };
  });
  const most = Math.max(...rows.map(({ value }) => value));
  const field = { x, y: y + 20, width, bars: rows, most };
  const label = words.charts[language];
  const grid = namedBarGrid(field, {
    ...{ id: language, label },
    describe: (row) => `${rows[row]!.name}: ${rows[row]!.text}`,
  });
  const marks = [caption(palette, x, y + 12, label), ...namedBarMarks(field, palette, measure)];
  return { marks, grid, bottom: field.y + rows.length * namedBarPitch };
}

export const drawLayouts =
  (shown: LayoutsAnswer | undefined, mixed: MixedAnswer | undefined, words: LayoutsWords): Draw =>
  (width, palette, measure) => {
    const gap = width >= 560 ? 48 : 16;
    const half = Math.floor((width - gap) / 2);
    const at = (index: number, y: number) => ({ x: index * (half + gap), y, width: half });
    const cell = Math.min(34, Math.floor((half - 1) / 8));
    const top = 36 + 8 * cell + 28;
    const isWide = width >= 560;
    const chart = 20 + readAs.length * namedBarPitch;
    const height = top + (isWide ? chart : 2 * chart + 20) + 6;
    if (!shown) return { width, height, marks: [], grids: [] };
    const blocks = layouts.map((which, index) =>
      matrix(shown, which, at(index, 0), words, palette, measure),
    );
    if (mixed)
      languages.forEach((language, index) => {
        const place = isWide ? at(index, top) : { x: 0, y: top + index * (chart + 20), width };
        blocks.push(bars(mixed, language, place, words, palette, measure));
      });
    const waiting = mixed ? [] : [caption(palette, 0, top + 12, words.waiting)];
    return {
      ...{ width, height },
      marks: [...blocks.flatMap(({ marks }) => marks), ...waiting],
      grids: blocks.map(({ grid }) => grid),
    };
  };
