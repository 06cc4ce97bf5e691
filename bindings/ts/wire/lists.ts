/** Checks of lists of numbers: indices, positions, tensors, and where results go. */

import type { Out, Positions, Tensor, TensorLike } from "../types/index.js";
import { integer, mostInt32, refuse, refuseOther } from "./arguments.js";
import { isFloats, isLost, lengthOf, tagOf } from "./arrays.js";
import { WhereformerError } from "./error.js";

/** Positions lie so near that the difference of any two, and one more, is an int32. */
const mostPosition = 2 ** 30 - 1;
const leastPosition = -mostPosition;
const mostPositionAxes = 3;

/** Refuses an array whose memory was handed over or shrank, which says that it is empty. */
export function checkThere(argument: string, value: unknown): void {
  if (ArrayBuffer.isView(value) && isLost(value))
    refuse(argument, value, "an array whose memory is there");
}

/** The length of an array of any kind; undefined for what is none. */
function countOf(argument: string, value: unknown): number | undefined {
  if (tagOf(value)) {
    checkThere(argument, value);
    return lengthOf(value);
  }
  if (!Array.isArray(value)) return undefined;
  return integer(`${argument}.length`, value.length, 0, 2 ** 32 - 1);
}

/** Memory for a copy of an argument. Errors: out_of_memory. */
function roomFor<T>(make: new (length: number) => T, length: number): T {
  try {
    return new make(length);
  } catch (cause) {
    const text = `out of memory: ${(cause as Error).message}`;
    throw new WhereformerError("out_of_memory", text, {}, cause);
  }
}

/** Token ids come as large integers, too: those that a number holds exactly. */
const narrowed = (item: unknown): unknown =>
  typeof item === "bigint" && Number.isSafeInteger(Number(item)) ? Number(item) : item;

/** Integers, copied; `name[i]` is named when it is not an integer of the range. */
export function integers(
  argument: string,
  value: unknown,
  least = -(2 ** 31),
  most = mostInt32,
): Int32Array {
  const length = countOf(argument, value);
  if (length === undefined) return refuse(argument, value, "a list of integers");
  const result = roomFor(Int32Array, length);
  for (let i = 0; i < length; i++) {
    const item: unknown = (value as ArrayLike<unknown>)[i];
    // The name is put together where it is needed: texts are long.
    result[i] =
      typeof item === "number" && Number.isInteger(item) && item >= least && item <= most
        ? item
        : integer(`${argument}[${i}]`, narrowed(item), least, most);
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
    for (const [name, data] of Object.entries(tensors))
      if (isFloats(data)) floats(`${name}.data`, data, mayHide(name));
    throw error;
  }
}

/** Finite float32 numbers: typed arrays as they are, lists converted. */
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

/** Sizes of a tensor. */
export function shapeOf(argument: string, value: unknown): number[] {
  const count = countOf(argument, value);
  if (count === undefined) return refuse(`${argument}.shape`, value, "a list of sizes");
  const shape: number[] = [];
  for (let i = 0; i < count; i++) {
    const size: unknown = (value as ArrayLike<unknown>)[i];
    shape.push(
      typeof size === "number" && Number.isInteger(size) && size >= 1 && size <= mostInt32
        ? size
        : integer(`${argument}.shape[${i}]`, size, 1),
    );
  }
  return shape;
}

/**
 * Refuses sizes whose product is not the length of the data. Where other arguments were read since,
 * which may have been code that changed a buffer, it is asked again.
 */
export function checkLength(argument: string, shape: readonly number[], length: number): void {
  let product = 1;
  for (const size of shape) product *= size;
  if (product !== length)
    refuse(`${argument}.shape`, shape, `sizes whose product is the length of data, ${length}`);
}

/** A dense tensor of finite numbers whose rank is one of those allowed, where that is said. */
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
 * Where `length` numbers of a result go: the memory that was given for them, undefined where none
 * was. It is the last argument that a call reads.
 */
export function outOf(out: Out | undefined, length: number): Float32Array | undefined {
  if (out === undefined) return undefined;
  const data: unknown = isFloats(out) ? out : (out as Tensor | null)?.data;
  if (!isFloats(data)) return refuse("out", out, "a Float32Array or a tensor of one");
  checkThere("out", data);
  if (lengthOf(data) !== length) refuse("out.length", lengthOf(data), `${length}`);
  return data;
}

/** Positions of one or several axes, one after the other. */
interface Places {
  list: Int32Array;
  /** `[T]`, or `[axes,T]` where that was said. */
  shape: number[];
}

/** Positions as they were given. */
export function placesOf(argument: string, value: unknown): Places {
  if (typeof value === "object" && value !== null && "shape" in value) {
    const { data, shape: sizes } = value as { data: unknown; shape: unknown };
    const shape = shapeOf(argument, sizes);
    const list = integers(`${argument}.data`, data, leastPosition, mostPosition);
    checkLength(argument, shape, list.length);
    return { list, shape };
  }
  const list = integers(argument, value, leastPosition, mostPosition);
  return { list, shape: [list.length] };
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
    const list = roomFor(Int32Array, count ?? 0);
    for (let i = 0; i < list.length; i++) list[i] = first + i;
    return list;
  }
  return placed(argument, placesOf(argument, value), count);
}

/** Positions, checked against the number of tokens. */
export function placed(argument: string, { list, shape }: Places, count?: number): Int32Array {
  const many = count !== undefined && shape.length === 2 && shape[0]! <= mostPositionAxes;
  if (shape.length > 1 && !many && (shape.length > 2 || shape[0] !== 1))
    refuse(`${argument}.shape`, shape, count === undefined ? "[T] or [1,T]" : "[T] or [axes,T]");
  if (many && shape[1] !== count)
    refuse(`${argument}.shape`, shape, `[axes,${count}], one for each token`);
  if (many) return list;
  if (count !== undefined && list.length !== count) {
    refuse(`${argument}.length`, list.length, `${count}, one for each token`);
  }
  if (list.length === 0) refuse(`${argument}.length`, 0, "1 or more");
  return list;
}
