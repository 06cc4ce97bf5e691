/** Checks of lists of numbers: indices, positions, tensors, and memory for results. */

import type { Out, Positions, Tensor, TensorLike } from "../types/index.js";
import { integer, maxInt32, refuse, refuseOther } from "./arguments.js";
import { isFloats, isLost, lengthOf, tagOf } from "./arrays.js";
import { WhereformerError } from "./error.js";

/** A limit such that the difference of any two positions, plus one, is an int32. */
const maxPosition = 2 ** 30 - 1;
const minPosition = -maxPosition;
const maxPositionAxes = 3;

/** Refuses an array whose memory was transferred or has shrunk, and whose length is then 0. */
export function checkThere(argument: string, value: unknown): void {
  if (ArrayBuffer.isView(value) && isLost(value))
    refuse(argument, value, "an array with intact memory");
}

/** The length of an array of any kind; undefined if it is not an array. */
function countOf(argument: string, value: unknown): number | undefined {
  if (tagOf(value)) {
    checkThere(argument, value);
    return lengthOf(value);
  }
  if (!Array.isArray(value)) return undefined;
  return integer(`${argument}.length`, value.length, 0, 2 ** 32 - 1);
}

/** Allocates memory for a copy of an argument. Errors: out_of_memory. */
function roomFor<T>(make: new (length: number) => T, length: number): T {
  try {
    return new make(length);
  } catch (cause) {
    const text = `out of memory: ${(cause as Error).message}`;
    throw new WhereformerError("out_of_memory", text, {}, cause);
  }
}

/** Converts BigInt token ids that a number represents exactly. */
const narrowed = (item: unknown): unknown =>
  typeof item === "bigint" && Number.isSafeInteger(Number(item)) ? Number(item) : item;

/** Copies integers; the error for one out of range names it as `name[i]`. */
export function integers(
  argument: string,
  value: unknown,
  min = -(2 ** 31),
  max = maxInt32,
): Int32Array {
  const length = countOf(argument, value);
  if (length === undefined) return refuse(argument, value, "a list of integers");
  const result = roomFor(Int32Array, length);
  for (let i = 0; i < length; i++) {
    const item: unknown = (value as ArrayLike<unknown>)[i];
    // The name is composed only when it is needed: texts are long.
    result[i] =
      typeof item === "number" && Number.isInteger(item) && item >= min && item <= max
        ? item
        : integer(`${argument}[${i}]`, narrowed(item), min, max);
  }
  return result;
}

/** Ascending, distinct indices; undefined means all, for which the engine takes an empty list. */
export function indices(argument: string, value: unknown, count: number): Int32Array {
  if (value === undefined) return new Int32Array(0);
  const list = integers(argument, value, 0, count - 1);
  if (list.length === 0) refuse(argument, value, "at least one index");
  for (let i = 1; i < list.length; i++) {
    if (list[i]! <= list[i - 1]!) refuse(argument, value, "distinct indices in ascending order");
  }
  return list;
}

/** Masks, and tensors that may be used as one, may contain -Infinity. */
const mayHide = (argument: string) => argument === "mask" || argument === "value";

/**
 * Lists whose numbers the engine checks itself; if it refuses them, `nameNotFinite` finds the first
 * invalid one.
 */
export const scannedByEngine = true;

export function nameNotFinite<T>(tensors: Readonly<Record<string, unknown>>, call: () => T): T {
  try {
    return call();
  } catch (error) {
    for (const [name, data] of Object.entries(tensors))
      if (isFloats(data)) floats(`${name}.data`, data, mayHide(name));
    throw error;
  }
}

