/**
 * The page's end of the line to one worker: requests with answers, progress and cancelling. When
 * the worker fails the line ends with it; who wants another takes another line.
 */
import { threw, WhereformerError } from "../wire/error.js";
import { aborted } from "../wire/signal.js";
import {
  type FromWorker,
  type Snapshot,
  type Started,
  startId,
  type ToWorker,
} from "./protocol.js";
import type { TaskOptions } from "./remote.js";

interface Thread {
  post(message: ToWorker): void;
  terminate(): void;
}

interface Listener {
  message(message: FromWorker): void;
  error(reason: string): void;
}

interface NodeWorker {
  postMessage(message: ToWorker): void;
  on(event: "message", listener: (message: FromWorker) => void): void;
  on(event: "error" | "messageerror", listener: (error: Error) => void): void;
  on(event: "exit", listener: (code: number) => void): void;
  terminate(): unknown;
  unref(): void;
}

/**
 * In Node, where there is no Worker: a thread. The address is put together so that no bundler
 * follows it.
 */
function nodeThread(listener: Listener): Thread | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  const threads = process?.getBuiltinModule?.("node:worker_threads") as
    | { Worker: new (url: URL, options: object) => NodeWorker }
    | undefined;
  if (!threads) return undefined;
  const worker = new threads.Worker(
    new URL(import.meta.url.replace(/[^/]*$/, "worker-host.js")),
    { execArgv: [] }, // such as --eval are not for it
  );
  worker.on("message", (message) => listener.message(message));
  worker.on("error", (error) => listener.error(error.message));
  worker.on("messageerror", (error) => listener.error(error.message));
  worker.on("exit", (code) => listener.error(`it ended with code ${code}`));
  return {
    post: (message) => worker.postMessage(message),
    terminate: () => void worker.terminate(),
  };
}

function startThread(listener: Listener): Thread {
  if (typeof Worker !== "function") {
    const thread = nodeThread(listener);
    if (thread) return thread;
    throw new WhereformerError("unsupported", "this JavaScript engine has no workers");
  }
  // Bundlers read this literal and bundle the worker.
  const worker = new Worker(new URL("./worker-host.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", (event: MessageEvent<FromWorker>) =>
    listener.message(event.data),
  );
  worker.addEventListener("error", (event) => listener.error(event.message || "it did not start"));
  worker.addEventListener("messageerror", () => listener.error("it sent what cannot be read"));
  return { post: (message) => worker.postMessage(message), terminate: () => worker.terminate() };
}

interface Waiting {
  resolve(answer: { value: unknown; touched: Snapshot[] }): void;
  reject(reason: unknown): void;
  progress(done: number, total: number): void;
}

export class Line {
  readonly #thread: Thread;
  readonly #waiting = new Map<number, Waiting>();
  #ended: WhereformerError | undefined;
  #lastId = 0;

  constructor() {
    this.#thread = startThread({
      message: (message) => this.#hear(message),
      error: (reason) =>
        this.#end(new WhereformerError("internal", `the worker failed: ${reason}`)),
    });
  }

  /** Why no more can be asked; undefined while the worker works. */
  get ended(): WhereformerError | undefined {
    return this.#ended;
  }

  /** Hands the binary over. */
  start(start: Extract<ToWorker, { start: unknown }>["start"], task: TaskOptions) {
    return this.#send(startId, { start }, task).then(({ value }) => value as Started);
  }

  call(target: number, method: string, args: unknown[], task: TaskOptions) {
    const id = ++this.#lastId;
    return this.#send(id, { id, target, method, args }, task);
  }

  forget(handle: number): void {
    if (!this.#ended) this.#thread.post({ dispose: handle });
  }

  close(): void {
    this.#end(
      new WhereformerError("disposed", "the engine was disposed of", { argument: "engine" }),
    );
  }

  #send(id: number, message: ToWorker, { signal, onProgress }: TaskOptions) {
    return new Promise<{ value: unknown; touched: Snapshot[] }>((resolve, reject) => {
      if (this.#ended) throw this.#ended;
      const stop = (reason: unknown) => {
        waiting.reject(reason);
        // The entry stays: an object that was made all the same is freed when the answer comes.
        this.#waiting.set(id, {
          resolve: (late) => this.#discard(late.value),
          reject: () => {},
          progress: () => {},
        });
        if (!this.#ended && id !== startId) this.#thread.post({ cancel: id });
      };
      const abort = () => stop(aborted(signal));
      if (signal?.aborted) return reject(aborted(signal));
      const done =
        <A>(settle: (argument: A) => void) =>
        (argument: A) => {
          signal?.removeEventListener("abort", abort);
          settle(argument);
        };
      const progress = (done: number, total: number) => {
        try {
          onProgress?.(done, total);
        } catch (cause) {
          // In Node what an event's listener throws ends the process.
          stop(threw("onProgress", cause));
        }
      };
      signal?.addEventListener("abort", abort, { once: true });
      const waiting: Waiting = { resolve: done(resolve), reject: done(reject), progress };
      this.#waiting.set(id, waiting);
      try {
        this.#thread.post(message);
      } catch (cause) {
        this.#waiting.delete(id);
        const text = `arguments: what no message carries; allowed is data (${(cause as Error).message})`;
        waiting.reject(new WhereformerError("invalid_argument", text, {}, cause));
      }
    });
  }

  #discard(value: unknown): void {
    if (typeof value === "object" && value !== null && "whereformerHandle" in value)
      this.forget(value.whereformerHandle as number);
  }

  #hear(message: FromWorker): void {
    const { id } = message;
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if ("progress" in message) {
      waiting.progress(...message.progress);
      return;
    }
    this.#waiting.delete(id);
    if ("failure" in message) {
      const { code, message: text, details, isFinal } = message.failure;
      const error = new WhereformerError(code, text, details);
      waiting.reject(error);
      if (isFinal) this.#end(error);
    } else waiting.resolve(message);
  }

  #end(reason: WhereformerError): void {
    if (this.#ended) return;
    this.#ended = reason;
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
    this.#thread.terminate();
  }
}
