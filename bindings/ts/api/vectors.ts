/** Vectors that a caller gives in place of the ids of a text's tokens. */

import { checkOptions, refuse } from "../wire/arguments.js";
import { isFloats, lengthOf } from "../wire/arrays.js";
import { floats, tensor } from "../wire/lists.js";

/** The input of a run: ids, or vectors and no ids. */
export interface Given {
  ids: Int32Array;
  /** `[T,E]`, copied, since reading further arguments may change the caller's memory. */
  vectors?: Float32Array;
}

/** Rows of `width` numbers: a tensor, or a list without a shape. */
export function rowsOf(
  argument: string,
  value: unknown,
  width: number,
): { data: Float32Array; shape: number[] } {
  const given = isFloats(value)
    ? { data: floats(argument, value), shape: [lengthOf(value) / width, width] }
    : tensor(argument, value);
  const { shape } = given;
  if (shape.at(-1) !== width || !Number.isInteger(shape[0]))
    refuse(`${argument}.shape`, shape, `rows of ${width} numbers`);
  return given;
}

export const hasVectors = (input: unknown): input is { vectors: unknown } =>
  typeof input === "object" && input !== null && "vectors" in input;

export function vectorsOf(argument: string, input: { vectors: unknown }, width: number): Given {
  checkOptions(argument, input, ["vectors"]);
  const { data, shape } = rowsOf("vectors", input.vectors, width);
  if (shape.length !== 2 || !shape[0]) refuse("vectors.shape", shape, `[T,${width}], T from 1`);
  return { ids: new Int32Array(0), vectors: new Float32Array(data) };
}

/** Number of tokens. */
export const tokensIn = ({ ids, vectors }: Given, width: number): number =>
  vectors ? vectors.length / width : ids.length;
