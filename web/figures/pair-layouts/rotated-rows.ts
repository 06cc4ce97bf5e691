/** A vector rotated without a matrix, row by row, in the columns of the matrix above. */
import { rule } from "../../drawing/axes.js";
import { type Palette, signedColour, textOn } from "../../drawing/colour.js";
import { formatCell } from "../../drawing/heat-map.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { caption, linesOf } from "../shared/pictures/captions.js";
import type { LayoutsAnswer, PairLayout, RotatedRows } from "./messages.js";
import type { LayoutsWords } from "./words.js";

const names: readonly (keyof RotatedRows)[] = [
  ...(["x", "cosines", "exchanged", "sines", "sum", "product"] as const),
];
const column = 34;
const pitch = 26;
/** Minimum space for the long names of rows. */
const roomForNames = 190;

export function rotatedRows(
  { size, rows }: LayoutsAnswer,
  which: PairLayout,
  { x, y, width }: { x: number; y: number; width: number },
  words: LayoutsWords,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; grid: Grid; bottom: number } {
  const across = size * column;
  const isLong = width - across >= roomForNames;
  const said = isLong ? words.rows : words.shortRows;
  const lines = [
    ...linesOf(words.withoutMatrix[which], width, measure),
    ...(isLong ? [] : linesOf(words.shortNote, width, measure)),
  ];
  const left = x + 1;
  const top = y + lines.length * 16 + 8;
  // The result is set apart from the rows above.
  const topOf = (row: number) => top + row * pitch + (row > 3 ? 6 : 0);
  const marks: Mark[] = lines.map((line, index) => caption(palette, x, y + 12 + 16 * index, line));
  names.forEach((name, row) => {
    const from = topOf(row);
    rows[which][name].forEach((value, channel) => {
      const fill = signedColour(palette, value, 1);
      const at = left + channel * column;
      marks.push(
        { kind: "rect", x: at, y: from, width: column - 1, height: pitch - 3, fill },
        {
          ...caption(palette, at + (column - 1) / 2, from + 16, formatCell(value, true), "center"),
          fill: textOn(palette, fill),
          size: 11.5,
        },
      );
    });
    marks.push({
      ...caption(palette, left + across + 8, from + 16, said[name]),
      fill: row > 3 ? palette.ink : palette.soft,
    });
  });
  marks.push(rule(left, topOf(4) - 5, left + across - 1, topOf(4) - 5, palette.soft));
  const bottom = topOf(names.length) + 14;
  marks.push({ ...caption(palette, x, bottom, words.multiplications(size)), fill: palette.ink });
  const grid: Grid = {
    id: `${which}-rows`,
    label: words.withoutMatrix[which],
    x: left,
    y: top,
    cellWidth: column,
    cellHeight: pitch,
    rows: names.length,
    columns: size,
    describe: (row, channel) =>
      words.channel(words.rows[names[row]!], channel + 1, rows[which][names[row]!][channel]!),
  };
  return { marks, grid, bottom: bottom + 6 };
}
