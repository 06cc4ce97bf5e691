/** A bar for each scheme: the time that was measured; and a mark where its formula expects it. */
import type { Draw } from "../../controls/scene-view.js";
import { type Frame, roundUp, rule } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import type { Grid, Mark } from "../../drawing/scene.js";
import { caption } from "../shared/captions.js";

export interface CostBar {
  name: string;
  microseconds: number;
  ratio: number;
  /** Of the time without positions, by formula. */
  expected: number;
}

export interface CostWords {
  axis: string;
  /** "1.62 ×" */
  times: (ratio: number) => string;
  microseconds: (value: number) => string;
  measuredKey: string;
  formulaKey: string;
  baseKey: string;
  gridLabel: string;
}

export interface CostView {
  /** The layer without positions first. */
  bars: readonly CostBar[];
  words: CostWords;
  describe: (row: number) => string;
}

const barHeight = 13;
const keyHeight = 20;

/** Names of bar, mark and line with a sample of each, wrapping where they must. */
function keyOf(
  { words }: CostView,
  palette: Palette,
  width: number,
  measure: (text: string, size: number) => number,
) {
  const samples: ((x: number, y: number) => Mark)[] = [
    (x, y) => ({ kind: "rect", x, y: y - 9, width: 22, height: 10, fill: palette.query }),
    (x, y) => rule(x + 11, y - 11, x + 11, y + 3, palette.position, 3),
    (x, y) => ({ ...rule(x + 11, y - 11, x + 11, y + 3, palette.soft, 1), dash: [3, 3] }) as Mark,
  ];
  const texts = [words.measuredKey, words.formulaKey, words.baseKey];
  let x = 0;
  let y = 12;
  const marks = texts.flatMap((text, index): Mark[] => {
    const wide = 30 + measure(text, 13);
    if (x > 0 && x + wide > width) {
      x = 0;
      y += keyHeight;
    }
    const own: Mark[] = [
      samples[index]!(x, y),
      { ...caption(palette, x + 30, y, text), size: 13, fill: palette.ink },
    ];
    x += wide + 18;
    return own;
  });
  return { marks, bottom: y + 8 };
}

/** Names beside the bars where there is room, else above them. */
const wideFrom = 480;

export const drawCosts =
  (view: CostView): Draw =>
  (width, palette, measure) => {
    const { bars, words } = view;
    const isWide = width >= wideFrom;
    const pitch = isWide ? 24 : 40;
    const key = keyOf(view, palette, width, measure);
    const widest = (texts: readonly string[], size: number) =>
      Math.ceil(Math.max(0, ...texts.map((text) => measure(text, size))));
    const valueText = ({ microseconds, ratio }: CostBar, row: number) =>
      row
        ? `${words.microseconds(microseconds)}  ${words.times(ratio)}`
        : words.microseconds(microseconds);
    const names = isWide
      ? widest(
          bars.map(({ name }) => name),
          13,
        ) + 10
      : 0;
    const values = isWide ? widest(bars.map(valueText), 12) + 12 : 2;
    const base = bars[0]?.microseconds ?? 0;
    const most = roundUp(
      Math.max(1, ...bars.flatMap(({ microseconds, expected }) => [microseconds, base * expected])),
    );
    const frame: Frame = {
      left: names,
      top: key.bottom + 8,
      width: width - names - values,
      height: Math.max(1, bars.length) * pitch,
      mostX: most,
      mostY: 1,
    };
    const at = (value: number) => frame.left + (value / most) * frame.width;
    const bottom = frame.top + frame.height;
    const tick = (value: number, align: "left" | "right"): Mark =>
      caption(palette, at(value), bottom + 18, value ? words.microseconds(value) : "0", align);
    const marks: Mark[] = [
      ...key.marks,
      rule(frame.left + 0.5, frame.top, frame.left + 0.5, bottom, palette.soft),
      tick(0, "left"),
      tick(most, "right"),
      caption(palette, at(most), bottom + 36, words.axis, "right"),
    ];
    const dashed = (top: number, height: number): Mark =>
      ({ ...rule(at(base), top, at(base), top + height, palette.soft, 1), dash: [3, 3] }) as Mark;
    bars.forEach((bar, row) => {
      const top = frame.top + row * pitch;
      const y = top + pitch - barHeight - (isWide ? 5 : 4);
      const end = at(bar.microseconds);
      const expected = at(base * bar.expected);
      const text = isWide ? y + 11 : y - 6;
      marks.push(
        {
          kind: "rect",
          x: frame.left,
          y,
          width: Math.max(1, end - frame.left),
          height: barHeight,
          fill: row ? palette.query : palette.soft,
        },
        {
          kind: "text",
          x: isWide ? frame.left - 8 : frame.left + 4,
          y: text,
          text: bar.name,
          fill: palette.ink,
          size: 13,
          align: isWide ? "right" : "left",
        },
        {
          kind: "text",
          x: isWide ? Math.max(end, row ? expected + 2 : 0, at(base)) + 7 : width,
          y: text,
          text: valueText(bar, row),
          fill: palette.ink,
          size: 12,
          align: isWide ? "left" : "right",
        },
        dashed(y - 4, barHeight + 8),
      );
      if (row) marks.push(rule(expected, y - 3, expected, y + barHeight + 3, palette.position, 3));
    });
    const grid: Grid = {
      id: "costs",
      label: words.gridLabel,
      x: 0,
      y: frame.top,
      cellWidth: width,
      cellHeight: pitch,
      rows: bars.length,
      columns: 1,
      describe: (row) => view.describe(row),
    };
    return { width, height: bottom + 44, marks, grids: bars.length ? [grid] : [] };
  };
