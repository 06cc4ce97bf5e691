/** What a measurement says: which schemes nearly cost nothing, and which do another product. */
import type { CostSizes, MeasuredScheme } from "../../engine/both/messages.js";
import type { Room } from "../shared/figure/frame.js";
import type { CostsWords } from "./words.js";

/** From here on a scheme's share of the work, or of the time, is no trifle. */
export const dearFrom = 1.1;

export interface CostSummary {
  /** How many take less than that by the clock. */
  fast: number;
  /** By formula. */
  cheap: readonly MeasuredScheme[];
  dear: readonly MeasuredScheme[];
  /** Of the measured ratios of the cheap ones. */
  least: number;
  most: number;
  /** The dearest by the clock, and after it those that its rounds do not keep it apart from. */
  dearest: readonly MeasuredScheme[];
}

/** Nothing before there are rows. */
export function summaryOf(rows: readonly MeasuredScheme[]): CostSummary | undefined {
  if (!rows.length) return undefined;
  const cheap = rows.filter(({ formula }) => formula < dearFrom);
  const dear = rows.filter(({ formula }) => formula >= dearFrom);
  const ratios = cheap.map(({ ratio }) => ratio);
  const [first, ...others] = [...rows].sort((a, b) => b.ratio - a.ratio) as [
    MeasuredScheme,
    ...MeasuredScheme[],
  ];
  return {
    fast: rows.filter(({ ratio }) => Number(ratio.toFixed(2)) < dearFrom).length, // as it is shown
    cheap,
    dear,
    least: Math.min(...ratios),
    most: Math.max(...ratios),
    dearest: [first, ...others.filter(({ range }) => range[1] >= first.range[0])],
  };
}

/** Where the same layer takes so much longer at one time than at another, ratios are chance. */
export const isUnsteady = ([low, high]: readonly [number, number]): boolean => high > 1.3 * low;

/** As long as what is said when the answer is there, give or take a word. */
export function roomOf(words: CostsWords, sizes: CostSizes): Room {
  const names = words.longNames;
  return {
    heading: words.finding(10, 16, dearFrom),
    reading:
      words.cheapReading(10, 1, 1, dearFrom) +
      words.dearReading(words.list(names)) +
      words.dearest(names[0]!, 1, 1),
    note: words.note({ sizes, operations: 1e7, rows: [{ rounds: 10 }], variant: "relaxed" }),
  };
}
