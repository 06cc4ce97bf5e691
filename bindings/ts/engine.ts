import { AttentionHandle } from "./attention.js";
import type { Core } from "./core.js";
import { version } from "./generated/version.js";
import { SchemeHandle } from "./schemes.js";
import type { Attention, AttentionOptions, Engine, Scheme, SchemeDescription, SchemeId, SchemeOptions, SchemeShape, Variant } from "./types.js";

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

export class EngineInstance implements Engine {
  readonly variant: Variant;
  readonly version = version;
  readonly schemes: readonly SchemeDescription[];
  readonly #core: Core;

  constructor(core: Core, variant: Variant) {
    this.#core = core;
    this.variant = variant;
    this.schemes = deepFreeze(core.raw.describeSchemes());
  }

  scheme<Id extends SchemeId>(id: Id, options: SchemeShape & SchemeOptions[Id]): Scheme {
    return new SchemeHandle(this.#core, this.schemes, id, options);
  }

  attention(options: AttentionOptions): Attention {
    return new AttentionHandle(this.#core, options);
  }

  memory(): number {
    return this.#core.raw.memoryBytes();
  }
}
