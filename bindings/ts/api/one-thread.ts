/** Makes a single-threaded engine from a compiled binary. */
import type { Engine } from "../types/index.js";
import type { Compiled } from "../wire/compile.js";
import { Core } from "../wire/core.js";
// A static import: a service worker may not use import().
import makeEngine from "../wire/glue.mjs";
import { instantiate } from "../wire/instantiate.js";
import { TrainingPart } from "../wire/training-part.js";
import { EngineInstance } from "./engine.js";

/** Errors: as for `instantiate`. */
export async function coreOf({ module, variant, training }: Compiled): Promise<Core> {
  const part = new TrainingPart(module);
  const core = new Core(await instantiate(makeEngine, module, variant, part), part);
  if (training) await part.add(training);
  return core;
}

/** Errors: as for `instantiate`. */
export const engineOf = async (compiled: Compiled): Promise<Engine> =>
  new EngineInstance(await coreOf(compiled), compiled.variant);
