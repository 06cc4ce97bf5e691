/** The keys of a GGUF file's head, whose places its reader has found and checked. */

import { WhereformerError } from "../wire/error.js";

const isText = 8;

/** By ggml's number of the type: how one number is read, and its bytes. */
const readers: Record<number, [bytes: number, read: (view: DataView, at: number) => number]> = {
  0: [1, (view, at) => view.getUint8(at)],
  1: [1, (view, at) => view.getInt8(at)],
  2: [2, (view, at) => view.getUint16(at, true)],
  3: [2, (view, at) => view.getInt16(at, true)],
  4: [4, (view, at) => view.getUint32(at, true)],
  5: [4, (view, at) => view.getInt32(at, true)],
  // As it was written: 1e-5, not the nearest float.
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

export class GgufKeys {
  readonly #view: DataView;
  readonly #head: Uint8Array;
  readonly #entries = new Map<string, Entry>();
  readonly #decoder = new TextDecoder();

  constructor(head: Uint8Array, entries: Float64Array) {
    this.#head = head;
    this.#view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    for (let i = 0; i < entries.length; i += 6) {
      const [key, bytes, type, list, count, begin] = entries.subarray(i, i + 6) as unknown as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const name = this.#text(key, bytes);
      this.#entries.set(name, { type, isList: list === 1, count, begin });
    }
  }

  #text(first: number, count: number): string {
    return this.#decoder.decode(this.#head.subarray(first, first + count));
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** How many values stand under a key. */
  count(key: string): number {
    return this.#entries.get(key)?.count ?? 0;
  }

  /** Of a number, or the first of a list whose numbers are all the same. */
  number(key: string): number | undefined {
    const list = this.numbers(key);
    if (list?.some((value) => value !== list[0]))
      throw new WhereformerError(
        "unsupported",
        `${key}: differs from layer to layer; allowed is one number`,
      );
    return list?.[0];
  }

  numbers(key: string): number[] | undefined {
    const entry = this.#entries.get(key);
    const reader = entry && readers[entry.type];
    if (!entry || !reader) return undefined;
    const [bytes, read] = reader;
    return Array.from({ length: entry.count }, (_, i) => read(this.#view, entry.begin + bytes * i));
  }

  text(key: string): string | undefined {
    return this.texts(key)?.[0];
  }

  texts(key: string): string[] | undefined {
    const entry = this.#entries.get(key);
    if (entry?.type !== isText) return undefined;
    let at = entry.begin;
    return Array.from({ length: entry.count }, () => {
      const bytes = Number(this.#view.getBigUint64(at, true));
      at += 8 + bytes;
      return this.#text(at - bytes, bytes);
    });
  }
}
