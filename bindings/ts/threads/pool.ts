/** Starts the workers of an engine with threads, and ends them. */
import type { WorkerLike, WorkerSource } from "../types/index.js";
import type { Core, RawModule } from "../wire/core.js";
import { WhereformerError } from "../wire/error.js";
import { aborted, throwIfAborted } from "../wire/signal.js";
import { type NodeWorker, startWorker } from "../wire/start-worker.js";
import type { WorkerNews, WorkerStart } from "./protocol.js";

/** The URL of the threads' script, or a function that makes a worker which runs it. */
export type ThreadSource = string | URL | (() => WorkerSource) | undefined;

/** Bundlers recognise this literal and put the script beside their output. */
const beside = () => new URL("./threads-host.js", import.meta.url);

/** For Node's workers: how long one has been idle; negative once its event loop has ended. */
const idleTime = (worker: WorkerLike | undefined): number =>
  (worker as Partial<NodeWorker> | undefined)?.performance?.eventLoopUtilization().idle ?? 0;

/**
 * One thread of the pool. If its worker ends while idle, another replaces it on the same memory;
 * until that is ready the engine has one thread fewer. A worker that fails first notifies the
 * engine, which then stops.
 */
class PoolThread {
  readonly #core: Core;
  readonly #start: WorkerStart;
  readonly #source: ThreadSource;
  #worker: WorkerLike | undefined;
  #isEnded = false;

  constructor(core: Core, start: WorkerStart, source: ThreadSource) {
    this.#core = core;
    this.#start = start;
    this.#source = source;
  }

  /** Whether its worker has ended: polled, since a blocked thread receives no event. */
  get hasEnded(): boolean {
    return idleTime(this.#worker) < 0;
  }

  /** Starts its worker; resolves when the worker waits for work. */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      let isReady = false;
      const failed = (reason: unknown) => {
        if (isReady) return this.#replace(worker);
        if ((reason as WhereformerError).code === "invalid_argument") return reject(reason);
        const { message = String(reason) } = reason as { message?: string };
        const text = `a thread did not start: ${message}`;
        reject(new WhereformerError("internal", text, {}, reason));
      };
      let worker: WorkerLike | undefined;
      try {
        worker = startWorker<WorkerNews>(beside, this.#source, {
          message: (news) => {
            if (news !== "ready") {
              if (isReady) return this.end();
              return failed(news.failed);
            }
            isReady = true;
            this.#release();
            resolve();
          },
          error: failed,
        });
        this.#worker = worker;
        worker.postMessage(this.#start);
      } catch (cause) {
        failed(cause);
      }
    });
  }

  /** After its worker has started: Node may exit while it runs. */
  #release(): void {
    (this.#worker as Partial<NodeWorker>).unref?.();
    // Node updates this state at the end of a worker only if it was read before.
    idleTime(this.#worker);
  }

  /** A worker may report its end more than once. */
  #replace(ended: WorkerLike | undefined): void {
    if (this.#isEnded || ended !== this.#worker) return;
    void ended?.terminate();
    // A replacement could do nothing in memory that may be corrupt.
    if (this.#core.broken) return;
    // If no replacement starts, the engine continues with one thread fewer.
    this.ready().catch(() => {});
  }

  end(): void {
    this.#isEnded = true;
    void this.#worker?.terminate();
  }
}

/** A page's main thread must not block; Node's and a worker's may. */
function maySleep(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts so many threads, including the calling one, for an engine; returns a function that ends
 * the others. Errors: internal if a worker does not start, out_of_memory, aborted.
 */
export async function startPool(
  core: Core,
  raw: RawModule,
  module: WebAssembly.Module,
  threads: number,
  source: ThreadSource,
  signal: AbortSignal | undefined,
): Promise<() => void> {
  const starts = core.run(0, (engine) => {
    core.check(engine.startThreads(threads - 1, maySleep()));
    const shared = { module, memory: raw.wasmMemory!, ...engine.threadFunctions() };
    return Array.from(
      { length: threads - 1 },
      (_, worker): WorkerStart => ({
        ...shared,
        worker,
        ...engine.threadMemory(worker),
      }),
    );
  });
  const pool = starts.map((start) => new PoolThread(core, start, source));
  raw.endedWorkers = () =>
    pool.reduce((bits, { hasEnded }, worker) => bits | (Number(hasEnded) << worker), 0);
  const end = () => {
    for (const thread of pool) thread.end();
  };
  try {
    const stopped = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(aborted(signal)), { once: true });
    });
    await Promise.race([Promise.all(pool.map((thread) => thread.ready())), stopped]);
    throwIfAborted(signal);
    core.run(0, (engine) => engine.useThreads());
  } catch (error) {
    end();
    throw error;
  }
  return end;
}
