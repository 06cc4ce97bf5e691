/** Starts the workers of an engine with threads, and ends them. */
import type { Core, RawModule } from "../wire/core.js";
import { WhereformerError } from "../wire/error.js";
import { aborted, throwIfAborted } from "../wire/signal.js";
import type { WorkerNews, WorkerStart } from "./protocol.js";

interface PoolWorker {
  start(message: WorkerStart): void;
  /** It has begun, and no longer keeps Node running. */
  release(): void;
  /** Whether it has ended, which nobody else tells a thread that waits. */
  hasEnded(): boolean;
  terminate(): void;
}

interface Listener {
  news(news: WorkerNews): void;
  error(reason: string): void;
}

interface NodeWorker {
  postMessage(message: WorkerStart): void;
  on(event: "message", listener: (news: WorkerNews) => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "exit", listener: (code: number) => void): void;
  terminate(): unknown;
  unref(): void;
  performance?: { eventLoopUtilization(): { idle: number } };
}

/** In Node, where there is no Worker. The address is put together so that no bundler follows it. */
function nodeWorker(listener: Listener): PoolWorker | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const threads = process?.getBuiltinModule?.("node:worker_threads") as
    | { Worker: new (url: URL, options: object) => NodeWorker }
    | undefined;
  if (!threads) return undefined;
  const worker = new threads.Worker(
    new URL(import.meta.url.replace(/[^/]*$/, "threads-host.js")),
    { execArgv: [] }, // such as --eval are not for it
  );
  worker.on("message", listener.news);
  worker.on("error", (error) => listener.error(error.message));
  worker.on("exit", (code) => listener.error(`it ended with code ${code}`));
  const idleTime = () => worker.performance?.eventLoopUtilization().idle ?? 0;
  return {
    start: (message) => worker.postMessage(message),
    release: () => {
      worker.unref();
      idleTime();
    },
    // Node says -1 of a loop that is no more, if it was asked before.
    hasEnded: () => idleTime() < 0,
    terminate: () => void worker.terminate(),
  };
}

function startWorker(listener: Listener): PoolWorker {
  if (typeof Worker !== "function") {
    const worker = nodeWorker(listener);
    if (worker) return worker;
    throw new Error("this JavaScript engine has no workers");
  }
  // Bundlers read this literal and bundle the worker.
  const worker = new Worker(new URL("./threads-host.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", (event: MessageEvent<WorkerNews>) =>
    listener.news(event.data),
  );
  worker.addEventListener("error", (event) => listener.error(event.message || "it did not start"));
  return {
    start: (message) => worker.postMessage(message),
    release: () => {},
    hasEnded: () => false,
    terminate: () => worker.terminate(),
  };
}

/**
 * One thread of the pool. A worker that ends while it has nothing to do is replaced by another on
 * the same memory; until that is ready the engine has a thread less. One that fails at its work
 * says so to the engine first, which then stops.
 */
class PoolThread {
  readonly #core: Core;
  readonly #start: WorkerStart;
  #worker: PoolWorker | undefined;
  #isEnded = false;

  constructor(core: Core, start: WorkerStart) {
    this.#core = core;
    this.#start = start;
  }

  get hasEnded(): boolean {
    return this.#worker?.hasEnded() ?? false;
  }

  /** Starts its worker; resolves when that waits for work. */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      let isReady = false;
      const failed = (reason: string, cause?: unknown) => {
        if (isReady) return this.#replace(worker);
        reject(new WhereformerError("internal", `a thread did not start: ${reason}`, {}, cause));
      };
      let worker: PoolWorker | undefined;
      try {
        worker = startWorker({
          news: (news) => {
            if (news !== "ready") {
              if (isReady) return this.end();
              return failed(news.failed);
            }
            isReady = true;
            this.#worker?.release();
            resolve();
          },
          error: failed,
        });
        this.#worker = worker;
        worker.start(this.#start);
      } catch (cause) {
        failed(String(cause), cause);
      }
    });
  }

  /** A worker may tell of its end more than once. */
  #replace(ended: PoolWorker | undefined): void {
    if (this.#isEnded || ended !== this.#worker) return;
    ended?.terminate();
    // In memory that cannot be trusted there is nothing to do for another.
    if (this.#core.broken) return;
    // Where no other starts, the engine goes on with a thread less.
    this.ready().catch(() => {});
  }

  end(): void {
    this.#isEnded = true;
    this.#worker?.terminate();
  }
}

/** The main thread of a page may not wait; Node's and a worker's may. */
function maySleep(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Gives an engine so many threads, the calling one among them; what it returns ends the others.
 * Errors: internal where a worker does not start, out_of_memory, aborted.
 */
export async function startPool(
  core: Core,
  raw: RawModule,
  module: WebAssembly.Module,
  threads: number,
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
  const pool = starts.map((start) => new PoolThread(core, start));
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
