/** The options of a scheme: checked against its description, converted for the engine and back. */
import type { OptionValue, OptionValues, SchemeDescription, SchemeOption } from "../types/index.js";
import {
  boolean,
  checkObject,
  checkOptions,
  choice,
  integer,
  listOf,
  number,
  text,
} from "../wire/arguments.js";
import { lengthOf, tagOf } from "../wire/arrays.js";
import { unexpected, WhereformerError } from "../wire/error.js";
import { suggestion } from "../wire/suggestion.js";
import { engineOptions, isFormula, publicOptions } from "./formula-options.js";

export function findScheme(schemes: readonly SchemeDescription[], id: unknown): SchemeDescription {
  const found = schemes.find((scheme) => scheme.id === text("scheme", id));
  if (found) return found;
  const allowed = `one of ${schemes.map((scheme) => scheme.id).join(", ")}`;
  throw new WhereformerError(
    "unknown_scheme",
    unexpected("scheme", `"${String(id).slice(0, 40)}"`, allowed) +
      suggestion(
        String(id),
        schemes.map((scheme) => scheme.id),
      ),
    {
      argument: "scheme",
      value: id,
      allowed,
    },
  );
}

function numberList({ key, minimum, maximum }: SchemeOption, value: unknown): number[] {
  const isTyped = ["Float32Array", "Float64Array"].includes(tagOf(value) ?? "");
  const list = isTyped
    ? Array.from({ length: lengthOf(value) }, (_, i) => (value as ArrayLike<number>)[i])
    : value;
  return listOf(key, list, "a list of numbers", (item, i) =>
    number(`${key}[${i}]`, item, minimum, maximum),
  );
}

function checkedOption(option: SchemeOption, value: unknown): OptionValue {
  switch (option.kind) {
    case "boolean":
      return boolean(option.key, value);
    case "integer":
      return integer(option.key, value, option.minimum ?? 0, option.maximum);
    case "number":
      return number(option.key, value, option.minimum, option.maximum);
    case "choice":
      return choice(option.key, value, option.choices ?? []);
    case "list":
      return numberList(option, value);
    case "text":
      return text(option.key, value);
  }
}

/** "group" and "key" of "group.key"; a plain key has no group. */
function parts(key: string): { group: string | undefined; name: string } {
  const dot = key.indexOf(".");
  return dot < 0
    ? { group: undefined, name: key }
    : { group: key.slice(0, dot), name: key.slice(dot + 1) };
}

/** Refuses keys that are neither options of a scheme nor in `beside`. */
export function checkSchemeOptions(
  argument: string,
  description: SchemeDescription,
  options: unknown,
  beside: readonly string[] = [],
): asserts options is Record<string, unknown> {
  const groups = new Map<string, string[]>();
  const known = [...beside];
  for (const { key } of description.options) {
    const { group, name } = parts(key);
    if (group === undefined) known.push(name);
    else groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  checkOptions(argument, options, [...known, ...groups.keys()]);
  checkObject(argument, options);
  for (const [group, names] of groups)
    if (options[group] !== undefined) checkOptions(group, options[group], names);
}

/** The value of an option, which may be nested. */
function givenValue(options: Record<string, unknown>, key: string): unknown {
  const { group, name } = parts(key);
  if (group === undefined) return options[name];
  return (options[group] as Record<string, unknown> | undefined)?.[name];
}

/** An option's value in the engine's form: a choice is the index of its word. */
function numbersOf({ kind, choices }: SchemeOption, value: OptionValue): ArrayLike<number> {
  if (kind === "text") return new TextEncoder().encode(value as string);
  if (typeof value === "string") return [choices!.indexOf(value)];
  return typeof value === "object" ? value : [Number(value)];
}

/** A scheme and its options by their indices, in the engine's form. */
export interface SchemeChoice {
  scheme: number;
  options: { index: number; numbers: Float64Array }[];
}

/**
 * Checks a scheme and its options against its description; options not given are left out.
 * `numHeads` is that of the layer.
 */
export function schemeChoice(
  schemes: readonly SchemeDescription[],
  description: SchemeDescription,
  given: Record<string, unknown>,
  numHeads: number,
): SchemeChoice {
  const options = isFormula(description) ? engineOptions(given, numHeads) : given;
  const chosen: SchemeChoice = { scheme: schemes.indexOf(description), options: [] };
  description.options.forEach((option, index) => {
    const value = givenValue(options, option.key);
    if (value === undefined) return;
    const numbers = Float64Array.from(numbersOf(option, checkedOption(option, value)));
    chosen.options.push({ index, numbers });
  });
  return chosen;
}

function optionValue({ kind, choices }: SchemeOption, numbers: Float64Array): OptionValue {
  if (kind === "list") return [...numbers];
  if (kind === "text") return new TextDecoder().decode(Uint8Array.from(numbers));
  const value = numbers[0]!;
  return kind === "boolean" ? value !== 0 : kind === "choice" ? choices![value]! : value;
}

/** All options of a scheme, from the numbers of each. */
export function readOptions(
  description: SchemeDescription,
  numbersAt: (index: number) => Float64Array,
): OptionValues {
  const values: OptionValues = {};
  for (const [index, option] of description.options.entries()) {
    const { group, name } = parts(option.key);
    const value = optionValue(option, numbersAt(index));
    if (group === undefined) values[name] = value;
    else values[group] = { ...(values[group] as Record<string, OptionValue>), [name]: value };
  }
  return isFormula(description) ? publicOptions(values) : values;
}
