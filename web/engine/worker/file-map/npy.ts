/**
 * NumPy's file of one array, versions 1 to 3: f2, f4 and f8 of either byte order, C and Fortran
 * order. Format: numpy.lib.format (NEP 1).
 */
import type { FileMapAnswer } from "../../both/map-messages.js";
import { malformed, shapeOf } from "./shape.js";

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** A header holds a type and three sizes; NumPy, too, rejects longer ones by default. */
const longestHeader = 10_000;

export const isNpy = (bytes: Uint8Array): boolean =>
  magic.every((byte, index) => bytes[index] === byte);

/** Converts IEEE 754 half precision. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

interface Header {
  bytesEach: 2 | 4 | 8;
  isLittle: boolean;
  isFortran: boolean;
  shape: number[];
  dataAt: number;
}

function headerText(bytes: Uint8Array): { text: string; dataAt: number } {
  const version = bytes[6];
  if (version !== 1 && version !== 2 && version !== 3)
    throw malformed(`NPY version ${version ?? "?"}; 1, 2 and 3 are read`);
  const prefix = version === 1 ? 10 : 12;
  if (bytes.length < prefix) throw malformed("the NPY file ends inside its head");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > longestHeader) throw malformed(`an NPY header of ${length} bytes`);
  if (prefix + length > bytes.length) throw malformed("the NPY file ends inside its header");
  const encoding = version === 3 ? "utf-8" : "latin1";
  const text = new TextDecoder(encoding).decode(bytes.subarray(prefix, prefix + length));
  return { text, dataAt: prefix + length };
}

function headerOf(bytes: Uint8Array): Header {
  const { text, dataAt } = headerText(bytes);
  const descr = /["']descr["']\s*:\s*["']([^"']{1,16})["']/.exec(text)?.[1];
  const fortran = /["']fortran_order["']\s*:\s*(True|False)/.exec(text)?.[1];
  const shape = /["']shape["']\s*:\s*\(([\d\s,L]*)\)/.exec(text)?.[1];
  if (!descr || !fortran || shape === undefined)
    throw malformed("the NPY header does not say descr, fortran_order and shape");
  const type = /^([<>=|]?)f([248])$/.exec(descr);
  if (!type) throw malformed(`NPY of type ${descr}; f2, f4 and f8 are read`);
  const sizes = shape.split(",").map((size) => size.replace("L", "").trim());
  return {
    bytesEach: Number(type[2]) as 2 | 4 | 8,
    isLittle: type[1] !== ">",
    isFortran: fortran === "True",
    shape: sizes.filter(Boolean).map(Number),
    dataAt,
  };
}

/**
 * Returns a function from an index in C order to the index in Fortran order, where the first axis
 * is the fastest.
 */
function fortranOffsets(shape: readonly number[]): (at: number) => number {
  let below = 1;
  const steps = shape.map((size) => {
    below *= size;
    return below / size;
  });
  return (at) => {
    let [rest, offset] = [at, 0];
    for (let depth = shape.length - 1; depth >= 0; depth--) {
      offset += (rest % shape[depth]!) * steps[depth]!;
      rest = Math.floor(rest / shape[depth]!);
    }
    return offset;
  };
}

export function readNpy(bytes: Uint8Array): FileMapAnswer {
  const { bytesEach, isLittle, isFortran, shape, dataAt } = headerOf(bytes);
  const sizes = shapeOf(shape, "the NPY file");
  const count = shape.reduce((product, size) => product * size, 1);
  const there = bytes.length - dataAt;
  if (there < count * bytesEach)
    throw malformed(`the NPY file has ${there} bytes of numbers, its shape ${count * bytesEach}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset + dataAt, count * bytesEach);
  const read = {
    2: (at: number) => halfToNumber(view.getUint16(2 * at, isLittle)),
    4: (at: number) => view.getFloat32(4 * at, isLittle),
    8: (at: number) => view.getFloat64(8 * at, isLittle),
  }[bytesEach];
  const values = new Float32Array(count);
  const offsetOf = isFortran ? fortranOffsets(shape) : (at: number) => at;
  for (let at = 0; at < count; at++) values[at] = read(offsetOf(at));
  return { ...sizes, values };
}
