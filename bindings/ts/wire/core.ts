/**
 * The compiled engine as Embind shows it, and the one way to call it. Nothing here is public.
 *
 * A function takes the address of an object, 0 where it needs none, and returns an error's number, 0
 * where all went well. What else it takes and gives lies in two blocks of the engine's memory, as
 * bindings/embind/call.h says: numbers, and lists that are copied in and out.
 */

import type { ErrorCode } from "../types/index.js";
import { WhereformerError } from "./error.js";

/** What a call takes, in the order in which its C++ function reads it. */
export type Item = number | boolean | List | EngineFloats;
type List = Float32Array | Float64Array | Int32Array | Uint8Array;

/** Floats that lie in the engine's memory already: a call is told where, and copies nothing. */
export class EngineFloats {
  readonly address: number;
  readonly length: number;

  constructor(address: number, length: number) {
    this.address = address;
    this.length = length;
  }

  subarray(first: number, end: number): EngineFloats {
    return new EngineFloats(this.address + 4 * first, end - first);
  }
}

type Operation =
  | "memoryBytes"
  | "dispose"
  | "startThreads"
  | "useThreads"
  | "describeSchemes"
  | "taskIds"
  | "positionsWithPictures"
  | "matmul"
  | "makeMatrix"
  | "makeTensor"
  | "softmax"
  | "layerNorm"
  | "makeScheme"
  | "schemeOptions"
  | "initialise"
  | "parameters"
  | "setParameter"
  | "rotate"
  | "embeddings"
  | "bias"
  | "cost"
  | "frequencies"
  | "makeAttention"
  | "runAttention"
  | "makeCache"
  | "decode"
  | "cacheSizes"
  | "truncateCache"
  | "copyCache"
  | "makeModel"
  | "graftModel"
  | "load"
  | "save"
  | "modelFacts"
  | "runModel"
  | "loss"
  | "makeGeneration"
  | "next"
  | "makeTrainer"
  | "trainerFacts"
  | "step"
  | "evaluate"
  | "copyModel"
  | "saveTrainer"
  | "restoreTrainer";

export interface RawModule extends Record<Operation, (object: number) => number> {
  /** All of the memory; another array after the memory has grown. */
  HEAPU8: Uint8Array<ArrayBuffer>;
  /** Where threads share it. The glue does not hear of it when another thread has made it grow. */
  wasmMemory?: WebAssembly.Memory;
  /** Addresses; 0 where memory is refused. */
  argumentBlock(bytes: number): number;
  answerBlock(): number;
  forgetAnswer(): void;
}

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

/** Where a list begins when its length stands at `place`. What follows it begins at the next multiple of 8. */
const listAfter = (place: number) => rounded(place + 8, listUnit);

const bytesOf = (list: List | EngineFloats) =>
  list instanceof EngineFloats ? 4 * list.length : list.byteLength;

type ListType<T> = (new (
  memory: ArrayBuffer,
  first: number,
  length: number,
) => T) & {
  BYTES_PER_ELEMENT: number;
};

/** The engine's memory, as what it holds. Making a view costs as much as copying a few thousand numbers. */
class Memory {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly floats: Float32Array<ArrayBuffer>;
  readonly doubles: Float64Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
    this.floats = new Float32Array(bytes.buffer);
    this.doubles = new Float64Array(bytes.buffer);
  }
}

/** What a call gives, read piece by piece in the order in which its C++ function adds it. */
export class Answer {
  readonly #memory: Memory;
  readonly #block: number;
  #place = 0;

  constructor(memory: Memory, block: number) {
    this.#memory = memory;
    this.#block = block;
  }

  number(): number {
    const number = this.#memory.doubles[(this.#block + this.#place) / 8]!;
    this.#place += 8;
    return number;
  }

  /** An integer, and then what `item` reads so many times. */
  list<T>(item: (index: number) => T): T[] {
    return Array.from({ length: this.number() }, (_, i) => item(i));
  }

  /** Copied into `out`, which is as long, or into an array of its own. */
  floats(out?: Float32Array): Float32Array {
    if (!out) return this.#copy(Float32Array);
    out.set(this.#list(Float32Array));
    return out;
  }
  doubles(): Float64Array<ArrayBuffer> {
    return this.#copy(Float64Array);
  }
  integers(): Int32Array<ArrayBuffer> {
    return this.#copy(Int32Array);
  }
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#copy(Uint8Array);
  }
  text = (): string => new TextDecoder().decode(this.bytes());

