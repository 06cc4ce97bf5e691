/**
 * Files whose tensors are changed as the engine reads them: the tensors of a safetensors file, and
 * a file that shows others instead.
 */

import { WhereformerError } from "../wire/error.js";
import type { ByteFile } from "./byte-file.js";

export interface Stored {
  name: string;
  dtype: string;
  shape: readonly number[];
  /** Bytes in the file. */
  first: number;
  end: number;
}

const malformed = (text: string): never => {
  throw new WhereformerError("malformed_file", text);
};

const isSize = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const areSizes = (value: unknown): value is number[] => Array.isArray(value) && value.every(isSize);

function storedOf(where: string, size: number, data: number, name: string, entry: unknown): Stored {
  const { dtype, shape, data_offsets: range } = (entry ?? {}) as Record<string, unknown>;
  if (typeof dtype !== "string" || !areSizes(shape) || !areSizes(range) || range.length !== 2)
    return malformed(`${where}: ${name} has no dtype, shape and data_offsets`);
  const [first, end] = range.map((offset) => data + offset) as [number, number];
  if (first > end || end > size)
    return malformed(`${where}: ${name} has data_offsets ${range[0]} to ${range[1]}`);
  return { name, dtype, shape, first, end };
}

/** The tensors of a file, in its order. Errors: malformed_file. */
export async function storedIn(file: ByteFile): Promise<Stored[]> {
  const where = file.name;
  if (file.size < 8) malformed(`${where}: not a safetensors file`);
  const beginning = (await file.read(0, 8)).slice();
  const count = Number(new DataView(beginning.buffer).getBigUint64(0, true));
  if (count > file.size - 8) malformed(`${where}: a header of ${count} bytes`);
  const text = new TextDecoder().decode(await file.read(8, 8 + count));
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    return malformed(`${where}: the header is not JSON`);
  }
  return Object.entries((header ?? {}) as Record<string, unknown>)
    .filter(([name]) => name !== "__metadata__")
    .map(([name, entry]) => storedOf(where, file.size, 8 + count, name, entry))
    .sort((a, b) => a.first - b.first);
}

/** A tensor of a file that the engine reads. */
export interface Shown {
  name: string;
  dtype: string;
  shape: readonly number[];
  /** How many bytes it has. */
  bytes: number;
  /** Its bytes [first, end). */
  read(first: number, end: number): Promise<Uint8Array>;
}

/** A tensor of a file, unchanged. */
export const unchanged = (file: ByteFile, { name, dtype, shape, first, end }: Stored): Shown => ({
  name,
  dtype,
  shape,
  bytes: end - first,
  read: (from, to) => file.read(first + from, first + to),
});

/** A file with further vectors, each of equal numbers. Errors: malformed_file. */
export async function withConstants(
  file: ByteFile,
  constants: readonly { name: string; count: number; value: number }[],
): Promise<ByteFile> {
  const stored = await storedIn(file);
  const added = constants.map(({ name, count, value }): Shown => {
    const bytes = new Uint8Array(new Float32Array(count).fill(value).buffer);
    const read = async (from: number, to: number) => bytes.subarray(from, to);
    return { name, dtype: "F32", shape: [count], bytes: 4 * count, read };
  });
  return new ShownFile(file, [...stored.map((one) => unchanged(file, one)), ...added]);
}

/** A file with other tensors than the one that it reads. */
export class ShownFile implements ByteFile {
  readonly name: string;
  readonly size: number;
  readonly #file: ByteFile;
  readonly #header: Uint8Array;
  readonly #tensors: readonly (Shown & { at: number })[];

  constructor(file: ByteFile, tensors: readonly Shown[]) {
    this.name = file.name;
    this.#file = file;
    let offset = 0;
    const located = tensors.map((tensor) => {
      offset += tensor.bytes;
      return { ...tensor, at: offset - tensor.bytes };
    });
    const entries = located.map(({ name, dtype, shape, at, bytes }) => [
      name,
      { dtype, shape, data_offsets: [at, at + bytes] },
    ]);
    const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
    this.#header = new Uint8Array(8 + text.length);
    new DataView(this.#header.buffer).setBigUint64(0, BigInt(text.length), true);
    this.#header.set(text, 8);
    this.size = this.#header.length + offset;
    this.#tensors = located.map((one) => ({ ...one, at: this.#header.length + one.at }));
  }

  async read(first: number, end: number): Promise<Uint8Array> {
    const result = new Uint8Array(end - first);
    result.set(this.#header.subarray(first, end));
    for (const { bytes, at, read } of this.#tensors) {
      const [begin, stop] = [Math.max(first, at), Math.min(end, at + bytes)];
      if (begin < stop) result.set(await read(begin - at, stop - at), begin - first);
    }
    return result;
  }

  pause(): void {
    this.#file.pause();
  }
}
