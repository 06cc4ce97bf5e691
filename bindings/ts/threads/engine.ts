/** An engine with threads, which is disposed of with them. */

import { EngineInstance } from "../api/engine.js";
import type { Variant } from "../types/index.js";
import { Core } from "../wire/core.js";
import { WhereformerError } from "../wire/error.js";
import type makeEngine from "../wire/glue.mjs";
import { instantiate } from "../wire/instantiate.js";
import { startPool, type ThreadSource } from "./pool.js";
import type { ThreadedEngine } from "./threaded-engine.js";

const disposeKey: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/** Ends the threads of engines that were collected without `dispose`. */
const forgotten = new FinalizationRegistry<() => void>((end) => end());

export class ThreadedEngineInstance extends EngineInstance implements ThreadedEngine {
  declare [Symbol.dispose]: () => void;
  declare readonly threads: number;
  readonly #core: Core;
  readonly #end: () => void;

  constructor(core: Core, variant: Variant, threads: number, end: () => void) {
    super(core, variant, threads);
    this.#core = core;
    this.#end = end;
    forgotten.register(this, end, this);
  }

  dispose(): void {
    this.#core.broken ??= new WhereformerError("disposed", "the engine was disposed", {
      argument: "engine",
    });
    forgotten.unregister(this);
    this.#end();
  }
}

Object.defineProperty(ThreadedEngineInstance.prototype, disposeKey, {
  value: ThreadedEngineInstance.prototype.dispose,
  configurable: true,
});

/** Starts an engine and its threads. Errors: as for `instantiate` and `startPool`. */
export async function startThreads(
  make: typeof makeEngine,
  module: WebAssembly.Module,
  count: number,
  source: ThreadSource,
  signal?: AbortSignal,
): Promise<ThreadedEngineInstance> {
  const raw = await instantiate(make, module, "threads");
  const core = new Core(raw);
  const end = await startPool(core, raw, module, count, source, signal);
  return new ThreadedEngineInstance(core, "relaxed", count, end);
}

/** Starts an engine with threads, or with one if they do not start and `fallback` allows that. */
export async function startThreadsOrOne(
  start: (count: number) => Promise<ThreadedEngineInstance>,
  count: number,
  fallback: boolean,
): Promise<ThreadedEngineInstance> {
  try {
    return await start(count);
  } catch (cause) {
    const isInternal = cause instanceof WhereformerError && cause.code === "internal";
    if (!fallback || !isInternal) throw cause;
    return start(1);
  }
}
