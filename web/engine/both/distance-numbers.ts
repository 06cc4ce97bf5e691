/**
 * The numbers of a bias by distance that a reader turns beside a scheme's first one
 * (`distanceSchemes` of the defaults). They are whole, as the address has them.
 */

/** Written so for a number's own value: an option's default, or what training has found. */
export const ownNumber = 0;
/** So many a scheme has at most. */
export const mostNumbers = 3;

export interface DistanceNumber {
  /**
   * An option's key; "p" and "a", a head's trained numbers of KERPLE; "query", the position of the
   * query, where that counts.
   */
  key: string;
  least: number;
  most: number;
  /** Undefined where a trained model says it. */
  own: number | undefined;
  step: number;
  /** What one is worth. */
  unit: number;
  /** Values of the option, counted from 1, where they are no numbers. */
  choices?: readonly (string | boolean)[];
  /** The least stands at the right end of its slider. */
  isFalling?: boolean;
  /** Only under "all options". */
  isExpert?: boolean;
}

const number = (
  key: string,
  [least, most]: readonly [number, number],
  own: number | undefined,
  more: Partial<DistanceNumber> = {},
): DistanceNumber => ({ key, least, most, own, step: 1, unit: 1, ...more });

const choice = (key: string, choices: readonly (string | boolean)[], more = {}): DistanceNumber =>
  number(key, [1, choices.length], 1, { choices, ...more });

/** By the ids of the schemes. */
const bySchemes: Readonly<Record<string, readonly DistanceNumber[]>> = {
  t5: [number("numBuckets", [4, 32], 32, { step: 2 })],
  alibi: [
    number("biasMax", [4, 64], 32, { unit: 0.25, isFalling: true }),
    number("interpolation", [1, 16], 1, { isExpert: true }),
  ],
  kerple: [
    choice("kernel", ["log", "power"]),
    number("p", [1, 400], undefined, { unit: 0.01 }),
    number("a", [1, 200], undefined, { unit: 0.01 }),
  ],
  sandwich: [choice("indexFromZero", [false, true], { isExpert: true })],
  // As far back as the curve reaches; its own is the last token of a text as long as the training.
  fire: [number("query", [119, 2047], 127, { step: 8 })],
};

export const numbersOf = (scheme: string): readonly DistanceNumber[] => bySchemes[scheme] ?? [];

/** The numbers as they are written, each within its ends; undefined for a trained one's own. */
export const numbersIn = (scheme: string, written: readonly number[]): (number | undefined)[] =>
  numbersOf(scheme).map(({ least, most, own }, at) => {
    const value = written[at] ?? ownNumber;
    return value === ownNumber ? own : Math.min(most, Math.max(least, value));
  });

/** Those that are options and not at their defaults, as the engine takes them. */
export function optionsIn(scheme: string, written: readonly number[]): Record<string, unknown> {
  const values = numbersIn(scheme, written);
  const entries = numbersOf(scheme).flatMap(({ key, own, unit, choices }, at) => {
    const value = values[at];
    if (value === undefined || own === undefined || value === own || key === "query") return [];
    return [[key, choices ? choices[value - 1] : value * unit] as const];
  });
  return Object.fromEntries(entries);
}