  #copy<T extends List>(Type: ListType<T>): T {
    return this.#list(Type).slice() as T;
  }

  #list<T extends List>(Type: ListType<T>): T {
    const first = listAfter(this.#place);
    const length = this.number();
    this.#place = rounded(first + length * Type.BYTES_PER_ELEMENT, 8);
    return new Type(this.#memory.bytes.buffer, this.#block + first, length);
  }
}

/** One instance of the engine. */
export class Core {
  readonly #raw: RawModule;
  #memory: Memory;
  /** Where the last list of the arguments lies. */
  #lastList = 0;
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

  /** Calls a function and reads its answer. Errors: those of the function. */
  call<T>(
    operation: Operation,
    object: number,
    items: readonly Item[],
    read: (answer: Answer) => T,
    changed?: Item,
  ): T {
    if (this.broken) throw this.broken;
    const raw = this.#raw;
    try {
      this.#write(items, changed);
      const code = raw[operation](object);
      const block = raw.answerBlock();
      if (code) throw new WhereformerError(codes[code - 1]!, this.#message(block));
      return read(new Answer(this.#views(), block));
    } catch (cause) {
      throw this.#typed(cause);
    } finally {
      if (!this.broken) raw.forgetAnswer();
    }
  }

  /** Calls a function that changes its last list where it lies, and copies what it left there to `out`. */
  change(operation: Operation, object: number, items: readonly Item[], out: Float32Array): void {
    const take = () => this.#copyOut(this.#lastList, out);
    this.call(operation, object, items, take, items.at(-1));
  }

  read({ address }: EngineFloats, out: Float32Array): void {
    if (this.broken) throw this.broken;
    this.#copyOut(address, out);
  }

  #copyOut(address: number, out: Float32Array): void {
    out.set(this.#views().floats.subarray(address / 4, address / 4 + out.length));
  }

  /** Memory for a result. Errors: out_of_memory. */
  floats(length: number): Float32Array {
    try {
      return new Float32Array(length);
    } catch (cause) {
      throw this.#typed(cause);
    }
  }

  /** The address of what a function makes. */
  make(operation: Operation, object: number, items: readonly Item[]): number {
    return this.call(operation, object, items, (answer) => answer.number());
  }

  dispose(object: number): void {
    if (!this.broken) this.call("dispose", object, [], () => {});
  }

  /** The item that is changed where it lies has a copy in the block, wherever it is from. */
  #write(items: readonly Item[], changed?: Item): void {
    const stays = (item: Item) => item instanceof EngineFloats && item !== changed;
    let bytes = 0;
    for (const item of items) {
      if (typeof item !== "object") bytes += 8;
      else if (stays(item)) bytes += 16;
      else bytes = rounded(listAfter(bytes) + bytesOf(item), 8);
    }
    if (bytes === 0) return;
    const block = this.#raw.argumentBlock(bytes);
    if (!block)
      throw new WhereformerError("out_of_memory", `out of memory: ${bytes} bytes asked for`);
    const { bytes: heap, floats, doubles } = this.#views();
    let place = block;
    for (const item of items) {
      if (typeof item !== "object") {
        doubles[place / 8] = Number(item);
        place += 8;
        continue;
      }
      if (stays(item)) {
        doubles[place / 8] = -item.length;
        doubles[place / 8 + 1] = (item as EngineFloats).address;
        place += 16;
        continue;
      }
      doubles[place / 8] = item.length;
      const first = listAfter(place);
      // Without a view of its own, where the list is what most lists are.
      if (item instanceof Float32Array) floats.set(item, first / 4);
      else if (item instanceof EngineFloats)
        floats.copyWithin(first / 4, item.address / 4, item.address / 4 + item.length);
      else heap.set(new Uint8Array(item.buffer, item.byteOffset, item.byteLength), first);
      this.#lastList = first;
      place = rounded(first + bytesOf(item), 8);
    }
  }

  #message(first: number): string {
    const heap = this.#views().bytes;
    return new TextDecoder().decode(heap.slice(first, heap.indexOf(0, first)));
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
