/** Formats numbers for readers: measured differences down to rounding errors, weights, bytes. */
import type { Language } from "../defaults.js";

const superscript = (exponent: number): string =>
  [...String(exponent)].map((sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)])).join("");

/** Writes small numbers as words; in Chinese before a measure word: 两个、三种. */
export const few: Record<Language, (count: number) => string> = {
  en: (count) => ["no", "one", "two", "three", "four"][count] ?? `${count}`,
  zh: (count) => ["零", "一", "两", "三", "四"][count] ?? ` ${count} `,
};

/** Seconds with one decimal, as they stand before "s" or "秒". */
export const seconds: Record<Language, (milliseconds: number) => string> = {
  en: (milliseconds) => (milliseconds < 50 ? "less than 0.1" : (milliseconds / 1000).toFixed(1)),
  zh: (milliseconds) => (milliseconds < 50 ? "不到 0.1" : (milliseconds / 1000).toFixed(1)),
};

/** Formats a measured size ≥ 0: `0.213`, `6.0 × 10⁻⁸`, or `0` for exactly zero. */
export function measured(value: number): string {
  if (!Number.isFinite(value)) return "—";
  if (value === 0) return "0";
  if (value >= 0.001)
    return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(value < 0.1 ? 2 : 3)));
  const [digits, exponent] = value.toExponential(1).split("e");
  return `${digits}\u00a0×\u00a010${superscript(Number(exponent))}`;
}

/** Formats a measured number, with a proper minus. */
export const cellNumber = (value: number): string =>
  `${value < 0 ? "−" : ""}${measured(Math.abs(value))}`;

/**
 * Formats a count with thousands separators, 47,117. `toLocaleString` would load the browser's
 * tables.
 */
export function grouped(value: number): string {
  const [whole, part] = String(Math.round(value * 1000) / 1000).split(".");
  const counted = whole!.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return part ? `${counted}.${part}` : counted;
}

/** Formats a loss, which the engine has in nats, in the unit of the whole site. */
export const bits = (nats: number): string => (nats / Math.LN2).toFixed(3);

/** Formats an attention weight, with two decimals. */
export const weight = (value: number): string => value.toFixed(2);

/** Formats a wavelength in tokens: 6.3, 35, 36,000. */
export const wavelengthText = (tokens: number): string =>
  tokens < 10 ? tokens.toFixed(1) : grouped(Math.round(Number(tokens.toPrecision(2))));

/** Formats a wavelength in tokens to three digits: 6.28, 199, 35,300. */
export const periodText = (tokens: number): string => grouped(Number(tokens.toPrecision(3)));

/** Formats a signed number with a proper minus: −0.25, 12, 0. */
export const plain = (value: number): string =>
  `${value < 0 ? "−" : ""}${Number(Math.abs(value).toPrecision(3))}`;

/** Formats a share as a percentage, for sentences. */
export const percent = (value: number): string => `${Math.round(value * 100)}%`;

const largeNames: Record<Language, readonly (readonly [name: string, size: number])[]> = {
  en: [
    ["trillion", 1e12],
    ["billion", 1e9],
    ["million", 1e6],
    ["thousand", 1e3],
  ],
  zh: [
    ["万亿", 1e12],
    ["亿", 1e8],
    ["万", 1e4],
  ],
};

/**
 * Writes a large count in words of the language: 24.2 billion, 242 亿; a small one in digits: 1,536.
 * Equals the compact notation of `Intl.NumberFormat`, without the tables that it loads.
 */
export function counted(value: number, language: Language): string {
  if (value < 1e5) return grouped(Math.round(value));
  const rounded = Number(value.toPrecision(3));
  const [name, size] = largeNames[language].find(([, min]) => rounded >= min)!;
  const count = Number((rounded / size).toPrecision(3));
  return `${count < 1e4 ? count : grouped(count)} ${name}`;
}

/** Writes a number of repetitions in Chinese: 12,345 次，242 亿次. */
export const timesZh = (value: number): string => `${counted(value, "zh").replace(/\d$/, "$& ")}次`;

/** Formats a cost as a share of another: 2.4%, 187.5%, < 0.1%. */
export const costShare = (share: number): string =>
  `${share < 0.001 ? "< 0.1" : (100 * share).toFixed(1)}%`;

export const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
