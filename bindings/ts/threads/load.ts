/** Loads an engine and gives it threads, or says why it cannot have any. */

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

/** As many as the core has working memory for (src/executor.h). */
const mostThreads = 16;

export interface ThreadsLoadOptions extends Omit<LoadOptions, "variant" | "wasm" | "training"> {
  /**
   * How many, the calling one among them: 1 to 16. Default: as many as the machine has, but at most
   * 4.
   */
  threads?: number;
  /**
   * The threads' script, where it does not lie beside the package: its URL, or a function that
   * gives one or makes a worker whose script is `whereformer/threads-host` or imports it.
   */
  worker?: string | URL | (() => WorkerSource);
  /** Of the binary for threads. */
  wasm?: WasmSource;
  /**
   * As in the package's own `load`. The binary for threads is whole; it is asked for where there
   * are none. Default: true.
   */
  training?: LoadOptions["training"];
  /**
   * Where threads cannot be had, or do not start: true (default) gives an engine with one,
   * `threads` says 1; false throws, and says what is missing.
   */
  fallback?: boolean;
}

export interface ThreadedEngine extends Engine {
  /**
   * How many threads work at most, the calling one among them. 1 where threads could not be had.
   */
  readonly threads: number;
  /** Ends the other threads; the engine cannot be used any more. Node ends without it, too. */
  dispose(): void;
  [Symbol.dispose](): void;
}

const disposeKey: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/** Ends the threads of engines that nobody disposed of. */
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
    this.#core.broken ??= new WhereformerError("disposed", "the engine was disposed of", {
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
  return integer("threads", threads, 1, mostThreads);
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
    "threads: this engine has no shared memory or no relaxed SIMD; needed are Node 22 (20 with " +
      "--experimental-wasm-relaxed-simd), or a page with Cross-Origin-Opener-Policy: " +
      "same-origin and Cross-Origin-Embedder-Policy: require-corp in Chrome 114 or Firefox 145; " +
      "allowed is fallback: true",
    { argument: "threads" },
  );
}

/**
 * Loads an engine whose large works (attention, products of matrices, the passes of a model,
 * training) are shared by threads. Each call makes a new one, with threads of its own. What it
 * computes does not depend on their number, to the last bit.
 *
 * Threads sleep while there is nothing to do. The calling thread takes part in the work and waits
 * for the others; in a page's main thread, which may not wait, it goes round in a loop for that
 * time. Load it in a worker and the page stays awake.
 *
 * A thread may end while it has nothing to do: another takes its place, and nothing is lost. One
 * that fails at its work may have left anything in the memory that all share: the call is refused
 * as `internal`, and so is every further one, until `load` gives a new engine.
 *
 * Errors: those of the package's `load`; `unsupported` with `fallback: false` where threads cannot
 * be had, and `internal` where one does not start (a policy that forbids workers, a missing file).
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
    // The binary that was handed in is one for threads.
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
    const isOwn = cause instanceof WhereformerError && cause.code === "internal";
    if (!fallback || !isOwn) throw cause;
    return engineWith(1);
  }
}
