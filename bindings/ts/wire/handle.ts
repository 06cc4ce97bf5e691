import type { Answer, Core, Item } from "./core.js";
import { WhereformerError } from "./error.js";

/** WebKit has no Symbol.dispose yet; code compiled from `using` falls back to the same key. */
const disposeKey: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/** Frees what nobody disposed of. A safety net: nobody knows when, or whether, it runs. */
const forgotten = new FinalizationRegistry<{ core: Core; address: number }>(({ core, address }) =>
  core.dispose(address),
);

/** An object of the engine's memory, until it is disposed of. */
export abstract class Handle {
  declare [Symbol.dispose]: () => void;
  protected readonly core: Core;
  #address: number;
  readonly #noun: string;

  protected constructor(core: Core, address: number, noun: string) {
    this.core = core;
    this.#address = address;
    this.#noun = noun;
    forgotten.register(this, { core, address }, this);
  }

  /** @internal */
  get address(): number {
    if (!this.#address)
      throw new WhereformerError("disposed", `the ${this.#noun} was disposed of`, {
        argument: this.#noun,
      });
    return this.#address;
  }

  /** @internal */
  belongsTo(core: Core): boolean {
    return this.core === core;
  }

  /** Calls a function for this object. */
  protected call<T>(
    operation: Parameters<Core["call"]>[0],
    items: readonly Item[],
    read: (answer: Answer) => T,
  ): T {
    return this.core.call(operation, this.address, items, read);
  }

  /** Frees its memory now. Calling it again does nothing. */
  dispose(): void {
    const address = this.#address;
    if (!address) return;
    this.#address = 0;
    forgotten.unregister(this);
    this.core.dispose(address);
  }
}

Object.defineProperty(Handle.prototype, disposeKey, {
  configurable: true,
  writable: true,
  value(this: Handle) {
    this.dispose();
  },
});
