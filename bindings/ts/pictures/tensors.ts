/**
 * The tensors of a picture model's files: reads those that make a picture's vectors, and shows the
 * engine files in which the scales of layers are multiplied into the matrices before them.
 */

import type { ByteFile } from "../files/byte-file.js";
import { type Shown, ShownFile, type Stored, storedIn, unchanged } from "../files/shown-file.js";
import { unexpected, WhereformerError } from "../wire/error.js";

/** Bytes of a number. */
const bytesOf: Record<string, number> = { F32: 4, F16: 2, BF16: 2 };

const malformed = (text: string): never => {
  throw new WhereformerError("malformed_file", text);
};

/** A 16-bit IEEE 754 number: a sign, five bits of exponent, ten of fraction. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function widened(bytes: Uint8Array, dtype: string): Float32Array<ArrayBuffer> {
  const { buffer } = bytes.slice();
  if (dtype === "F32") return new Float32Array(buffer);
  const words = new Uint16Array(buffer);
  if (dtype === "F16") return Float32Array.from(words, half);
  return new Float32Array(Uint32Array.from(words, (word) => word << 16).buffer);
}

/** Reads `stored` with each of its rows multiplied by a number, as 32-bit floats. */
const scaledBy =
  (file: ByteFile, { first, dtype, shape }: Stored, scale: Float32Array): Shown["read"] =>
  async (from, to) => {
    const size = bytesOf[dtype]!;
    const width = shape.slice(1).reduce((product, each) => product * each, 1);
    const [low, high] = [Math.floor(from / 4), Math.ceil(to / 4)];
    const numbers = widened(await file.read(first + low * size, first + high * size), dtype);
    for (let i = 0; i < numbers.length; i++) numbers[i]! *= scale[Math.floor((low + i) / width)]!;
    return new Uint8Array(numbers.buffer).subarray(from - 4 * low, to - 4 * low);
  };

/** A shape without dimensions of size 1 before the others, which change nothing. */
function withoutOnes(shape: readonly number[]): readonly number[] {
  const first = shape.findIndex((size) => size !== 1);
  return first < 0 ? [] : shape.slice(first);
}

/** A scale of a layer's output: the names of the matrix before it, and of the scale. */
export type LayerScale = readonly [matrices: readonly string[], scale: string];

export class PictureFiles {
  readonly #files: readonly { file: ByteFile; stored: readonly Stored[] }[];
  readonly #prefix: string;

  private constructor(
    files: readonly { file: ByteFile; stored: readonly Stored[] }[],
    prefix: string,
  ) {
    this.#files = files;
    this.#prefix = prefix;
  }

  /** `prefix`: that of a family's names, which a file may lack. Errors: malformed_file. */
  static async open(files: readonly ByteFile[], prefix: string): Promise<PictureFiles> {
    const opened: { file: ByteFile; stored: Stored[] }[] = [];
    for (const file of files) opened.push({ file, stored: await storedIn(file) });
    return new PictureFiles(opened, prefix);
  }

  #find(name: string): { file: ByteFile; stored: Stored } | undefined {
    for (const { file, stored } of this.#files) {
      const isNamed = ({ name: full }: Stored) => full === name || full === this.#prefix + name;
      const found = stored.find(isNamed);
      if (found) return { file, stored: found };
    }
    return undefined;
  }

  /** The numbers of a tensor of this shape. Errors: malformed_file, unsupported. */
  async floats(name: string, shape: readonly number[]): Promise<Float32Array> {
    const found = this.#find(name);
    const allowed = `shape [${shape}]`;
    if (!found) return malformed(unexpected(`tensor ${this.#prefix}${name}`, "missing", allowed));
    const { file, stored } = found;
    const { dtype, first, end } = stored;
    const count = shape.reduce((product, each) => product * each, 1);
    if (String(withoutOnes(stored.shape)) !== String(withoutOnes(shape)))
      return malformed(unexpected(`tensor ${stored.name}`, `shape [${stored.shape}]`, allowed));
    const size = Object.hasOwn(bytesOf, dtype) ? bytesOf[dtype]! : 0;
    if (!size)
      throw new WhereformerError(
        "unsupported",
        unexpected(`tensor ${stored.name}`, `dtype ${dtype}`, "F32, F16 or BF16"),
      );
    if (end - first !== count * size)
      return malformed(
        unexpected(`tensor ${stored.name}`, `${end - first} bytes`, `${count * size}`),
      );
    const numbers = widened(await file.read(first, end), dtype);
    if (!numbers.every(Number.isFinite))
      return malformed(unexpected(`tensor ${stored.name}`, "NaN or infinity", "finite numbers"));
    return numbers;
  }

  /**
   * Files for the engine: with a row of zeros as the table of tokens, which these models do not
   * have, and with scales multiplied into the rows of the matrices and biases before them.
   */
  async shown(width: number, scales: readonly LayerScale[]): Promise<ByteFile[]> {
    const byTensor = new Map<Stored, Float32Array>();
    for (const [matrices, name] of scales) {
      const scale = await this.floats(name, [width]);
      for (const matrix of matrices)
        for (const kind of ["weight", "bias"]) {
          const found = this.#find(`${matrix}.${kind}`)?.stored;
          if (found && found.shape[0] === width && Object.hasOwn(bytesOf, found.dtype))
            byTensor.set(found, scale);
        }
    }
    return this.#files.map(({ file, stored }, index) => {
      const shown = stored.map((one): Shown => {
        const scale = byTensor.get(one);
        if (!scale) return unchanged(file, one);
        const bytes = 4 * ((one.end - one.first) / bytesOf[one.dtype]!);
        return { ...one, dtype: "F32", bytes, read: scaledBy(file, one, scale) };
      });
      const zeros: Shown = {
        name: noTokens,
        dtype: "F32",
        shape: [1, width],
        bytes: 4 * width,
        read: async (from, to) => new Uint8Array(to - from),
      };
      return new ShownFile(file, index === 0 ? [...shown, zeros] : shown);
    });
  }
}

/** The name of the table of tokens. */
export const noTokens = "whereformer.no_tokens";
