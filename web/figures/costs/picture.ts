/** A bar for each scheme: the measured time, with a mark at the time that its formula predicts. */
import type { Draw } from "../../controls/scene-view.js";
import { type Frame, roundUp, rule, ticks } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { type Family, familyColour } from "../../drawing/family-colours.js";
import { type KeyEntry, keyMarks } from "../../drawing/key.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { caption } from "../shared/pictures/captions.js";
import type { CostsWords } from "./words.js";

export interface CostBar {
  family: Family;
  name: string;
  microseconds: number;
  ratio: number;
  /** Predicted ratio to the time without positions, by formula. */
  expected: number;
}

export interface CostView {
  /** Bars, with the layer without positions first. */
  bars: readonly CostBar[];
  /** Rows to reserve space for while there are no bars. */
  blanks: number;
  words: CostsWords;
  describe: (row: number) => string;
}

const barHeight = 13;
/** Minimum width for names beside the bars; below that they are above. */
const wideFrom = 480;

/** Returns the meanings of bar, mark and line. */
const keyOf = (words: CostsWords, palette: Palette): KeyEntry[] => [
  {
    name: words.measuredKey,
    sample: (x, y) => ({ kind: "rect", x, y: y - 9, width: 22, height: 10, fill: palette.soft }),
  },
  {
    name: words.formulaKey,
    sample: (x, y) => rule(x + 11, y - 11, x + 11, y + 3, palette.ink, 3),
  },
  { name: words.baseKey, sample: (x, y) => dashed(x + 11, y - 11, 14, palette) },
];

const dashed = (x: number, top: number, height: number, palette: Palette): Mark => ({
  ...rule(x, top, x, top + height, palette.soft),
  dash: [3, 3],
});

/** Returns the time, and for all but the first its ratio to that of the first. */
const timeOf = ({ microseconds, ratio }: CostBar, row: number, words: CostsWords): string =>
  row
    ? `${words.microseconds(microseconds)}  ${words.times(ratio)}`
    : words.microseconds(microseconds);

interface Layout {
  isWide: boolean;
  pitch: number;
  frame: Frame;
  /** Returns the x of a number of microseconds. */
  at: (value: number) => number;
  /** Time without positions. */
  base: number;
}

function layOut(
  { bars, blanks, words }: CostView,
  top: number,
  width: number,
  measure: Measure,
): Layout {
  const isWide = width >= wideFrom;
  const pitch = isWide ? 24 : 40;
  const widest = (texts: readonly string[], size: number) =>
    Math.ceil(Math.max(0, ...texts.map((text) => measure(text, size))));
  const names = bars.map(({ name }) => name);
  const values = bars.map((bar, row) => timeOf(bar, row, words));
  const left = isWide ? widest(names, 13) + 10 : 0;
  const right = isWide ? widest(values, 12) + 12 : 2;
  const base = bars[0]?.microseconds ?? 0;
  const times = bars.flatMap(({ microseconds, expected }) => [microseconds, base * expected]);
  const frame: Frame = {
    left,
    top,
    width: width - left - right,
    height: Math.max(1, bars.length || blanks) * pitch,
    maxX: roundUp(Math.max(1, ...times)),
    maxY: 1,
  };
  const at = (value: number) => frame.left + (value / frame.maxX) * frame.width;
  return { isWide, pitch, frame, at, base };
}

/** Draws one scheme: its bar, its name, its numbers, and the prediction of its formula. */
function barMarks(
  bar: CostBar,
  row: number,
  { isWide, pitch, frame, at, base }: Layout,
  { words, width, palette }: { words: CostsWords; width: number; palette: Palette },
): Mark[] {
  const top = frame.top + row * pitch;
  const y = top + pitch - barHeight - (isWide ? 5 : 4);
  const end = at(bar.microseconds);
  const expected = at(base * bar.expected);
  const ink = { kind: "text", y: isWide ? y + 11 : y - 6, fill: palette.ink } as const;
  return [
    {
      kind: "rect",
      x: frame.left,
      y,
      width: Math.max(1, end - frame.left),
      height: barHeight,
      fill: familyColour(bar.family, palette),
    },
    {
      ...ink,
      x: isWide ? frame.left - 8 : frame.left + 4,
      text: bar.name,
      size: 13,
      align: isWide ? "right" : "left",
    },
    {
      ...ink,
      x: isWide ? Math.max(end, row ? expected + 2 : 0, at(base)) + 7 : width,
      text: timeOf(bar, row, words),
      size: 13,
      align: isWide ? "left" : "right",
    },
    dashed(at(base), y - 4, barHeight + 8, palette),
    ...(row ? [rule(expected, y - 3, expected, y + barHeight + 3, palette.ink, 3)] : []),
  ];
}

export const drawCosts =
  (view: CostView): Draw =>
  (width, palette, measure) => {
    const { bars, words, describe } = view;
    const key = keyMarks(keyOf(words, palette), { width, indent: 30, gap: 18 }, palette, measure);
    const layout = layOut(view, key.baseline + 16, width, measure);
    const { frame, at, pitch } = layout;
    const bottom = frame.top + frame.height;
    const tick = (value: number, align: "left" | "center" | "right"): Mark =>
      caption(palette, at(value), bottom + 18, value ? words.microseconds(value) : "0", align);
    const between = ticks(frame.maxX, layout.isWide ? 5 : 3).filter(
      (value) => value > 0 && value < 0.9 * frame.maxX,
    );
    const marks: Mark[] = [
      ...key.marks,
      rule(frame.left + 0.5, frame.top, frame.left + 0.5, bottom, palette.soft),
      // Without bars there is no scale.
      ...(bars.length
        ? [
            tick(0, "left"),
            ...between.map((value) => tick(value, "center")),
            tick(frame.maxX, "right"),
          ]
        : []),
      caption(palette, at(frame.maxX), bottom + 36, words.axis, "right"),
      ...bars.flatMap((bar, row) => barMarks(bar, row, layout, { words, width, palette })),
    ];
    const grid: Grid = {
      id: "costs",
      label: words.gridLabel,
      x: 0,
      y: frame.top,
      cellWidth: width,
      cellHeight: pitch,
      rows: bars.length,
      columns: 1,
      describe,
    };
    return { width, height: bottom + 44, marks, grids: bars.length ? [grid] : [] };
  };