/** Finite float32 numbers: typed arrays unchanged, lists converted. */
export function floats(
  argument: string,
  value: unknown,
  allowNegativeInfinity = false,
): Float32Array {
  const isList = !isFloats(value);
  const length = isList && tagOf(value) ? undefined : countOf(argument, value);
  if (length === undefined) return refuse(argument, value, "a Float32Array or a list of numbers");
  const result = isList ? roomFor(Float32Array, length) : value;
  for (let i = 0; i < length; i++) {
    const item: unknown = (value as ArrayLike<unknown>)[i];
    if (isList && typeof item === "number") result[i] = item;
    // x - x is 0 only for finite numbers.
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

/** Checks the shape of a tensor. */
export function shapeOf(argument: string, value: unknown): number[] {
  const count = countOf(argument, value);
  if (count === undefined) return refuse(`${argument}.shape`, value, "a list of sizes");
  const shape: number[] = [];
  for (let i = 0; i < count; i++) {
    const size: unknown = (value as ArrayLike<unknown>)[i];
    shape.push(
      typeof size === "number" && Number.isInteger(size) && size >= 1 && size <= maxInt32
        ? size
        : integer(`${argument}.shape[${i}]`, size, 1),
    );
  }
  return shape;
}

/**
 * Refuses a shape whose product is not the length of the data. Called again after other arguments
 * are read, since their getters may have changed a buffer.
 */
export function checkLength(argument: string, shape: readonly number[], length: number): void {
  let product = 1;
  for (const size of shape) product *= size;
  if (product !== length)
    refuse(`${argument}.shape`, shape, `sizes whose product is the length of data, ${length}`);
}

/** Checks a dense tensor of finite numbers whose rank, if `ranks` is given, is one of those. */
export function tensor(
  argument: string,
  value: unknown,
  allowed?: readonly string[],
  isScannedByEngine = false,
): { data: Float32Array; shape: number[] } {
  if (typeof value !== "object" || value === null || !("data" in value) || !("shape" in value)) {
    refuseOther(argument, value, "tensor", "{ data, shape }");
  }
  const { data: numbers, shape: sizes } = value as TensorLike;
  const shape = shapeOf(argument, sizes);
  const isPassedOn = isScannedByEngine && isFloats(numbers);
  checkThere(`${argument}.data`, numbers);
  const data = isPassedOn ? numbers : floats(`${argument}.data`, numbers, mayHide(argument));
  checkLength(argument, shape, lengthOf(data));
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
 * The memory that the caller gave for `length` numbers of a result; undefined if none. It is the
 * last argument that a call reads.
 */
export function outOf(out: Out | undefined, length: number): Float32Array | undefined {
  if (out === undefined) return undefined;
  const data: unknown = isFloats(out) ? out : (out as Tensor | null)?.data;
  if (!isFloats(data)) return refuse("out", out, "a Float32Array or a tensor of one");
  checkThere("out", data);
  if (lengthOf(data) !== length) refuse("out.length", lengthOf(data), `${length}`);
  return data;
}

/** Positions of one or several axes, concatenated. */
interface PositionList {
  list: Int32Array;
  /** `[T]`, or `[axes,T]` if given so. */
  shape: number[];
}

/** Reads positions; their number is checked later. */
export function positionsIn(argument: string, value: unknown): PositionList {
  if (typeof value === "object" && value !== null && "shape" in value) {
    const { data, shape: sizes } = value as { data: unknown; shape: unknown };
    const shape = shapeOf(argument, sizes);
    const list = integers(`${argument}.data`, data, minPosition, maxPosition);
    checkLength(argument, shape, list.length);
    return { list, shape };
  }
  const list = integers(argument, value, minPosition, maxPosition);
  return { list, shape: [list.length] };
}

/** Positions `[axes,T]`, axes concatenated. `count` is T; without it, only one axis is allowed. */
export function positions(
  argument: string,
  value: Positions | undefined,
  count?: number,
  first = 0,
): Int32Array {
  if (value === undefined) {
    const list = roomFor(Int32Array, count ?? 0);
    for (let i = 0; i < list.length; i++) list[i] = first + i;
    return list;
  }
  return checkedPositions(argument, positionsIn(argument, value), count);
}

/** Checks positions against the number of tokens. */
export function checkedPositions(
  argument: string,
  { list, shape }: PositionList,
  count?: number,
): Int32Array {
  const many = count !== undefined && shape.length === 2 && shape[0]! <= maxPositionAxes;
  if (shape.length > 1 && !many && (shape.length > 2 || shape[0] !== 1))
    refuse(`${argument}.shape`, shape, count === undefined ? "[T] or [1,T]" : "[T] or [axes,T]");
  if (many && shape[1] !== count)
    refuse(`${argument}.shape`, shape, `[axes,${count}], one for each token`);
  if (many) return list;
  if (count !== undefined && list.length !== count) {
    refuse(`${argument}.length`, list.length, `${count}, one for each token`);
  }
  if (list.length === 0) refuse(`${argument}.length`, 0, "an integer from 1");
  return list;
}
