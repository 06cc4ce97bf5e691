/**
 * One instance of the compiled engine: its memory, its errors, and the block through which arrays
 * cross (bindings/calls/workspace.h). Nothing here is public. The calls themselves are those that
 * bindings/embind registers, typed by generated/module.ts.
 */

import type { ClassHandle, Code, List, MainModule } from "../generated/module.js";
import type { ErrorCode } from "../types/index.js";
import { WhereformerError } from "./error.js";

type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array;

/** Floats that lie in the engine's memory already: a call is told where, and copies nothing. */
export class EngineFloats {
  readonly address: number;
  readonly length: number;

  constructor(address: number, length: number) {
    this.address = address;
    this.length = length;
  }

  subarray(first: number, end: number): EngineFloats {
    return new EngineFloats(this.address + 4 * first, Math.min(end, this.length) - first);
  }
}

/**
 * What the glue of a binary makes; its calls are typed by their registration in bindings/embind.
 */
export interface RawModule extends Omit<MainModule, "HEAPU8"> {
  /** All of the memory; another array after the memory has grown. */
  HEAPU8: Uint8Array<ArrayBuffer>;
  /** Where threads share it. The glue does not hear of it when another thread has made it grow. */
  wasmMemory?: WebAssembly.Memory;
  /** Asked by an engine that waits for its threads: a bit for each that has ended. */
  endedWorkers?: () => number;
}

/** Bytes that a list takes in the block; none where it lies in the engine already. */
export const space = (list: Numbers | EngineFloats): number =>
  list instanceof EngineFloats ? 0 : rounded(list.byteLength, listUnit);
/** Bytes that so many numbers of 4 bytes take there. */
export const spaceOfFloats = (count: number): number => rounded(4 * count, listUnit);

/** The block grows in steps of so many bytes. */
const blockUnit = 2 ** 16;
/** Past this the block is given back after the call. */
const mostKeptBytes = 2 ** 25;

/** In the order of src/status.h, from 1 on. */
const codes: readonly ErrorCode[] = [
  "invalid_argument",
  "unknown_option",
  "unknown_scheme",
  "unsupported",
  "out_of_memory",
  "malformed_file",
  "internal",
];

const rounded = (bytes: number, unit: number) => Math.ceil(bytes / unit) * unit;
const listUnit = 64;

const bytesOf = (list: Numbers | EngineFloats) =>
  list instanceof EngineFloats ? 4 * list.length : list.byteLength;

/**
 * The engine's memory, as what it holds. Making a view costs as much as copying a few thousand
 * numbers.
 */
class Memory {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly floats: Float32Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
    this.floats = new Float32Array(bytes.buffer);
  }
}

/** One instance of the engine. */
export class Core {
  readonly #raw: RawModule;
  #memory: Memory;
  /** Set when the instance has trapped: its memory can no longer be trusted. */
  broken: WhereformerError | undefined;

  constructor(raw: RawModule) {
    this.#raw = raw;
    this.#memory = new Memory(raw.HEAPU8);
  }

  /** Views of all of the memory as it is now. */
  #views(): Memory {
    const { HEAPU8: bytes, wasmMemory } = this.#raw;
    const memory = wasmMemory?.buffer ?? bytes.buffer;
    if (this.#memory.bytes.buffer !== memory) this.#memory = new Memory(new Uint8Array(memory));
    return this.#memory;
  }

  /** Where the block lies, its bytes, and where its next list goes. */
  #block = 0;
  #capacity = 0;
  #place = 0;

