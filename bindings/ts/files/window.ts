/** Reads ahead, so that nearby ranges of a file need one read. */

import type { ByteFile } from "./byte-file.js";

/** Bytes to read at once, if the file is that long. */
const stretch = 2 ** 20;

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (!a.length) return b;
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

export class Window {
  readonly file: ByteFile;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(file: ByteFile) {
    this.file = file;
  }

  /** The file's first `count` bytes, or all if it is shorter. */
  async header(count: number): Promise<Uint8Array> {
    const end = Math.min(count, this.file.size);
    const kept = this.#bytes.slice();
    if (end > kept.length) this.#bytes = joined(kept, await this.file.read(kept.length, end));
    return this.#bytes;
  }

  /** Returns bytes [first, end). Ranges before the last one are read again. */
  async read(first: number, end: number): Promise<Uint8Array> {
    const last = this.#start + this.#bytes.length;
    if (first < this.#start || end > last) {
      const isKept = first >= this.#start && first < last;
      // A copy: a file may return all its reads in the same memory.
      const kept = isKept ? this.#bytes.slice(first - this.#start) : new Uint8Array(0);
      const next = first + kept.length;
      const to = Math.min(Math.max(end, next + stretch), this.file.size);
      this.#bytes = joined(kept, await this.file.read(next, to));
      this.#start = first;
    }
    return this.#bytes.subarray(first - this.#start, end - this.#start);
  }

  close(): void {
    this.file.pause();
    this.#bytes = new Uint8Array(0);
  }
}
