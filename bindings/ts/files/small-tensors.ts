/**
 * Reads all tensors of a small safetensors file at once, for layers that are applied to a text's
 * vector. A model's own tensors are read one by one in the engine.
 */

import { parseJson } from "../config/json-file.js";
import { unexpected, WhereformerError } from "../wire/error.js";

/** Row-major. */
export interface SmallTensor {
  shape: readonly number[];
  data: Float64Array;
}

/** A 16-bit IEEE 754 number: a sign, five bits of exponent, ten of fraction. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const brain = new DataView(new ArrayBuffer(4));

/** By the format's name of the dtype: bytes of a number, and how to read it. */
const types: Record<string, [bytes: number, read: (view: DataView, at: number) => number]> = {
  F64: [8, (view, at) => view.getFloat64(at, true)],
  F32: [4, (view, at) => view.getFloat32(at, true)],
  F16: [2, (view, at) => half(view.getUint16(at, true))],
  BF16: [
    2,
    (view, at) => {
      brain.setUint32(0, view.getUint16(at, true) << 16);
      return brain.getFloat32(0);
    },
  ],
};

const isSize = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** Errors: malformed_file, naming `where`; unsupported for other dtypes. */
export function smallTensors(bytes: Uint8Array, where: string): Map<string, SmallTensor> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const malformed = (what: string): never => {
    throw new WhereformerError("malformed_file", `${where}: ${what}`);
  };
  const header = bytes.length < 8 ? Infinity : Number(view.getBigUint64(0, true));
  if (!(header <= bytes.length - 8))
    return malformed(`a header of ${header} bytes in a file of ${bytes.length}`);
  const first = 8 + header;
  const list = parseJson(bytes.subarray(8, first), where);
  const found = new Map<string, SmallTensor>();
  for (const [name, entry] of Object.entries(list)) {
    if (name === "__metadata__") continue;
    const { dtype, shape, data_offsets: range } = (entry ?? {}) as Record<string, unknown>;
    const type = typeof dtype === "string" && Object.hasOwn(types, dtype) && types[dtype];
    if (!type)
      throw new WhereformerError(
        "unsupported",
        unexpected(`${where}: ${name}`, `dtype ${String(dtype)}`, "F64, F32, F16 or BF16"),
      );
    const isWhole =
      Array.isArray(shape) && shape.every(isSize) && Array.isArray(range) && range.every(isSize);
    if (!isWhole) return malformed(`${name} has no shape or data_offsets`);
    const [size, read] = type;
    const [begin, end] = range as [number, number];
    const count = (shape as number[]).reduce((product, each) => product * each, 1);
    if (end - begin !== count * size || first + end > bytes.length)
      return malformed(`${name} has shape [${shape}] and data_offsets ${begin} to ${end}`);
    const data = Float64Array.from({ length: count }, (_, i) =>
      read(view, first + begin + size * i),
    );
    if (!data.every(Number.isFinite)) return malformed(`${name} has a number that is not finite`);
    found.set(name, { shape: shape as number[], data });
  }
  return found;
}