  /**
   * Makes room for lists of so many bytes, and runs a body that puts them there, calls the engine
   * and takes what it left. Errors: those of the body; out_of_memory.
   */
  run<T>(bytes: number, body: (raw: RawModule) => T): T {
    if (this.broken) throw this.broken;
    try {
      if (bytes > this.#capacity) this.#grow(bytes);
      this.#place = this.#block;
      return body(this.#raw);
    } catch (cause) {
      throw this.#typed(cause);
    } finally {
      if (this.#capacity > mostKeptBytes && !this.broken) this.#giveBack();
    }
  }

  #grow(bytes: number): void {
    const capacity = bytes > mostKeptBytes ? bytes : rounded(bytes, blockUnit);
    const block = this.#raw.reserve(capacity);
    this.#capacity = 0;
    if (!block) throw new WhereformerError("out_of_memory", this.#raw.message());
    this.#block = block;
    this.#capacity = capacity;
  }

  #giveBack(): void {
    this.#raw.release();
    this.#block = 0;
    this.#capacity = 0;
  }

  /** The address of a list: where it lies in the engine, or that of a copy in the block. */
  put(list: Numbers | EngineFloats): number {
    return list instanceof EngineFloats ? list.address : this.copy(list);
  }

  /** The address of a copy in the block, which the call may change. */
  copy(list: Numbers | EngineFloats): number {
    const { bytes, floats } = this.#views();
    const first = this.#next(bytesOf(list));
    // Without a view of its own, where the list is what most lists are.
    if (list instanceof Float32Array) floats.set(list, first / 4);
    else if (list instanceof EngineFloats)
      floats.copyWithin(first / 4, list.address / 4, list.address / 4 + list.length);
    else bytes.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), first);
    return first;
  }

  /** A list as a field of a request. */
  list(list: Numbers): List {
    return { address: this.copy(list), length: list.length };
  }

  /** The address of room for so many numbers of 4 bytes: a result. */
  room(count: number): number {
    return this.#next(4 * count);
  }

  #next(bytes: number): number {
    const first = this.#place;
    this.#place += rounded(bytes, listUnit);
    if (this.#place > this.#block + this.#capacity)
      throw new WhereformerError("internal", "more was put into the block than it was made for");
    return first;
  }

  /** Floats of the engine's memory, in `out`, which is as long, or in an array of their own. */
  take(address: number, count: number, out?: Float32Array): Float32Array {
    const floats = this.#views().floats.subarray(address / 4, address / 4 + count);
    if (!out) return floats.slice();
    out.set(floats);
    return out;
  }

  /** A copy of the array that a call answers with. */
  takeFloats({ address, length }: List): Float32Array {
    return this.take(address, length);
  }
  takeDoubles({ address, length }: List): Float64Array {
    return new Float64Array(this.#views().bytes.buffer, address, length).slice();
  }
  takeIntegers(address: number, length: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#views().bytes.buffer, address, length).slice();
  }
  takeBytes({ address, length }: List): Uint8Array<ArrayBuffer> {
    return this.#views().bytes.slice(address, address + length);
  }

  /** Throws where a call says that it failed. */
  check(code: Code): void {
    if (code) throw new WhereformerError(codes[code - 1]!, this.#raw.message());
  }

  /** What a call made; throws where it made nothing. */
  made<T>(object: T | null): T {
    if (!object) this.check(this.#raw.lastCode());
    return object!;
  }

  /** Frees an object of the engine. */
  free(object: ClassHandle): void {
    if (!this.broken) this.run(0, () => object.delete());
  }

  /** What a body makes of an object, which is freed afterwards. */
  using<Raw extends ClassHandle, T>(object: Raw, body: (object: Raw) => T): T {
    try {
      return body(object);
    } finally {
      this.free(object);
    }
  }

  /** Memory for a result. Errors: out_of_memory. */
  floats(length: number): Float32Array {
    try {
      return new Float32Array(length);
    } catch (cause) {
      throw this.#typed(cause);
    }
  }

  #typed(cause: unknown): WhereformerError {
    if (cause instanceof WhereformerError) return cause;
    if (cause instanceof WebAssembly.RuntimeError) {
      this.broken = new WhereformerError(
        "internal",
        `the engine stopped: ${cause.message}; load it anew`,
        {},
        cause,
      );
      return this.broken;
    }
    // JavaScript's own memory, where a result was to be copied to.
    if (cause instanceof RangeError)
      return new WhereformerError("out_of_memory", `out of memory: ${cause.message}`, {}, cause);
    return new WhereformerError("internal", `the engine failed: ${String(cause)}`, {}, cause);
  }
}
