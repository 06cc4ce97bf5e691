/** A scheme's options in the form of the address, and the ranges of their sliders. */
import type { SchemeDescription, SchemeOption } from "whereformer";

export type OptionValue = boolean | number | string | number[];
/** Values by the key of the description, `group.key` for a nested option. */
export type OptionValues = Record<string, OptionValue>;

/** Parses the value of an option; undefined if it is not allowed. */
export function readOption(option: SchemeOption, written: string): OptionValue | undefined {
  switch (option.kind) {
    case "boolean":
      return written === "true" ? true : written === "false" ? false : undefined;
    case "choice":
      return option.choices?.includes(written) ? written : undefined;
    case "integer":
    case "number": {
      const value = Number(written);
      const isWhole = option.kind === "number" || Number.isInteger(value);
      const { minimum = -Infinity, maximum = Infinity } = option;
      return written.trim() && isWhole && value >= minimum && value <= maximum ? value : undefined;
    }
  }
  if (isList(option)) {
    const { minimum = -Infinity, maximum = Infinity } = option;
    const numbers = written
      .split(",")
      .filter((part) => part.trim())
      .map(Number);
    const isAllowed = numbers.every((value) => value >= minimum && value <= maximum);
    return isAllowed ? numbers : undefined;
  }
  return undefined;
}

/** Whether an option is a list of numbers of any length. */
export const isList = (option: SchemeOption): boolean => (option.kind as string) === "list";

/** Returns the values in the engine's form: `group.key` becomes an object of its own. */
export function nested(values: OptionValues): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    const dot = key.indexOf(".");
    const group = key.slice(0, dot);
    if (dot < 0) result[key] = value;
    else result[group] = { ...(result[group] as object | undefined), [key.slice(dot + 1)]: value };
  }
  return result;
}

/** Parses `key:value;key:value`; unknown options and values that are not allowed are left out. */
export function readOptions(description: SchemeDescription, written: string): OptionValues {
  const values: OptionValues = {};
  for (const part of written.split(";")) {
    const at = part.indexOf(":");
    const option = description.options.find(({ key }) => key === part.slice(0, at));
    const value = option && readOption(option, part.slice(at + 1));
    if (option && value !== undefined) values[option.key] = value;
  }
  return values;
}

/** Writes values as `key:value;key:value`, without those that equal their defaults. */
export const writeOptions = (description: SchemeDescription, values: OptionValues): string =>
  description.options
    .filter(
      ({ key, default: initial }) =>
        values[key] !== undefined && String(values[key]) !== String(initial),
    )
    .map(({ key }) => `${key}:${values[key]}`)
    .join(";");

export interface Span {
  low: number;
  high: number;
  /** Equal steps of the slider multiply the value. */
  isLogarithmic: boolean;
}

const steps = 100;

/** Range of a slider around the default; numbers beyond it can be typed. */
export function spanOf(option: SchemeOption): Span {
  const { minimum = 0, maximum = 1 } = option;
  const initial = Number(option.default);
  if (maximum - minimum <= 64) return { low: minimum, high: maximum, isLogarithmic: false };
  if (initial > 0) {
    // Numbers such as a base vary over decades, sizes over octaves.
    const reach = option.kind === "number" ? 1000 : 8;
    const low = Math.max(minimum, initial / reach);
    return { low, high: Math.min(maximum, initial * reach), isLogarithmic: low > 0 };
  }
  // A default of zero mostly means "not in use": the slider covers small numbers, and large ones
  // too if the maximum is large.
  const usual = option.kind === "integer" ? 64 : maximum > 1000 ? 16 : 1;
  const high = Math.min(maximum, usual);
  return { low: Math.max(minimum, -high), high, isLogarithmic: false };
}

const tidy = (option: SchemeOption, value: number): number => {
  const { minimum = -Infinity, maximum = Infinity } = option;
  const near = option.kind === "integer" ? Math.round(value) : Number(value.toPrecision(3));
  return Math.min(maximum, Math.max(minimum, near));
};

/** Returns the option's value at a slider position, 0 to 100. */
export function valueAt(option: SchemeOption, position: number): number {
  const { low, high, isLogarithmic } = spanOf(option);
  const share = position / steps;
  return tidy(option, isLogarithmic ? low * (high / low) ** share : low + (high - low) * share);
}

/** Returns the slider position of a value; the nearest end for a value beyond the range. */
export function sliderPosition(option: SchemeOption, value: number): number {
  const { low, high, isLogarithmic } = spanOf(option);
  const share = isLogarithmic
    ? Math.log(Math.max(value, low) / low) / Math.log(high / low)
    : (value - low) / (high - low || 1);
  return Math.round(Math.min(1, Math.max(0, share)) * steps);
}
