/** What changes the rows of a tensor where they lie, a few rows at a time. */

import type { Code } from "../generated/module.js";
import type { Tensor } from "../types/index.js";
import { outOf } from "../wire/arguments.js";
import { type Core, type RawModule, space, spaceOfFloats } from "../wire/core.js";
import type { OperandData } from "./tensors.js";

/** Floats of a piece that stays in the processor's own memory, where it is read several times. */
const pieceFloats = 1 << 15;

/** Changes rows of the engine's memory, `first` of them after those of the tensor's beginning. */
export type ChangeRows = (raw: RawModule, at: number, length: number, first: number) => Code;

/**
 * What `change` makes of the rows of a tensor, a few at a time, in `out` or an array of its own.
 * `beside` are the other lists that it reads.
 */
export function changedRows(
  core: Core,
  value: { data: OperandData; shape: number[] },
  rowLength: number,
  given: Tensor | Float32Array | undefined,
  beside: readonly (OperandData | Int32Array)[],
  change: ChangeRows,
): Tensor {
  const { data, shape } = value;
  const out = outOf(given, data.length) ?? core.floats(data.length);
  // A piece that is written must not be one that is read later.
  const isApart = (list: OperandData | Int32Array) =>
    !("buffer" in list) || list.buffer !== out.buffer;
  const mayCut =
    (isApart(data) || (data as Float32Array).byteOffset === out.byteOffset) &&
    beside.every(isApart);
  const rows = mayCut ? Math.max(1, Math.floor(pieceFloats / rowLength)) : data.length / rowLength;
  const step = rows * rowLength;
  const besides = beside.reduce((bytes, list) => bytes + space(list), 0);
  for (let first = 0; first < data.length; first += step) {
    const piece = step < data.length ? data.subarray(first, first + step) : data;
    const place = step < data.length ? out.subarray(first, first + step) : out;
    core.run(spaceOfFloats(piece.length) + besides, (raw) => {
      const at = core.copy(piece);
      core.check(change(raw, at, piece.length, first / rowLength));
      core.take(at, piece.length, place);
    });
  }
  return { data: out, shape };
}
