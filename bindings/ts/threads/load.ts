/** Loads an engine and starts its threads, or explains why it cannot have any. */

import { EngineInstance } from "../api/engine.js";
import type { Engine, LoadOptions, Variant, WasmSource, WorkerSource } from "../types/index.js";
import { boolean, checkOptions, integer } from "../wire/arguments.js";
import { compileBinary } from "../wire/binary.js";
import { checkedDownload } from "../wire/compile.js";
import { Core } from "../wire/core.js";
import { typed, WhereformerError } from "../wire/error.js";
import { canRunThreads } from "../wire/features.js";
import { instantiate } from "../wire/instantiate.js";
import { throwIfAborted } from "../wire/signal.js";
import { hasWorkers } from "../wire/start-worker.js";
import { startPool } from "./pool.js";

/** The core's limit on lanes (src/executor.h). */
const maxThreads = 16;

export interface ThreadsLoadOptions extends Omit<LoadOptions, "variant" | "wasm" | "training"> {
  /**
   * Number of threads, including the calling one: 1 to 16. Default: as many as the machine has, but
   * at most 4.
   */
  threads?: number;
  /**
   * The threads' script, if it is not beside the package: its URL, or a function that returns one
   * or makes a worker whose script is `whereformer/threads-host` or imports it.
   */
  worker?: string | URL | (() => WorkerSource);
  /** The binary for threads. */
  wasm?: WasmSource;
  /**
   * As in the package's own `load`. The binary for threads includes the training part; this is used
   * if there are no threads. Default: true.
   */
  training?: LoadOptions["training"];
  /**
   * If threads are unavailable or do not start: true (default) gives an engine with one, whose
   * `threads` is 1; false throws an error that names the obstacle.
   */
  fallback?: boolean;
}

export interface ThreadedEngine extends Engine {
  /** Maximum threads that work, including the calling one. 1 if threads are unavailable. */
  readonly threads: number;
  /** Ends the other threads; the engine cannot be used any more. Node can exit without it, too. */
  dispose(): void;
  [Symbol.dispose](): void;
}

const disposeKey: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/** Ends the threads of engines that were collected without `dispose`. */
const forgotten = new FinalizationRegistry<() => void>((end) => end());

class ThreadedEngineInstance extends EngineInstance implements ThreadedEngine {
  declare [Symbol.dispose]: () => void;
  readonly threads: number;
  readonly #core: Core;
  readonly #end: () => void;

  constructor(core: Core, variant: Variant, threads: number, end: () => void) {
    super(core, variant);
    this.threads = threads;
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

function threadsOf(threads: unknown): number {
  const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
  if (threads === undefined) return Math.min(navigator?.hardwareConcurrency ?? nodeThreads(), 4);
  return integer("threads", threads, 1, maxThreads);
}

/** Node before 21 has no navigator. */
function nodeThreads(): number {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const os = process?.getBuiltinModule?.("node:os") as
    | { availableParallelism(): number }
    | undefined;
  return os?.availableParallelism() ?? 1;
}

function refuseThreads(): never {
  throw new WhereformerError(
    "unsupported",
    "threads: this engine has no shared memory or no relaxed SIMD; required are Node 22 (20 with " +
      "--experimental-wasm-relaxed-simd), or a page with Cross-Origin-Opener-Policy: " +
      "same-origin and Cross-Origin-Embedder-Policy: require-corp in Chrome 114 or Firefox 145; " +
      "fallback: true runs without threads",
    { argument: "threads" },
  );
}

/**
 * Loads an engine whose long calls (attention, products of matrices, the passes of a model,
 * training) are shared by threads. Each call makes a new engine with its own threads. Results do
 * not depend on the number of threads, to the last bit.
 *
 * Threads sleep while there is no work. The calling thread takes part in the work and waits for the
 * others; on a page's main thread, which must not block, it spins for that time. Load it in a
 * worker to keep the page responsive.
 *
 * If a thread ends while it is idle, another replaces it, and nothing is lost. If one fails during
 * its work, the shared memory may be corrupt: the call fails with `internal`, and so does every
 * further one, until `load` makes a new engine.
 *
 * Errors: those of the package's `load`; `unsupported` with `fallback: false` if threads are
 * unavailable, and `internal` if one does not start (a policy that forbids workers, a missing
 * file).
 */
export async function load(options: ThreadsLoadOptions = {}): Promise<ThreadedEngine> {
  try {
    return await start(options);
  } catch (cause) {
    throw typed(cause);
  }
}

async function start(options: ThreadsLoadOptions): Promise<ThreadedEngine> {
  const names = ["threads", "fallback", "worker", "wasm", "training", "signal", "onProgress"];
  checkOptions("options", options, names);
  const { threads: asked, fallback: given = true, worker, wasm, training, ...rest } = options;
  const fallback = boolean("fallback", given);
  const threads = threadsOf(asked);
  const download = checkedDownload(rest);
  throwIfAborted(download.signal);
  if (!canRunThreads() || !hasWorkers()) {
    if (!fallback) refuseThreads();
    // The caller's `wasm` is a binary for threads.
    const { startCore } = await import("../api/load.js");
    const { core, variant } = await startCore({ ...rest, training: training ?? true });
    return new ThreadedEngineInstance(core, variant, 1, () => {});
  }
  const beside = () => new URL("./threads.wasm", import.meta.url);
  const module = await compileBinary(wasm, beside, download);
  const { default: makeEngine } = await import("../wire/threads.mjs");
  const engineWith = async (count: number) => {
    const raw = await instantiate(makeEngine, module, "threads");
    const core = new Core(raw);
    const end = await startPool(core, raw, module, count, worker, download.signal);
    return new ThreadedEngineInstance(core, "relaxed", count, end);
  };
  try {
    return await engineWith(threads);
  } catch (cause) {
    const isInternal = cause instanceof WhereformerError && cause.code === "internal";
    if (!fallback || !isInternal) throw cause;
    return engineWith(1);
  }
}
