/**
 * The page's connection to one worker: requests with answers, progress and cancellation. If the
 * worker fails the connection ends; continue with a new one.
 */
import type { WorkerLike } from "../types/index.js";
import { threw, unexpected, WhereformerError } from "../wire/error.js";
import { aborted } from "../wire/signal.js";
import { startWorker } from "../wire/start-worker.js";
import {
  type FromWorker,
  type Snapshot,
  type Started,
  startId,
  type ToWorker,
} from "./protocol.js";
import type { TaskOptions, WorkerOption } from "./remote.js";

/** Bundlers recognise this literal and put the script beside their output. */
const beside = () => new URL("./worker-host.js", import.meta.url);

interface Waiting {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
  progress(done: number, total: number, loss?: number): void;
}

export class Line {
  readonly #worker: WorkerLike;
  readonly #waiting = new Map<number, Waiting>();
  #ended: WhereformerError | undefined;
  #lastId = 0;
  /** Called with new snapshots of objects, whichever request caused them. */
  onTouched: (touched: readonly Snapshot[]) => void = () => {};

  constructor(source: WorkerOption) {
    this.#worker = startWorker<FromWorker>(beside, source, {
      message: (message) => this.#hear(message),
      error: (reason) => this.#end(reason),
    });
  }

  /** The reason why no more requests are possible; undefined while the worker works. */
  get ended(): WhereformerError | undefined {
    return this.#ended;
  }

  /** Sends the binary to the worker. */
  start(start: Extract<ToWorker, { start: unknown }>["start"], task: TaskOptions) {
    return this.#send(startId, { start }, task).then((value) => value as Started);
  }

  call(target: number, method: string, args: unknown[], task: TaskOptions) {
    const id = ++this.#lastId;
    return this.#send(id, { id, target, method, args }, task);
  }

  forget(handle: number): void {
    if (!this.#ended) this.#worker.postMessage({ dispose: handle });
  }

  close(): void {
    this.#end(new WhereformerError("disposed", "the engine was disposed", { argument: "engine" }));
  }

  #send(id: number, message: ToWorker, { signal, onProgress }: TaskOptions) {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#ended) throw this.#ended;
      const stop = (reason: unknown) => {
        waiting.reject(reason);
        // The entry stays: if an object was made nevertheless, it is freed when the answer arrives.
        this.#waiting.set(id, {
          resolve: (late) => this.#discard(late),
          reject: () => {},
          progress: () => {},
        });
        if (!this.#ended && id !== startId) this.#worker.postMessage({ cancel: id });
      };
      let isTraining = false;
      const abort = () => {
        if (!isTraining) return stop(aborted(signal));
        // The answer tells how far the work went.
        const { reject: refuse } = waiting;
        waiting.reject = (reason) =>
          refuse((reason as WhereformerError).code === "aborted" ? aborted(signal) : reason);
        this.#worker.postMessage({ cancel: id } satisfies ToWorker);
      };
      if (signal?.aborted) return reject(aborted(signal));
      const done =
        <A>(settle: (argument: A) => void) =>
        (argument: A) => {
          signal?.removeEventListener("abort", abort);
          settle(argument);
        };
      const progress = (done: number, total: number, loss?: number) => {
        isTraining ||= loss !== undefined;
        try {
          if (loss === undefined) onProgress?.(done, total);
          else onProgress?.(done, total, loss);
        } catch (cause) {
          // In Node an exception in an event listener ends the process.
          stop(threw("onProgress", cause));
        }
      };
      signal?.addEventListener("abort", abort, { once: true });
      const waiting: Waiting = { resolve: done(resolve), reject: done(reject), progress };
      this.#waiting.set(id, waiting);
      try {
        this.#worker.postMessage(message satisfies ToWorker);
      } catch (cause) {
        this.#waiting.delete(id);
        const { message } = cause as Error;
        const text = unexpected("arguments", message, "data that a message can carry");
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
    this.onTouched(message.touched);
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
    } else waiting.resolve(message.value);
  }

  #end(reason: WhereformerError): void {
    if (this.#ended) return;
    this.#ended = reason;
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
    void this.#worker.terminate();
  }
}
