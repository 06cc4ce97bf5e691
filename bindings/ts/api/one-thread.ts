/** An engine out of a compiled binary for one thread. */
import type { Engine, Variant } from "../types/index.js";
import { Core } from "../wire/core.js";
// With the scripts that need it, and not by import(): a service worker may not do that.
import makeEngine from "../wire/glue.mjs";
import { instantiate } from "../wire/instantiate.js";
import { EngineInstance } from "./engine.js";

/** Errors: as `instantiate`. */
export const coreOf = async (module: WebAssembly.Module, variant: Variant): Promise<Core> =>
  new Core(await instantiate(makeEngine, module, variant));

/** Errors: as `instantiate`. */
export const engineOf = async (module: WebAssembly.Module, variant: Variant): Promise<Engine> =>
  new EngineInstance(await coreOf(module, variant), variant);
