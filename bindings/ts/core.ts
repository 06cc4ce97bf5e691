/**
 * The compiled engine as Embind shows it, and the one way to call it. Nothing here is public.
 *
 * A function takes the address of an object, 0 where it needs none, and returns an error's number, 0
 * where all went well. What else it takes and gives lies in two blocks of the engine's memory, as
 * bindings/embind/call.h says: numbers, and lists that are copied in and out.
 */
import { WhereformerError } from "./error.js";
import type { ErrorCode } from "./types.js";

/** What a call takes, in the order in which its C++ function reads it. */
export type Item = number | boolean | Float32Array | Float64Array | Int32Array | Uint8Array;

type Operation =
  | "memoryBytes"
  | "dispose"
  | "describeSchemes"
  | "taskIds"
  | "positionsWithPictures"
  | "matmul"
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
  | "load"
  | "save"
  | "modelFacts"
  | "runModel"
  | "loss"
  | "makeGeneration"
  | "next"
  | "makeTrainer"
  | "stepsDone"
  | "step"
  | "evaluate"
  | "copyModel";

export interface RawModule extends Record<Operation, (object: number) => number> {
  /** All of the memory; another array after the memory has grown. */
  HEAPU8: Uint8Array<ArrayBuffer>;
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

/** Where a list begins and where what follows it does, when its length stands at `place`. */
function listAt(place: number, byteLength: number): { first: number; next: number } {
  const first = rounded(place + 8, listUnit);
  return { first, next: rounded(first + byteLength, 8) };
}

/** What a call gives, read piece by piece in the order in which its C++ function adds it. */
export class Answer {
  readonly #memory: Float64Array<ArrayBuffer>;
  readonly #block: number;
  #place = 0;

  constructor(memory: ArrayBuffer, block: number) {
    this.#memory = new Float64Array(memory);
    this.#block = block;
  }

  number(): number {
    const number = this.#memory[(this.#block + this.#place) / 8]!;
    this.#place += 8;
    return number;
  }

  /** An integer, and then what `item` reads so many times. */
  list<T>(item: (index: number) => T): T[] {
    return Array.from({ length: this.number() }, (_, i) => item(i));
  }

  floats = (): Float32Array<ArrayBuffer> => this.#copy(Float32Array);
  doubles = (): Float64Array<ArrayBuffer> => this.#copy(Float64Array);
  integers = (): Int32Array<ArrayBuffer> => this.#copy(Int32Array);
  bytes = (): Uint8Array<ArrayBuffer> => this.#copy(Uint8Array);
  text = (): string => new TextDecoder().decode(this.bytes());

  #copy<T extends Item & object>(
    Type: (new (
      memory: ArrayBuffer,
      first: number,
      length: number,
    ) => T) & {
      BYTES_PER_ELEMENT: number;
    },
  ): T {
    const place = this.#place;
    const length = this.number();
    const { first, next } = listAt(place, length * Type.BYTES_PER_ELEMENT);
    this.#place = next;
    return new Type(this.#memory.buffer, this.#block + first, length).slice() as T;
  }
}

/** One instance of the engine. */
export class Core {
  readonly #raw: RawModule;
  /** Set when the instance has trapped: its memory can no longer be trusted. */
  broken: WhereformerError | undefined;

  constructor(raw: RawModule) {
    this.#raw = raw;
  }

  /** Calls a function and reads its answer. Errors: those of the function. */
  call<T>(
    operation: Operation,
    object: number,
    items: readonly Item[],
    read: (answer: Answer) => T,
  ): T {
    if (this.broken) throw this.broken;
    const raw = this.#raw;
    try {
      this.#write(items);
      const code = raw[operation](object);
      const block = raw.answerBlock();
      if (code) throw new WhereformerError(codes[code - 1]!, this.#message(block));
      return read(new Answer(raw.HEAPU8.buffer, block));
    } catch (cause) {
      throw this.#typed(cause);
    } finally {
      if (!this.broken) raw.forgetAnswer();
    }
  }

  /** The address of what a function makes. */
  make(operation: Operation, object: number, items: readonly Item[]): number {
    return this.call(operation, object, items, (answer) => answer.number());
  }

  dispose(object: number): void {
    if (!this.broken) this.call("dispose", object, [], () => {});
  }

  #write(items: readonly Item[]): void {
    let bytes = 0;
    for (const item of items)
      bytes = typeof item === "object" ? listAt(bytes, item.byteLength).next : bytes + 8;
    if (bytes === 0) return;
    const block = this.#raw.argumentBlock(bytes);
    if (!block)
      throw new WhereformerError("out_of_memory", `out of memory: ${bytes} bytes asked for`);
    const heap = this.#raw.HEAPU8;
    const view = new DataView(heap.buffer, block);
    let place = 0;
    for (const item of items) {
      if (typeof item !== "object") {
        view.setFloat64(place, Number(item), true);
        place += 8;
        continue;
      }
      view.setFloat64(place, item.length, true);
      const { first, next } = listAt(place, item.byteLength);
      heap.set(new Uint8Array(item.buffer, item.byteOffset, item.byteLength), block + first);
      place = next;
    }
  }

  #message(first: number): string {
    const heap = this.#raw.HEAPU8;
    return new TextDecoder().decode(heap.subarray(first, heap.indexOf(0, first)));
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
