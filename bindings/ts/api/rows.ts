/** Calls that change the rows of a tensor in place, a few rows at a time. */

import type { Code } from "../generated/module.js";
import type { Tensor } from "../types/index.js";
import { beginTogether, bufferOf, part } from "../wire/arrays.js";
import {
  type Core,
  countOf,
  EngineFloats,
  type RawModule,
  space,
  spaceOfFloats,
} from "../wire/core.js";
import { checkLength, outOf } from "../wire/lists.js";
import { type OperandData, partOf } from "./tensors.js";

/** Floats in a piece; a piece fits the processor's cache, since it is read several times. */
const pieceFloats = 1 << 15;

/**
 * Changes rows in the engine's memory, the first of which is row `first` of the tensor; `besides`
 * has the addresses of the other lists.
 */
export type ChangeRows = (
  raw: RawModule,
  at: number,
  length: number,
  first: number,
  besides: readonly number[],
) => Code;

/**
 * Applies `change` to the rows of a tensor, a few at a time, and returns them in `out` or a new
 * array. `beside` are the other lists that it reads.
 */
export function changedRows(
  core: Core,
  name: string,
  value: { data: OperandData; shape: number[] },
  rowLength: number,
  given: Tensor | Float32Array | undefined,
  beside: readonly (OperandData | Int32Array)[],
  change: ChangeRows,
): Tensor {
  const { data, shape } = value;
  const length = countOf(data);
  const out = outOf(given, length) ?? core.floats(length);
  // Check again: a getter that was read last may have detached earlier memory.
  checkLength(name, shape, countOf(data));
  // A piece must not be written before it is read.
  const isApart = (list: OperandData | Int32Array) =>
    list instanceof EngineFloats || bufferOf(list) !== bufferOf(out);
  const maySplit =
    (isApart(data) || beginTogether(data as Float32Array, out)) && beside.every(isApart);
  const max = maySplit ? Math.max(1, Math.floor(pieceFloats / rowLength)) * rowLength : length;
  const step = Math.min(max, length);
  const bytes = beside.reduce((sum, list) => sum + space(list), spaceOfFloats(step));
  core.run(bytes, (raw) => {
    const besides = beside.map(core.put, core);
    const at = core.room(step);
    for (let first = 0; first < length; first += step) {
      const count = Math.min(step, length - first);
      core.copy(step < length ? partOf(data, first, first + count) : data, at);
      core.check(change(raw, at, count, first / rowLength, besides));
      core.take(at, count, step < length ? part(out, first, first + count) : out);
    }
  });
  return { data: out, shape };
}
