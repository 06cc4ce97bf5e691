import type { ClassHandle } from "../generated/module.js";
import type { Core } from "./core.js";
import { keepFromProxies, WhereformerError } from "./error.js";
import { kindKey } from "./platform.js";

/** WebKit has no Symbol.dispose yet; code compiled from `using` falls back to the same key. */
const disposeKey: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/** Frees objects that were collected without `dispose`. A safety net: it may run late or never. */
const forgotten = new FinalizationRegistry<{ core: Core; raw: ClassHandle }>(({ core, raw }) =>
  core.free(raw),
);

/** An object of the engine, usable until it is disposed of. */
export abstract class EngineObject<Raw extends ClassHandle> {
  declare [Symbol.dispose]: () => void;
  readonly #core: Core;
  #raw: Raw | undefined;
  readonly #noun: string;

  protected constructor(core: Core, raw: Raw, noun: string) {
    this.#core = core;
    this.#raw = raw;
    this.#noun = noun;
    forgotten.register(this, { core, raw }, this);
  }

  /** @internal */
  get [kindKey](): string {
    return this.#noun;
  }

  protected get core(): Core {
    return this.#core;
  }

  /** @internal Errors: disposed. */
  get raw(): Raw {
    if (!this.#raw)
      throw new WhereformerError("disposed", `the ${this.#noun} was disposed`, {
        argument: this.#noun,
      });
    return this.#raw;
  }

  /** @internal False for objects that only inherit from an engine's object. */
  belongsTo(core: Core): boolean {
    return #raw in this && this.core === core;
  }

  /** Frees its memory now. Calling it again does nothing. */
  dispose(): void {
    const raw = this.#raw;
    if (!raw) return;
    this.#raw = undefined;
    forgotten.unregister(this);
    this.core.free(raw);
  }
}

keepFromProxies(EngineObject);
Object.defineProperty(EngineObject.prototype, disposeKey, {
  configurable: true,
  writable: true,
  value(this: EngineObject<ClassHandle>) {
    this.dispose();
  },
});
