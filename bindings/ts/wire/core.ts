/**
 * One instance of the compiled engine: its memory, its errors, and the block through which arrays
 * are passed (bindings/calls/workspace.h). Nothing here is public. The calls themselves are
 * registered in bindings/embind and typed by generated/module.ts.
 */

import { errorCodes } from "../generated/fields.js";
import type { ClassHandle, Code, List, MainModule } from "../generated/module.js";
import { byteLengthOf, bytesOf, copyOver, isFloats, lengthOf, type Numbers } from "./arrays.js";
import { engineError, WhereformerError } from "./error.js";
import { isError, messageOf } from "./platform.js";
import type { TrainingPart } from "./training-part.js";

/** Floats that are already in the engine's memory: a call takes their address without a copy. */
export class EngineFloats {
  readonly #owner: { readonly raw: unknown };
  readonly #address: number;
  readonly length: number;

  constructor(owner: { readonly raw: unknown }, address: number, length: number) {
    this.#owner = owner;
    this.#address = address;
    this.length = length;
  }

  /** Read last: reading another argument may have disposed of the owner. Errors: disposed. */
  get address(): number {
    void this.#owner.raw;
    return this.#address;
  }

  part(first: number, end: number): EngineFloats {
    return new EngineFloats(this.#owner, this.#address + 4 * first, end - first);
  }
}

/** The current length of a list. */
export const countOf = (list: Numbers | EngineFloats): number =>
  list instanceof EngineFloats ? list.length : lengthOf(list);

/**
 * The module that a binary's glue makes; its calls are typed by their registration in
 * bindings/embind.
 */
export interface RawModule extends Omit<MainModule, "HEAPU8"> {
  /** A view of the whole memory; replaced after the memory grows. */
  HEAPU8: Uint8Array<ArrayBuffer>;
  /** Shared memory, with threads. The glue is not notified if another thread grows it. */
  wasmMemory?: WebAssembly.Memory;
  /** Called by an engine that waits for its threads: returns a bit for each that has ended. */
  endedWorkers?: () => number;
}

/** Bytes that a list needs in the block; 0 if it is already in the engine's memory. */
export const space = (list: Numbers | EngineFloats): number =>
  list instanceof EngineFloats ? 0 : rounded(byteLengthOf(list), listUnit);
/** Bytes that `count` numbers of 4 bytes need there. */
export const spaceOfFloats = (count: number): number => rounded(4 * count, listUnit);

/** Step, in bytes, in which the block grows. */
const blockUnit = 2 ** 16;
/** A larger block is freed after the call. */
const maxKeptBytes = 2 ** 25;

const rounded = (bytes: number, unit: number) => Math.ceil(bytes / unit) * unit;
const listUnit = 64;

/**
 * The engine's memory and its views, kept because making a view costs as much as copying a few
 * thousand numbers.
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
 * JavaScript's stack, which the engine's functions use too, overflowed. They were interrupted and
 * left their work unfinished.
 */
const isOverflow = (cause: unknown) => /call stack|recursion/i.test(messageOf(cause));

/** One instance of the engine. */
export class Core {
  readonly #raw: RawModule;
  #memory: Memory;
  /** Set if the instance has trapped: its memory may be corrupt. */
  broken: WhereformerError | undefined;

  /** The training part, separate without threads; the binary with threads includes it. */
  readonly training: TrainingPart | undefined;

  constructor(raw: RawModule, training?: TrainingPart) {
    this.#raw = raw;
    this.training = training;
    this.#memory = new Memory(raw.HEAPU8);
  }

  /** Views of the whole memory at its current size. */
  #views(): Memory {
    const { HEAPU8: bytes, wasmMemory } = this.#raw;
    const memory = wasmMemory?.buffer ?? bytes.buffer;
    if (this.#memory.bytes.buffer !== memory) this.#memory = new Memory(new Uint8Array(memory));
    return this.#memory;
  }

  /** Address and size of the block, and offset of its next list. */
  #block = 0;
  #capacity = 0;
  #offset = 0;
  #isInUse = false;

  /**
   * Reserves space for lists in the block, and runs a body that writes them, calls the engine and
   * copies its results. A body must run no code of the caller's, which might call the engine in
   * between: read all of the caller's objects before. Errors: those of the body; out_of_memory.
   */
  run<T>(bytes: number, body: (raw: RawModule) => T): T {
    if (this.broken) throw this.broken;
    if (this.#isInUse)
      throw new WhereformerError("internal", "the engine was called in the middle of a call");
    this.#isInUse = true;
    try {
      if (bytes > this.#capacity) this.#grow(bytes);
      this.#offset = this.#block;
      return body(this.#raw);
    } catch (cause) {
      throw this.#typed(cause);
    } finally {
      this.#isInUse = false;
      if (this.#capacity > maxKeptBytes && !this.broken) this.#giveBack();
    }
  }

  #grow(bytes: number): void {
    const capacity = bytes > maxKeptBytes ? bytes : rounded(bytes, blockUnit);
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

  /** Returns the address of a list: its own in the engine, or that of a copy in the block. */
  put(list: Numbers | EngineFloats): number {
    return list instanceof EngineFloats ? list.address : this.copy(list);
  }

  /**
   * Copies a list, so that the call may change it, and returns the address: the block's next free
   * one, or a given one.
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
      // A detached buffer copies nothing; the engine then reports the missing data. Most lists are
      // plain floats, and need no further view.
      if (isFloats(list)) floats.set(list, first / 4);
      else bytes.set(bytesOf(list), first);
    }
    return first;
  }

  /** Writes a list to the block, for a field of a request. */
  list(list: Numbers): List {
    return { address: this.copy(list), length: lengthOf(list) };
  }

  /** Reserves space for `count` numbers of 4 bytes, for a result, and returns its address. */
  room(count: number): number {
    return this.#next(4 * count);
  }

  #next(bytes: number): number {
    const first = this.#offset;
    this.#offset += rounded(bytes, listUnit);
    if (this.#offset > this.#block + this.#capacity)
      throw new WhereformerError("internal", "more was put into the block than it was made for");
    return first;
  }

  /** Copies floats out of the engine's memory, to `out` (of the same length) or a new array. */
  take(address: number, count: number, out?: Float32Array): Float32Array {
    const floats = this.#views().floats.subarray(address / 4, address / 4 + count);
    if (!out) return floats.slice();
    copyOver(out, floats);
    return out;
  }

  /** Copies the array that a call returned. */
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

  /** Throws if a call returned an error code. */
  check(code: Code): void {
    if (code.value) throw engineError(errorCodes[code.value], this.#raw.message());
  }

  /** Returns the object that a call made; throws if it made none. */
  made<T>(object: T | null): T {
    if (!object) this.check(this.#raw.lastCode());
    return object!;
  }

  /** Frees an object of the engine. */
  free(object: ClassHandle): void {
    if (!this.broken) this.run(0, () => object.delete());
  }

  /** Returns body's result for an object, which is freed afterwards. */
  using<Raw extends ClassHandle, T>(object: Raw, body: (object: Raw) => T): T {
    try {
      return body(object);
    } finally {
      this.free(object);
    }
  }

  /** Allocates memory for a result. Errors: out_of_memory. */
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
        `the engine stopped: ${messageOf(cause)}; load it again`,
        {},
        cause,
      );
      return this.broken;
    }
    // JavaScript has no memory left for a result.
    if (isError(cause, "RangeError"))
      return new WhereformerError("out_of_memory", `out of memory: ${cause.message}`, {}, cause);
    return new WhereformerError("internal", `the engine failed: ${String(cause)}`, {}, cause);
  }
}
