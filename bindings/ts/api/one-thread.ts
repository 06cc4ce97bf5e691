/** An engine out of a compiled binary for one thread. */
import type { Engine } from "../types/index.js";
import type { Compiled } from "../wire/compile.js";
import { Core } from "../wire/core.js";
// With the scripts that need it, and not by import(): a service worker may not do that.
import makeEngine from "../wire/glue.mjs";
import { instantiate } from "../wire/instantiate.js";
import { TrainingPart } from "../wire/training-part.js";
import { EngineInstance } from "./engine.js";

/** Errors: as `instantiate`. */
export async function coreOf({ module, variant, training }: Compiled): Promise<Core> {
  const part = new TrainingPart(module);
  const core = new Core(await instantiate(makeEngine, module, variant, part), part);
  if (training) await part.add(training);
  return core;
}

/** Errors: as `instantiate`. */
export const engineOf = async (compiled: Compiled): Promise<Engine> =>
  new EngineInstance(await coreOf(compiled), compiled.variant);
