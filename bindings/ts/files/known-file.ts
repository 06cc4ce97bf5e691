/** Files of weights whose kind is known from their first bytes. */

import { unexpected, WhereformerError } from "../wire/error.js";
import type { ByteFile } from "./byte-file.js";
import { type Kind, kindBytes, kindOf } from "./kind.js";

export class KnownFile implements ByteFile {
  readonly kind: Kind;
  readonly #file: ByteFile;
  /** Kept: a server that sends a file in order would have to start again. */
  readonly #beginning: Uint8Array;

  private constructor(file: ByteFile, beginning: Uint8Array) {
    this.#file = file;
    this.#beginning = beginning;
    this.kind = kindOf(beginning, file.size);
  }

  static async of(file: ByteFile): Promise<KnownFile> {
    const count = Math.min(kindBytes, file.size);
    try {
      return new KnownFile(file, count ? (await file.read(0, count)).slice() : new Uint8Array(0));
    } catch (cause) {
      file.pause();
      throw cause;
    }
  }

  get name(): string {
    return this.#file.name;
  }

  get size(): number {
    return this.#file.size;
  }

  async read(first: number, end: number): Promise<Uint8Array> {
    const beginning = this.#beginning;
    if (first >= beginning.length) return this.#file.read(first, end);
    if (end <= beginning.length) return beginning.subarray(first, end);
    const bytes = new Uint8Array(end - first);
    bytes.set(beginning.subarray(first));
    bytes.set(await this.#file.read(beginning.length, end), beginning.length - first);
    return bytes;
  }

  pause(): void {
    this.#file.pause();
  }
}

/** Errors: malformed_file for files without weights, naming their kind. */
export function checkWeights(files: readonly KnownFile[]): void {
  const other = files.find(({ kind }) => kind.is === "other");
  if (!other) return;
  throw new WhereformerError(
    "malformed_file",
    unexpected(other.name, other.kind.said, "a safetensors or GGUF file"),
  );
}
