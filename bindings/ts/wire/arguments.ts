/**
 * Checks of arguments. The compiled engine checks no types: there NaN would become 0 and a misspelt
 * word the first choice. So everything that enters is checked here, and a message names the
 * argument, its value and what is allowed.
 */

import type { ErrorCode, Out, Positions, Tensor, TensorLike } from "../types/index.js";
import { WhereformerError } from "./error.js";

export const mostInt32 = 2 ** 31 - 1;
/** Positions lie so near that the difference of any two, and one more, is an int32. */
const mostPosition = 2 ** 30 - 1;
const leastPosition = -mostPosition;
const mostPositionAxes = 3;

/** A value as it appears in a message: short, whatever it is. */
export function show(value: unknown): string {
  if (typeof value === "string")
    return value.length > 40 ? `"${value.slice(0, 40)}…"` : `"${value}"`;
  if (typeof value === "function") return "a function";
  if (Array.isArray(value))
    return value.length > 8 ? `a list of ${value.length}` : `[${value.map(show).join(", ")}]`;
  if (ArrayBuffer.isView(value)) return `a ${value.constructor.name}`;
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

export function refuse(
  argument: string,
  value: unknown,
  allowed: string,
  code: ErrorCode = "invalid_argument",
): never {
  throw new WhereformerError(code, `${argument}: ${show(value)}; allowed is ${allowed}`, {
    argument,
    value,
    allowed,
  });
}

export function checkObject(
  argument: string,
  value: unknown,
): asserts value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    refuse(argument, value, "an object");
}

/** An object of options, none of them unknown. Keys whose value is undefined count as not given. */
export function checkOptions(argument: string, value: unknown, known: readonly string[]): void {
  checkObject(argument, value);
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const allowed = known.length ? `one of ${known.join(", ")}` : "no option at all";
    throw new WhereformerError(
      "unknown_option",
      `${argument}: unknown option "${key}"; known are ${known.join(", ") || "none"}`,
      {
        argument: key,
        value: value[key],
        allowed,
      },
    );
  }
}

export function integer(argument: string, value: unknown, least: number, most = mostInt32): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most)
    return value;
  return refuse(
    argument,
    value,
    most === mostInt32 && least >= 0
      ? `an integer from ${least} on`
      : `an integer from ${least} to ${most}`,
  );
}

/** Seeds are whole numbers that JavaScript holds exactly. */
export const seedOf = (value: unknown, absent = 0): number =>
  value === undefined ? absent : integer("seed", value, 0, Number.MAX_SAFE_INTEGER);

export function number(
  argument: string,
  value: unknown,
  least = -Infinity,
  most = Infinity,
): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= least && value <= most)
    return value;
  const from = least === -Infinity ? "" : ` from ${least}`;
  return refuse(
    argument,
    value,
    `a finite number${from}${most === Infinity ? (from ? " on" : "") : ` to ${most}`}`,
  );
}

/** A number above zero. */
export function positive(argument: string, value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
  return refuse(argument, value, "a finite number above 0");
}

export function boolean(argument: string, value: unknown): boolean {
  return typeof value === "boolean" ? value : refuse(argument, value, "true or false");
}

export function choice<T extends string>(
  argument: string,
  value: unknown,
  allowed: readonly T[],
): T {
  if (typeof value === "string" && (allowed as readonly string[]).includes(value))
    return value as T;
  return refuse(argument, value, allowed.map((word) => `"${word}"`).join(", "));
}

export function text(argument: string, value: unknown): string {
  return typeof value === "string" ? value : refuse(argument, value, "a string");
}

const isNumberList = (value: unknown): value is ArrayLike<number> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/** Integers, copied; `name[i]` is named when it is not an integer of the range. */
export function integers(
  argument: string,
  value: unknown,
  least = -(2 ** 31),
  most = mostInt32,
): Int32Array {
  if (!isNumberList(value)) return refuse(argument, value, "a list of integers");
  const result = new Int32Array(value.length);
  for (let i = 0; i < value.length; i++) {
    result[i] = integer(`${argument}[${i}]`, value[i], least, most);
  }
  return result;
}

/** Ascending, distinct indices; undefined means all, which the engine reads from an empty list. */
export function indices(argument: string, value: unknown, count: number): Int32Array {
  if (value === undefined) return new Int32Array(0);
  const list = integers(argument, value, 0, count - 1);
  if (list.length === 0) refuse(argument, value, "at least one index");
  for (let i = 1; i < list.length; i++) {
    if (list[i]! <= list[i - 1]!) refuse(argument, value, "ascending, distinct indices");
  }
  return list;
}

/** Masks, and tensors that may become one, may hold -Infinity. */
const mayHide = (argument: string) => argument === "mask" || argument === "value";

/**
 * Lists whose numbers the engine looks at itself; after its refusal `nameNotFinite` finds the
 * first.
 */
export const scannedByEngine = true;

export function nameNotFinite<T>(tensors: Readonly<Record<string, unknown>>, call: () => T): T {
  try {
    return call();
  } catch (error) {
    for (const [name, value] of Object.entries(tensors)) {
      const data = (value as TensorLike | undefined)?.data;
      if (data instanceof Float32Array) floats(`${name}.data`, data, mayHide(name));
    }
    throw error;
  }
}

