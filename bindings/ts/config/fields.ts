/** Reads settings by the engine's lists of their names, defaults and limits. */

import { boolean, choice, integer, number } from "../wire/arguments.js";

/**
 * A choice of words, the first being the default; a flag; or a number, which is required if it has
 * no `absent`.
 */
type Field =
  | { words: Words }
  | { absent: boolean }
  | { isInteger?: true; absent?: number; min: number; max?: number };

/** As in `generated/fields.ts`. */
type Fields = Readonly<Record<string, Field>>;

/** The values of fields. */
export type Values<List> = {
  -readonly [Name in keyof List]: List[Name] extends { words: readonly (infer Word)[] }
    ? Word
    : List[Name] extends { absent: boolean }
      ? boolean
      : number;
};

type Words = readonly string[];

/** A word of a list, as the engine's calls take and return it: its number, in an object. */
export interface Enumerator<List extends Words> {
  value: Exclude<Partial<List>["length"], List["length"]>;
}

export const enumerator = <const List extends Words>(
  words: List,
  word: List[number],
): Enumerator<List> => ({ value: words.indexOf(word) as Enumerator<List>["value"] });

/** The values of fields, as the engine's calls take them. */
type EngineValues<List> = {
  [Name in keyof List]: List[Name] extends { words: infer All extends Words }
    ? Enumerator<All>
    : Values<List>[Name];
};

export const engineValues = <List extends Fields>(
  list: List,
  values: Values<List>,
): EngineValues<List> =>
  Object.fromEntries(
    Object.entries(list).map(([name, field]) => {
      const value = values[name];
      return [name, "words" in field ? enumerator(field.words, value as string) : value];
    }),
  ) as EngineValues<List>;

const absentOf = (field: Field) => ("words" in field ? field.words[0] : field.absent);

/** Checks the value of a field; undefined gives its default. */
function checkedValue(name: string, field: Field, value: unknown): unknown {
  const absent = absentOf(field);
  if (value === undefined && absent !== undefined) return absent;
  if ("words" in field) return choice(name, value, field.words);
  if (!("min" in field)) return boolean(name, value);
  const { isInteger, min, max } = field;
  return isInteger ? integer(name, value, min, max) : number(name, value, min, max);
}

/** Checks and completes the values of all fields in a list. */
export const readFields = <List extends Fields>(
  list: List,
  given: Record<string, unknown>,
  prefix = "",
): Values<List> =>
  Object.fromEntries(
    Object.entries(list).map(([name, field]) => [
      name,
      checkedValue(`${prefix}${name}`, field, given[name]),
    ]),
  ) as Values<List>;

/** The values that differ from their defaults. */
export const changedFields = <List extends Fields>(
  list: List,
  values: Values<List>,
): Partial<Values<List>> =>
  Object.fromEntries(
    Object.entries(list)
      .map(([name, field]) => [name, values[name], absentOf(field)])
      .filter(([, value, absent]) => value !== absent),
  ) as Partial<Values<List>>;
