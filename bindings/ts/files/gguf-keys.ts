/** The keys of a GGUF file's header, whose offsets its reader has found and checked. */

import { refuse } from "../wire/arguments.js";
import { WhereformerError } from "../wire/error.js";

const isFlag = 7;
const isText = 8;

/** By ggml's type number: the bytes of one number, and how to read it. */
const readers: Record<number, [bytes: number, read: (view: DataView, at: number) => number]> = {
  0: [1, (view, at) => view.getUint8(at)],
  1: [1, (view, at) => view.getInt8(at)],
  2: [2, (view, at) => view.getUint16(at, true)],
  3: [2, (view, at) => view.getInt16(at, true)],
  4: [4, (view, at) => view.getUint32(at, true)],
  5: [4, (view, at) => view.getInt32(at, true)],
  // Seven digits, as written: 1e-5, not the nearest float.
  6: [4, (view, at) => Number(view.getFloat32(at, true).toPrecision(7))],
  7: [1, (view, at) => view.getUint8(at)],
  10: [8, (view, at) => Number(view.getBigUint64(at, true))],
  11: [8, (view, at) => Number(view.getBigInt64(at, true))],
  12: [8, (view, at) => view.getFloat64(at, true)],
};

interface Entry {
  type: number;
  isList: boolean;
  count: number;
  begin: number;
}

/** All methods that return one kind of value throw malformed_file for another kind. */
export class GgufKeys {
  readonly #view: DataView;
  readonly #header: Uint8Array;
  readonly #entries = new Map<string, Entry>();
  readonly #decoder = new TextDecoder();

  /** Errors: malformed_file for a key that appears twice. */
  constructor(header: Uint8Array, entries: readonly Float64Array[]) {
    this.#header = header;
    this.#view = new DataView(header.buffer, header.byteOffset, header.byteLength);
    for (const entry of entries) {
      const [key, bytes, type, list, count, begin] = entry as unknown as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const name = this.#text(key, bytes);
      if (this.has(name))
        throw new WhereformerError("malformed_file", `GGUF: the key ${name} appears twice`);
      this.#entries.set(name, { type, isList: list === 1, count, begin });
    }
  }

  #text(first: number, count: number): string {
    return this.#decoder.decode(this.#header.subarray(first, first + count));
  }

  #numbers({ type, count, begin }: Entry): number[] {
    const [bytes, read] = readers[type]!;
    return Array.from({ length: count }, (_, i) => read(this.#view, begin + bytes * i));
  }

  #texts({ count, begin }: Entry): string[] {
    let at = begin;
    return Array.from({ length: count }, () => {
      const bytes = Number(this.#view.getBigUint64(at, true));
      at += 8 + bytes;
      return this.#text(at - bytes, bytes);
    });
  }

  /** All keys, in the file's order. */
  names(): Iterable<string> {
    return this.#entries.keys();
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  isList(key: string): boolean {
    return this.#entries.get(key)?.isList ?? false;
  }

  /** The value in its original kind, for messages: number, text, boolean, or a list of these. */
  value(key: string): unknown {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const numbers = () => this.#numbers(entry);
    const all: unknown[] =
      entry.type === isText
        ? this.#texts(entry)
        : entry.type === isFlag
          ? numbers().map(Boolean)
          : numbers();
    return entry.isList ? all : all[0];
  }

  /** Refuses a value of another kind. */
  #refused(key: string, wanted: string): never {
    return refuse(key, this.value(key), wanted, "malformed_file");
  }

  /** Length of a list of texts; 0 if the key is absent. */
  count(key: string): number {
    const entry = this.#entries.get(key);
    if (entry && !(entry.isList && entry.type === isText))
      return this.#refused(key, "a list of strings");
    return entry?.count ?? 0;
  }

  /**
   * A number of any type, with false and true as 0 and 1, or the one value of a list of equal
   * numbers. Errors: unsupported for a list of different numbers.
   */
  number(key: string): number | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const list = entry.type === isText ? [] : this.#numbers(entry);
    if (!list.length || !list.every(Number.isFinite)) return this.#refused(key, "a number");
    if (list.some((value) => value !== list[0]))
      refuse(key, list, "one number for all layers", "unsupported");
    return list[0];
  }

  numbers(key: string): number[] | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.type === isText || !entry.isList) return this.#refused(key, "a list of numbers");
    return this.#numbers(entry);
  }

  flag(key: string): boolean | undefined {
    const value = this.number(key);
    if (value === undefined) return undefined;
    if (value === 0 || value === 1) return value === 1;
    return this.#refused(key, "true or false");
  }

  text(key: string): string | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.type !== isText || entry.isList) return this.#refused(key, "a string");
    return this.#texts(entry)[0];
  }

  texts(key: string): string[] | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.type !== isText || !entry.isList) return this.#refused(key, "a list of strings");
    return this.#texts(entry);
  }
}
