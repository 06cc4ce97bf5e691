/**
 * A row for each layer, from the first: a bar as long as the text that its queries see, on a
 * logarithmic axis, in the colour of its scheme's family, and what the layer does where that
 * changes.
 */
import type { Draw } from "../../controls/scene-view.js";
import { rule } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { type CurveLook, lookColour } from "../../drawing/family-colours.js";
import type { Mark, TextMark } from "../../drawing/scene.js";
import { grouped } from "../../text/numbers.js";
import { caption } from "../shared/pictures/captions.js";

export interface LayerRow {
  /** Tokens that a query sees; undefined: all. */
  sees: number | undefined;
  /** Undefined for a layer without attention. Layers of a family that differ have its shades. */
  look: CurveLook | undefined;
  /** What it does, in words. */
  text: string;
  /** Text about it under the pointer. */
  told: string;
}

export interface LayersPicture {
  rows: readonly LayerRow[];
  label: string;
  axis: string;
  all: string;
}

const top = 44;
const left = 34;
const gap = 14;
/** The axis goes to this many tokens, and a little further for layers that see all. */
const longest = 2 ** 17;
const ticks = [1, 16, 256, 4096, 65_536];

const pitchOf = (count: number): number => (count <= 28 ? 22 : count <= 48 ? 16 : 11);

/** The row says what it does if the row before does something else. */
const begins = (rows: readonly LayerRow[], at: number): boolean =>
  rows[at]!.text !== rows[at - 1]?.text;

/** Width of the bars beside the longest text. */
function barsWidth({ rows }: LayersPicture, width: number, widest: number): number {
  const beside = width - left - gap - widest;
  return rows.length && beside >= width * 0.3 ? Math.min(beside, width * 0.55) : width - left;
}

export const drawLayers =
  (shown: LayersPicture): Draw =>
  (width, palette, measure) => {
    const { rows } = shown;
    const pitch = pitchOf(rows.length);
    const size = Math.min(13, pitch - 1);
    const widest = Math.max(0, ...rows.map(({ text }) => measure(text, size)));
    const bars = barsWidth(shown, width, widest);
    const isBeside = bars < width - left;
    const x = (tokens: number) => left + ((bars - 24) * Math.log2(tokens)) / Math.log2(longest);
    const height = top + rows.length * pitch + 4;
    return {
      width,
      height,
      marks: [
        ...axisMarks(shown, { x, bars, height }, palette),
        ...rows.flatMap((row, at): Mark[] => [
          ...barMarks(row, { y: top + at * pitch, pitch, end: left + bars, x }, palette),
          ...numberMarks(at, begins(rows, at), top + at * pitch + pitch / 2, pitch, palette),
          ...(isBeside && begins(rows, at)
            ? [textMark(palette, left + bars + gap, top + at * pitch + pitch / 2, row.text, size)]
            : []),
        ]),
      ],
      grids: [
        {
          id: "layers",
          label: shown.label,
          x: 0,
          y: top,
          cellWidth: width,
          cellHeight: pitch,
          rows: rows.length,
          columns: 1,
          describe: (row: number) => rows[row]!.told,
        },
      ],
    };
  };

const textMark = (
  palette: Palette,
  x: number,
  y: number,
  text: string,
  size: number,
): TextMark => ({ ...caption(palette, x, y + 4, text), size, fill: palette.ink });

function axisMarks(
  { axis, all }: LayersPicture,
  { x, bars, height }: { x: (tokens: number) => number; bars: number; height: number },
  palette: Palette,
): Mark[] {
  return [
    caption(palette, left, 12, axis),
    ...ticks.flatMap((tokens): Mark[] => [
      rule(x(tokens), top - 6, x(tokens), height, palette.hair),
      // On a phone the last number would touch the word at the end.
      ...(x(tokens) > left + bars - 60
        ? []
        : [caption(palette, x(tokens), top - 12, grouped(tokens), tokens > 1 ? "center" : "left")]),
    ]),
    caption(palette, left + bars, top - 12, all, "right"),
  ];
}

function barMarks(
  { sees, look }: LayerRow,
  { y, pitch, end, x }: { y: number; pitch: number; end: number; x: (tokens: number) => number },
  palette: Palette,
): Mark[] {
  const thick = Math.round(pitch * 0.5);
  const to = sees === undefined ? end : Math.max(x(sees), left + 4);
  const fill = look ? lookColour(look, palette) : palette.hair;
  const at = { x: left, y: y + (pitch - thick) / 2, width: to - left, height: thick };
  return [{ kind: "rect", ...at, fill }];
}

/** Each layer's number, or that of the first of equal layers where rows are low. */
function numberMarks(
  at: number,
  isFirst: boolean,
  y: number,
  pitch: number,
  palette: Palette,
): Mark[] {
  if (pitch < 14 && !isFirst) return [];
  const size = Math.min(12, pitch);
  return [{ ...caption(palette, left - 8, y + 4, String(at + 1), "right"), size }];
}
