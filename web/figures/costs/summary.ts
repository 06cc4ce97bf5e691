/**
 * Summary of a measurement: schemes that cost almost nothing, and schemes with a further product.
 */

import type { Placeholder } from "../shared/figure/frame.js";
import type { CostSizes, MeasuredScheme } from "./messages.js";
import type { CostsWords } from "./words.js";

/** Minimum ratio of work or time that counts as a noticeable cost. */
export const dearFrom = 1.1;

export interface CostSummary {
  /** Number of schemes below that in measured time. */
  fast: number;
  /** Schemes below and above that by formula. */
  cheap: readonly MeasuredScheme[];
  dear: readonly MeasuredScheme[];
  /** Range of the measured ratios of the cheap ones. */
  min: number;
  max: number;
  /**
   * The slowest scheme in measured time, followed by those that its rounds do not distinguish from
   * it.
   */
  dearest: readonly MeasuredScheme[];
}

/** Returns undefined without rows. */
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
    fast: rows.filter(({ ratio }) => Number(ratio.toFixed(2)) < dearFrom).length, // as shown
    cheap,
    dear,
    min: Math.min(...ratios),
    max: Math.max(...ratios),
    dearest: [first, ...others.filter(({ range }) => range[1] >= first.range[0])],
  };
}

/**
 * Whether times vary too much for ratios to be meaningful, by the quartiles of one layer's time.
 */
export const isUnsteady = ([low, high]: readonly [number, number]): boolean => high > 1.3 * low;

/** Returns text of about the length of the results, to reserve its space. */
export function placeholderOf(words: CostsWords, sizes: CostSizes): Placeholder {
  const names = words.longNames;
  return {
    heading: words.finding(10, 16, dearFrom),
    caption:
      words.cheapCaption(10, 1, 1, dearFrom) +
      words.dearCaption(words.list(names)) +
      words.dearest(names[0]!, 1, 1),
    note: words.note({ sizes, operations: 1e7, rows: [{ rounds: 10 }], variant: "relaxed" }),
  };
}
