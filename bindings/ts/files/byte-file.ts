/** Files that are read a range at a time, from any source. */

import { refuse } from "../wire/arguments.js";
import { lengthOf } from "../wire/arrays.js";
import {
  fetchedBody,
  fileFailure,
  type NodeFiles,
  networkError,
  nodeFiles,
  readBytes,
} from "../wire/binary.js";
import { WhereformerError } from "../wire/error.js";
import { isOrdinary } from "../wire/memory.js";
import { bytesOfBlob, messageOf } from "../wire/platform.js";
import { aborted, throwIfAborted } from "../wire/signal.js";

export interface ByteFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /**
   * Returns bytes [first, end), which stay valid until the next call. Cheapest if each range starts
   * at the end of the last one.
   */
  read(first: number, end: number): Promise<Uint8Array>;
  /** Releases connections and handles; the next read opens them again. */
  pause(): void;
}

/** Called for each file with the end of the bytes that have arrived. */
export type Reached = (end: number) => void;

export function fileOfBytes(name: string, bytes: Uint8Array, reached: Reached): ByteFile {
  // Copied as it is read if another thread may write it or it may shrink.
  const isCopied = !isOrdinary(bytes);
  return {
    name,
    size: bytes.length,
    async read(first, end) {
      if (end > lengthOf(bytes))
        refuse(name, bytes, "bytes with intact memory until the model is open");
      reached(end);
      return isCopied ? new Uint8Array(bytes.subarray(first, end)) : bytes.subarray(first, end);
    },
    pause() {},
  };
}

export function fileOfBlob(name: string, blob: Blob, reached: Reached): ByteFile {
  return {
    name,
    size: blob.size,
    async read(first, end) {
      let bytes: ArrayBuffer;
      try {
        bytes = await bytesOfBlob(blob.slice(first, end));
      } catch (cause) {
        // The file was changed or removed after it was chosen.
        throw new WhereformerError(
          "network",
          `${name}: could not be read (${messageOf(cause)})`,
          {},
          cause,
        );
      }
      reached(end);
      return new Uint8Array(bytes);
    },
    pause() {},
  };
}

function fileOfNode(url: URL, files: NodeFiles, reached: Reached): ByteFile {
  const tried = <T>(body: () => T): T => {
    try {
      return body();
    } catch (cause) {
      throw fileFailure(url, cause);
    }
  };
  let open: number | undefined;
  return {
    name: url.href,
    size: tried(() => files.statSync(url).size),
    async read(first, end) {
      return tried(() => {
        open ??= files.openSync(url, "r");
        const bytes = new Uint8Array(end - first);
        let filled = 0;
        while (filled < bytes.length) {
          const count = files.readSync(open, bytes, filled, bytes.length - filled, first + filled);
          if (count === 0) throw new Error("the file ends early");
          filled += count;
        }
        reached(end);
        return bytes;
      });
    },
    pause() {
      if (open !== undefined) files.closeSync(open);
      open = undefined;
    },
  };
}

/** A server's response, read in order; requested again from an offset for any other range. */
class FetchedFile implements ByteFile {
  readonly name: string;
  readonly size: number;
  readonly #url: URL;
  readonly #signal: AbortSignal | undefined;
  readonly #reached: Reached;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #rest = new Uint8Array(0);
  /** Offset of the rest of the response. */
  #at = 0;

  constructor(
    url: URL,
    size: number,
    body: ReadableStream<Uint8Array>,
    signal: AbortSignal | undefined,
    reached: Reached,
  ) {
    this.name = url.href;
    this.size = size;
    this.#url = url;
    this.#signal = signal;
    this.#reached = reached;
    this.#reader = body.getReader();
  }

  async read(first: number, end: number): Promise<Uint8Array> {
    if (!this.#reader || first < this.#at) await this.#ask(first);
    const bytes = new Uint8Array(end - first);
    while (this.#at < end) {
      if (!this.#rest.length) await this.#more();
      const from = Math.max(first - this.#at, 0);
      const part = this.#rest.subarray(from, end - this.#at);
      if (part.length) bytes.set(part, this.#at + from - first);
      const used = Math.min(this.#rest.length, end - this.#at);
      this.#rest = this.#rest.subarray(used);
      this.#at += used;
    }
    return bytes;
  }

  async #more(): Promise<void> {
    let step: ReadableStreamReadResult<Uint8Array>;
    try {
      step = await this.#reader!.read();
    } catch (cause) {
      throw this.#signal?.aborted
        ? aborted(this.#signal, cause)
        : networkError(this.#url, "broke off", undefined, cause);
    }
    if (step.done) throw networkError(this.#url, "broke off");
    this.#rest = step.value as Uint8Array<ArrayBuffer>;
    this.#reached(Math.min(this.#at + this.#rest.length, this.size));
  }

  async #ask(first: number): Promise<void> {
    this.pause();
    const response = await fetchedBody(this.#url, this.#signal, { range: `bytes=${first}-` });
    this.#at = response.status === 206 ? first : 0;
    this.#reader = response.body!.getReader();
  }

  pause(): void {
    void this.#reader?.cancel().catch(() => {});
    this.#reader = undefined;
    this.#rest = new Uint8Array(0);
  }
}

/** Opens a file by its address. Errors: network, aborted. */
export async function fileOfUrl(
  url: URL,
  signal: AbortSignal | undefined,
  reached: Reached,
): Promise<ByteFile> {
  const files = url.protocol === "file:" ? nodeFiles() : undefined;
  if (files) return fileOfNode(url, files, reached);
  const response = await fetchedBody(url, signal);
  const { headers, body } = response;
  const size = Number(headers.get("content-length"));
  // For a compressed response, the length is that of the compressed bytes.
  if (body && size && !headers.get("content-encoding"))
    return new FetchedFile(url, size, body, signal, reached);
  let bytes: ArrayBuffer;
  try {
    bytes = await response.arrayBuffer();
  } catch (cause) {
    throw signal?.aborted
      ? aborted(signal, cause)
      : networkError(url, "broke off", undefined, cause);
  }
  throwIfAborted(signal);
  return fileOfBytes(url.href, new Uint8Array(bytes), reached);
}

export const readWhole = (url: URL, signal: AbortSignal | undefined) =>
  readBytes(url, { signal, onProgress: undefined });
