/** Bar charts: a sum as its terms, each beginning where the last ended; a bar for each pair. */
import { rule } from "./axes.js";
import type { Palette } from "./colour.js";
import type { Mark } from "./scene.js";

export interface Term {
  name: string;
  value: number;
  colour: string;
}

export interface SumBars {
  x: number;
  y: number;
  /** Width of the bars' area, with names on its left and numbers on its right. */
  width: number;
  /** Ends of the common scale. */
  low: number;
  high: number;
  terms: readonly Term[];
  total: { name: string; value: number };
  /** True until there are numbers: only names are drawn. */
  isEmpty?: boolean;
}

export const barPitch = 26;

/** Formats a number with its sign, the minus sign U+2212, and two decimals. */
export const signed = (value: number): string =>
  `${value < -0.005 ? "−" : value > 0.005 ? "+" : ""}${Math.abs(value).toFixed(2)}`;

/** Returns the range of all running sums, with zero inside and a small margin. */
export function sumExtent(
  sums: readonly { terms: readonly Pick<Term, "value">[]; total: number }[],
): [low: number, high: number] {
  const ends = sums.flatMap(({ terms, total }) => {
    let running = 0;
    return [0, total, ...terms.map(({ value }) => (running += value))];
  });
  const low = Math.min(...ends);
  const high = Math.max(...ends);
  const margin = Math.max(0.05, (high - low) * 0.04);
  return [low - (low < 0 ? margin : 0), high + (high > 0 ? margin : 0)];
}

/** Returns the marks of one sum, with its zero line; the height is (terms + 1) × barPitch. */
export function sumBarMarks(bars: SumBars, palette: Palette): Mark[] {
  const span = bars.high - bars.low || 1;
  const at = (value: number) => bars.x + ((value - bars.low) / span) * bars.width;
  const bottom = bars.y + (bars.terms.length + 1) * barPitch;
  const marks: Mark[] = [rule(at(0), bars.y, at(0), bottom - 6, palette.soft)];
  let running = 0;
  const row = (
    index: number,
    name: string,
    from: number,
    to: number,
    colour: string,
    fontWeight: number,
  ) => {
    const y = bars.y + index * barPitch;
    const left = Math.min(at(from), at(to));
    const baseline = y + 15;
    marks.push(
      {
        kind: "rect",
        x: left,
        y: y + 3,
        width: Math.max(bars.isEmpty ? 0 : 1, Math.abs(at(to) - at(from))),
        height: 15,
        fill: colour,
      },
      {
        kind: "text",
        x: bars.x - 10,
        y: baseline,
        text: name,
        fill: colour,
        size: 13,
        align: "right",
        weight: fontWeight,
      },
      {
        kind: "text",
        x: bars.x + bars.width + 10,
        y: baseline,
        text: bars.isEmpty ? "" : signed(to - from),
        fill: palette.ink,
        size: 13,
        weight: fontWeight,
      },
    );
    return y;
  };
  bars.terms.forEach((term, index) => {
    const y = row(index, term.name, running, running + term.value, term.colour, 400);
    running += term.value;
    // The hairline from the end of this bar to the beginning of the next.
    marks.push(rule(at(running), y + 18, at(running), y + barPitch + 3, palette.soft));
  });
  row(bars.terms.length, bars.total.name, 0, bars.total.value, palette.ink, 700);
  return marks;
}

export interface PairBars {
  x: number;
  y: number;
  width: number;
  height: number;
  values: ArrayLike<number>;
  /** The value drawn at half of the height. */
  limit: number;
}

/** Draws one thin bar per channel pair, up or down from a zero line. */
export function pairBarMarks(bars: PairBars, palette: Palette): Mark[] {
  const count = bars.values.length;
  const pitch = bars.width / Math.max(1, count);
  const zero = bars.y + bars.height / 2;
  const marks: Mark[] = [rule(bars.x, zero, bars.x + bars.width, zero, palette.soft)];
  for (let index = 0; index < count; index++) {
    const value = bars.values[index]!;
    const length = (value / bars.limit) * (bars.height / 2);
    marks.push({
      kind: "rect",
      x: bars.x + index * pitch + pitch * 0.15,
      y: Math.min(zero, zero - length),
      width: pitch * 0.7,
      height: Math.max(0.5, Math.abs(length)),
      fill: value < 0 ? palette.minus : palette.plus,
    });
  }
  return marks;
}
