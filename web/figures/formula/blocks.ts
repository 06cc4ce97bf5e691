/** What all parts of the picture of a formula share. */
import type { Palette } from "../../drawing/colour.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { SharedWords } from "../shared/figure/words.js";
import { caption, linesOf } from "../shared/pictures/captions.js";
import type { FormulaWords } from "./words.js";

export interface Area {
  x: number;
  y: number;
  width: number;
}

export interface Block {
  marks: Mark[];
  grids: Grid[];
  bottom: number;
}

export interface Pens {
  head: number;
  words: FormulaWords;
  shared: SharedWords;
  palette: Palette;
  measure: Measure;
}

/** Draws lines of a title; returns where the rest begins. */
export function titled(area: Area, text: string, { palette, measure }: Pens) {
  const lines = linesOf(text, area.width, measure, 13);
  const marks = lines.map((line, row) => ({
    ...caption(palette, area.x, area.y + 12 + 17 * row, line),
    size: 13,
  }));
  return { marks: marks as Mark[], top: area.y + 17 * lines.length + 4 };
}
