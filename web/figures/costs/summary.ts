/** What a measurement says: which schemes nearly cost nothing, and which do another product. */
import type { MeasuredScheme } from "../../engine/both/messages.js";

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
  dearest: MeasuredScheme;
}

/** Nothing before there are rows. */
export function summaryOf(rows: readonly MeasuredScheme[]): CostSummary | undefined {
  if (!rows.length) return undefined;
  const cheap = rows.filter(({ formula }) => formula < dearFrom);
  const dear = rows.filter(({ formula }) => formula >= dearFrom);
  const ratios = cheap.map(({ ratio }) => ratio);
  const dearest = rows.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  return {
    fast: rows.filter(({ ratio }) => ratio < dearFrom).length,
    cheap,
    dear,
    least: Math.min(...ratios),
    most: Math.max(...ratios),
    dearest,
  };
}

/** Where the same layer takes so much longer at one time than at another, ratios are chance. */
export const isUnsteady = ([low, high]: readonly [number, number]): boolean => high > 1.3 * low;
