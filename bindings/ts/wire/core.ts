/**
 * One instance of the compiled engine: its memory, its errors, and the block through which arrays
 * cross (bindings/calls/workspace.h). Nothing here is public. The calls themselves are those that
 * bindings/embind registers, typed by generated/module.ts.
 */

import type { ClassHandle, Code, List, MainModule } from "../generated/module.js";
import type { ErrorCode } from "../types/index.js";
import { byteLengthOf, bytesOf, copyOver, isFloats, lengthOf, type Numbers } from "./arrays.js";
import { WhereformerError } from "./error.js";
import { isError, messageOf } from "./platform.js";
import type { TrainingPart } from "./training-part.js";

/** Floats that lie in the engine's memory already: a call is told where, and copies nothing. */
export class EngineFloats {
  readonly #owner: { readonly raw: unknown };
  readonly #address: number;
  readonly length: number;

  constructor(owner: { readonly raw: unknown }, address: number, length: number) {
    this.#owner = owner;
    this.#address = address;
    this.length = length;
  }

  /** Asked for last: reading another argument may have disposed of the owner. Errors: disposed. */
  get address(): number {
    void this.#owner.raw;
    return this.#address;
  }

  part(first: number, end: number): EngineFloats {
    return new EngineFloats(this.#owner, this.#address + 4 * first, end - first);
  }
}

/** How many numbers a list has now. */
export const countOf = (list: Numbers | EngineFloats): number =>
  list instanceof EngineFloats ? list.length : lengthOf(list);

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
  list instanceof EngineFloats ? 0 : rounded(byteLengthOf(list), listUnit);
/** Bytes that so many numbers of 4 bytes take there. */
export const spaceOfFloats = (count: number): number => rounded(4 * count, listUnit);

/** The block grows in steps of so many bytes. */
const blockUnit = 2 ** 16;
/** Past this the block is given back after the call. */
const mostKeptBytes = 2 ** 25;

/** In the order of src/status.h, from 1 on. */
export const errorCodes: readonly ErrorCode[] = [
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

/**
 * JavaScript's stack, which the engine's functions use too, was at its end. They did not put back
 * what they had begun.
 */
const isOverflow = (cause: unknown) => /call stack|recursion/i.test(messageOf(cause));

/** One instance of the engine. */
export class Core {
  readonly #raw: RawModule;
  #memory: Memory;
  /** Set when the instance has trapped: its memory can no longer be trusted. */
  broken: WhereformerError | undefined;

  /** A part of its own where there is one thread; with threads the binary is whole. */
  readonly training: TrainingPart | undefined;

  constructor(raw: RawModule, training?: TrainingPart) {
    this.#raw = raw;
    this.training = training;
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
  #isInUse = false;

  /**
   * Makes room for lists of so many bytes, and runs a body that puts them there, calls the engine
   * and takes what it left. A body runs no code of the caller's, which might call the engine in
   * between: whatever belongs to the caller is read before. Errors: those of the body;
   * out_of_memory.
   */
  run<T>(bytes: number, body: (raw: RawModule) => T): T {
    if (this.broken) throw this.broken;
    if (this.#isInUse)
      throw new WhereformerError("internal", "the engine was called in the middle of a call");
    this.#isInUse = true;
    try {
      if (bytes > this.#capacity) this.#grow(bytes);
      this.#place = this.#block;
      return body(this.#raw);
    } catch (cause) {
      throw this.#typed(cause);
    } finally {
      this.#isInUse = false;
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

  /**
   * The address of a copy, which the call may change: in the block's next place, or where there is
   * room for it already.
   */
  copy(
    list: Numbers | EngineFloats,
    first = this.#next(list instanceof EngineFloats ? 4 * list.length : byteLengthOf(list)),
  ): number {
    const { bytes, floats } = this.#views();
    if (list instanceof EngineFloats) {
      const from = list.address / 4;
      floats.copyWithin(first / 4, from, from + list.length);
    } else if (byteLengthOf(list)) {
      // Nothing is left where the memory was taken away meanwhile: the engine misses its numbers.
      // Without a view of its own, where the list is what most lists are.
      if (isFloats(list)) floats.set(list, first / 4);
      else bytes.set(bytesOf(list), first);
    }
    return first;
  }

  /** A list as a field of a request. */
  list(list: Numbers): List {
    return { address: this.copy(list), length: lengthOf(list) };
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
    copyOver(out, floats);
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
    if (code) throw new WhereformerError(errorCodes[code - 1]!, this.#raw.message());
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
    if (isError(cause, "RuntimeError") || isOverflow(cause)) {
      this.broken = new WhereformerError(
        "internal",
        `the engine stopped: ${messageOf(cause)}; load it anew`,
        {},
        cause,
      );
      return this.broken;
    }
    // JavaScript's own memory, where a result was to be copied to.
    if (isError(cause, "RangeError"))
      return new WhereformerError("out_of_memory", `out of memory: ${cause.message}`, {}, cause);
    return new WhereformerError("internal", `the engine failed: ${String(cause)}`, {}, cause);
  }
}
