/** The page's side of the worker: ask, hear progress, cancel. */
import { EngineFailure, type Failure } from "../both/failure.js";
import type { FromWorker, Kind, Questions, ToWorker } from "../both/messages.js";

export interface AskOptions {
  signal?: AbortSignal;
  onProgress?: (loaded: number, total: number) => void;
}

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (reason: unknown) => void;
  onProgress: AskOptions["onProgress"];
}

/** Fires "lost" when a worker has ended by itself; the next question starts another one, which knows nothing yet. */
export class EngineClient extends EventTarget {
  #worker: Worker | undefined;
  #waiting = new Map<number, Waiting>();
  #nextId = 1;

  #start(): Worker {
    const worker = new Worker(new URL("../worker/worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", (event: MessageEvent<FromWorker>) => this.#hear(event.data));
    worker.addEventListener("error", () => this.#lose(worker));
    return worker;
  }

  /** A worker that did not start, or that broke, answers nothing: everyone who waits is told. */
  #lose(worker: Worker): void {
    if (worker !== this.#worker) return;
    worker.terminate();
    this.#worker = undefined;
    const failure: Failure = {
      code: "worker",
      message: "The worker did not start, or it has ended.",
    };
    for (const waiting of this.#waiting.values()) waiting.reject(new EngineFailure(failure));
    this.#waiting.clear();
    this.dispatchEvent(new Event("lost"));
  }

  #hear(message: FromWorker): void {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    if ("progress" in message) {
      waiting.onProgress?.(message.progress.loaded, message.progress.total);
      return;
    }
    this.#waiting.delete(message.id);
    if ("answer" in message) waiting.resolve(message.answer);
    else waiting.reject(new EngineFailure(message.failure));
  }

  ask<K extends Kind>(
    kind: K,
    question: Questions[K][0],
    options: AskOptions = {},
  ): Promise<Questions[K][1]> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = this.#nextId++;
    const send = (message: ToWorker) => worker.postMessage(message);
    options.signal?.addEventListener("abort", () => send({ cancel: id }), { once: true });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {
        resolve: resolve as Waiting["resolve"],
        reject,
        onProgress: options.onProgress,
      });
      send({ id, kind, question });
    });
  }
}

export const engine = new EngineClient();
