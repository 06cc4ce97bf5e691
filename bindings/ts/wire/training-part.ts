/**
 * The part of an engine that only training calls. It is a binary of its own, fetched when it is
 * asked for (scripts/build/training-part.mjs), and works in the memory of the first one.
 */
import { WhereformerError } from "./error.js";
import { isError, isTable } from "./platform.js";

/** Both parts say which engine they are of. */
const engineOf = (binary: WebAssembly.Module): string =>
  WebAssembly.Module.customSections(binary, "engine")
    .map((mark) => new BigUint64Array(mark).join())
    .join();

export class TrainingPart {
  readonly #first: WebAssembly.Module;
  #exports: WebAssembly.Exports | undefined;
  #isThere = false;

  /**
   * What the first binary imports where functions of this part belong: by their places in its
   * table, which they take when they come.
   */
  readonly imports: WebAssembly.Imports = {
    "training.deferred": new Proxy(
      {},
      {
        get:
          (_, place) =>
          (...given: unknown[]) =>
            this.#called(Number(place), given),
      },
    ),
  };

  /** Of the engine whose first binary is this one. */
  constructor(first: WebAssembly.Module) {
    this.#first = first;
  }

  get isThere(): boolean {
    return this.#isThere;
  }

  /** The first binary is instantiated, and these are its exports. */
  belongsTo(exports: WebAssembly.Exports): void {
    this.#exports = exports;
  }

  /** Errors: malformed_file where the two do not belong together, out_of_memory. */
  async add(part: WebAssembly.Module): Promise<void> {
    if (this.#isThere) return;
    try {
      if (engineOf(part) !== engineOf(this.#first))
        throw new TypeError("it is of another engine, or of its other variant");
      await WebAssembly.instantiate(part, {
        inference: this.#exports as WebAssembly.ModuleImports,
      });
    } catch (cause) {
      if (isError(cause, "RangeError"))
        throw new WhereformerError("out_of_memory", `out of memory: ${cause.message}`, {}, cause);
      throw new WhereformerError(
        "malformed_file",
        `training: not the part of this engine that trains (${String(cause)})`,
        {},
        cause,
      );
    }
    this.#isThere = true;
  }

  /** JavaScript keeps the functions that it met when the engine began. */
  #called(place: number, given: unknown[]): unknown {
    // Only a trainer asks for them, and none is made without this part.
    if (!this.#isThere) throw new Error("a function of training was called without it");
    const table = Object.values(this.#exports!).find(isTable)!;
    return (table.get(place) as (...args: unknown[]) => unknown)(...given);
  }
}
