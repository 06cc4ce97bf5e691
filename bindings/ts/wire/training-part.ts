/**
 * The part of an engine that only training calls: a separate binary, fetched on request
 * (scripts/build/training-part.mjs), which works in the memory of the first one.
 */
import { WhereformerError } from "./error.js";
import { isError, isTable } from "./platform.js";

/** Identifies the engine that a binary belongs to. */
const engineOf = (binary: WebAssembly.Module): string =>
  WebAssembly.Module.customSections(binary, "engine")
    .map((mark) => new BigUint64Array(mark).join())
    .join();

export class TrainingPart {
  readonly #first: WebAssembly.Module;
  #exports: WebAssembly.Exports | undefined;
  #isThere = false;

  /**
   * Imports of the first binary in place of this part's functions: they call the functions by their
   * index in its table, which is filled when the part is added.
   */
  readonly imports: WebAssembly.Imports = {
    "training.deferred": new Proxy(
      {},
      {
        get:
          (_, index) =>
          (...given: unknown[]) =>
            this.#called(Number(index), given),
      },
    ),
  };

  /** `first` is the engine's first binary. */
  constructor(first: WebAssembly.Module) {
    this.#first = first;
  }

  get isThere(): boolean {
    return this.#isThere;
  }

  /** Called with the exports of the first binary after it is instantiated. */
  belongsTo(exports: WebAssembly.Exports): void {
    this.#exports = exports;
  }

  /** Errors: malformed_file if the two binaries are of different builds, out_of_memory. */
  async add(part: WebAssembly.Module): Promise<void> {
    if (this.#isThere) return;
    try {
      if (engineOf(part) !== engineOf(this.#first))
        throw new TypeError("it belongs to another engine, or to its other variant");
      await WebAssembly.instantiate(part, {
        inference: this.#exports as WebAssembly.ModuleImports,
      });
    } catch (cause) {
      if (isError(cause, "RangeError"))
        throw new WhereformerError("out_of_memory", `out of memory: ${cause.message}`, {}, cause);
      throw new WhereformerError(
        "malformed_file",
        `training: not the training part of this engine (${String(cause)})`,
        {},
        cause,
      );
    }
    this.#isThere = true;
  }

  /** Indirect: JavaScript keeps the imports of the first instantiation. */
  #called(index: number, given: unknown[]): unknown {
    // Only a trainer calls these functions, and it cannot be made without this part.
    if (!this.#isThere) throw new Error("a function of training was called without it");
    const table = Object.values(this.#exports!).find(isTable)!;
    return (table.get(index) as (...args: unknown[]) => unknown)(...given);
  }
}
