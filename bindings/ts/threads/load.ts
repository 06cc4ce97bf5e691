/** Loads an engine and starts its threads, or explains why it cannot have any. */

import type { LoadOptions, WasmSource, WorkerSource } from "../types/index.js";
import { boolean, checkOptions, integer } from "../wire/arguments.js";
import { compileBinary } from "../wire/binary.js";
import { checkedDownload } from "../wire/compile.js";
import { typed, WhereformerError } from "../wire/error.js";
import { canRunThreads, maxThreads } from "../wire/features.js";
import { throwIfAborted } from "../wire/signal.js";
import { hasWorkers } from "../wire/start-worker.js";
import { startThreads, startThreadsOrOne, ThreadedEngineInstance } from "./engine.js";
import type { ThreadedEngine } from "./threaded-engine.js";

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
  const engineWith = (count: number) =>
    startThreads(makeEngine, module, count, worker, download.signal);
  return startThreadsOrOne(engineWith, threads, fallback);
}
