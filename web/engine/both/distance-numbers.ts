/**
 * The further numbers of a distance bias that a reader sets, beside the first one
 * (`distanceSchemes` of the defaults). They are whole numbers, in the form in which the address
 * holds them.
 */

/** Means the number's default: that of the option, or the trained value. */
export const initialCode = 0;
/** Maximum of further numbers of a scheme. */
export const maxNumbers = 3;

export interface DistanceNumber {
  /**
   * Key of an option; "p" or "a", trained numbers of a head in KERPLE; "query", the position of the
   * query if the bias depends on it.
   */
  key: string;
  min: number;
  max: number;
  /** Own value; undefined if it is read from a trained model. */
  initial: number | undefined;
  step: number;
  /** Value of one step of the whole number. */
  unit: number;
  /** Values of an option that is not numeric, counted from 1. */
  choices?: readonly (string | boolean)[];
  /** The slider has its minimum at the right end. */
  isFalling?: boolean;
  /** Shown only under "all options". */
  isExpert?: boolean;
}

const number = (
  key: string,
  [min, max]: readonly [number, number],
  initial: number | undefined,
  more: Partial<DistanceNumber> = {},
): DistanceNumber => ({ key, min, max, initial, step: 1, unit: 1, ...more });

const choice = (key: string, choices: readonly (string | boolean)[], more = {}): DistanceNumber =>
  number(key, [1, choices.length], 1, { choices, ...more });

/** The numbers, by scheme id. */
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
  // The largest is the farthest distance of the curve; its own is the last token of a text as long
  // as the training.
  fire: [number("query", [119, 2047], 127, { step: 8 })],
};

export const numbersOf = (scheme: string): readonly DistanceNumber[] => bySchemes[scheme] ?? [];

/**
 * Returns the numbers from the address, clamped to their limits; undefined for a trained own value.
 */
export const numbersIn = (scheme: string, written: readonly number[]): (number | undefined)[] =>
  numbersOf(scheme).map(({ min, max, initial }, at) => {
    const value = written[at] ?? initialCode;
    return value === initialCode ? initial : Math.min(max, Math.max(min, value));
  });

/** Returns the engine's options for the numbers that are options and differ from their defaults. */
export function optionsIn(scheme: string, written: readonly number[]): Record<string, unknown> {
  const values = numbersIn(scheme, written);
  const entries = numbersOf(scheme).flatMap(({ key, initial, unit, choices }, at) => {
    const value = values[at];
    if (value === undefined || initial === undefined || value === initial || key === "query")
      return [];
    return [[key, choices ? choices[value - 1] : value * unit] as const];
  });
  return Object.fromEntries(entries);
}