/** Finite float32 numbers: typed arrays as they are, lists converted. */
export function floats(
  argument: string,
  value: unknown,
  allowNegativeInfinity = false,
): Float32Array {
  if (!(value instanceof Float32Array) && !Array.isArray(value)) {
    return refuse(argument, value, "a Float32Array or a list of numbers");
  }
  const isList = Array.isArray(value);
  const result = isList ? new Float32Array(value.length) : value;
  for (let i = 0; i < result.length; i++) {
    const item: unknown = value[i];
    if (isList && typeof item === "number") result[i] = item;
    // x - x is 0 for finite numbers alone.
    if (typeof item === "number" && result[i]! - result[i]! === 0) continue;
    if (allowNegativeInfinity && item === -Infinity) continue;
    refuse(
      `${argument}[${i}]`,
      item,
      allowNegativeInfinity ? "a finite number or -Infinity" : "a finite float32 number",
    );
  }
  return result;
}

/** Sizes of a tensor, whose product is the length of its data. */
export function shapeOf(argument: string, value: unknown, length: number): number[] {
  if (!isNumberList(value)) return refuse(`${argument}.shape`, value, "a list of sizes");
  const shape: number[] = [];
  let product = 1;
  for (let i = 0; i < value.length; i++) {
    const size = value[i]!;
    // The name is put together where it is needed: shapes are looked at in every call.
    if (!Number.isInteger(size) || size < 1 || size > mostInt32)
      integer(`${argument}.shape[${i}]`, size, 1);
    shape.push(size);
    product *= size;
  }
  if (product !== length) {
    refuse(`${argument}.shape`, shape, `sizes whose product is the length of data, ${length}`);
  }
  return shape;
}

/** A dense tensor of finite numbers whose rank is one of those allowed, where that is said. */
export function tensor(
  argument: string,
  value: unknown,
  allowed?: readonly string[],
  isScannedByEngine = false,
): { data: Float32Array; shape: number[] } {
  if (typeof value !== "object" || value === null || !("data" in value) || !("shape" in value)) {
    refuse(argument, value, "{ data, shape }");
  }
  const { data: numbers, shape: sizes } = value as TensorLike;
  const isPassedOn = isScannedByEngine && numbers instanceof Float32Array;
  const data = isPassedOn ? numbers : floats(`${argument}.data`, numbers, mayHide(argument));
  const shape = shapeOf(argument, sizes, data.length);
  checkRank(argument, shape, allowed);
  return { data, shape };
}

export function checkRank(
  argument: string,
  shape: readonly number[],
  allowed?: readonly string[],
): void {
  const fits = allowed?.some((form) => form.split(",").length === shape.length) ?? true;
  if (!fits) refuse(`${argument}.shape`, shape, allowed!.join(" or "));
}

/**
 * Where `length` numbers of a result go: the memory that was given for them, undefined where none
 * was.
 */
export function outOf(out: Out | undefined, length: number): Float32Array | undefined {
  if (out === undefined) return undefined;
  const data: unknown = out instanceof Float32Array ? out : (out as Tensor | null)?.data;
  if (!(data instanceof Float32Array)) refuse("out", out, "a Float32Array or a tensor of one");
  if (data.length !== length) refuse("out.length", data.length, `${length}`);
  return data;
}

/** T of positions that say it, `[axes,T]`. */
export function gridCells(value: Positions): number | undefined {
  const shape = typeof value === "object" && value !== null && "shape" in value ? value.shape : [];
  return shape.length === 2 ? shape[1] : undefined;
}

/**
 * Positions `[axes,T]`, one axis after the other. `count` is T; where it is not given, one axis is.
 */
export function positions(
  argument: string,
  value: Positions | undefined,
  count?: number,
  first = 0,
): Int32Array {
  if (value === undefined) {
    const list = new Int32Array(count ?? 0);
    for (let i = 0; i < list.length; i++) list[i] = first + i;
    return list;
  }
  let list: unknown = value;
  if (typeof value === "object" && value !== null && "shape" in value) {
    const data = integers(`${argument}.data`, value.data, leastPosition, mostPosition);
    const shape = shapeOf(argument, value.shape, data.length);
    const many = count !== undefined && shape.length === 2 && shape[0]! <= mostPositionAxes;
    if (shape.length > 1 && !many && (shape.length > 2 || shape[0] !== 1))
      refuse(`${argument}.shape`, shape, count === undefined ? "[T] or [1,T]" : "[T] or [axes,T]");
    if (many && shape[1] !== count)
      refuse(`${argument}.shape`, shape, `[axes,${count}], one for each token`);
    if (many) return data;
    list = data;
  }
  const result = integers(argument, list, leastPosition, mostPosition);
  if (count !== undefined && result.length !== count) {
    refuse(`${argument}.length`, result.length, `${count}, one for each token`);
  }
  if (result.length === 0) refuse(`${argument}.length`, 0, "1 or more");
  return result;
}

/** Keys a query sees, itself included: the number, or `{ before }` it; 0 where nothing is said. */
export function slidingWindow(argument: string, value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value !== "object" || value === null) return integer(argument, value, 1);
  checkOptions(argument, value, ["before"]);
  return 1 + integer(`${argument}.before`, (value as { before: unknown }).before, 0, mostInt32 - 1);
}
