/** The page's side of the worker: ask, hear progress, cancel; and a line where only the newest question counts. */
import type { Failure, FromWorker, Kind, Questions, ToWorker } from "../both/messages.js";

export class EngineFailure extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

export interface AskOptions {
  signal?: AbortSignal;
  onProgress?: (loaded: number, total: number) => void;
}

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (reason: unknown) => void;
  onProgress: AskOptions["onProgress"];
}

export class EngineClient {
  #worker: Worker | undefined;
  #waiting = new Map<number, Waiting>();
  #nextId = 1;

  #start(): Worker {
    const worker = new Worker(new URL("../worker/worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", (event: MessageEvent<FromWorker>) => this.#hear(event.data));
    worker.addEventListener("error", () => {
      // A worker that does not start answers nothing: fail everyone who waits.
      for (const waiting of this.#waiting.values()) {
        waiting.reject(new EngineFailure({ code: "worker", message: "The worker did not start." }));
      }
      this.#waiting.clear();
    });
    return worker;
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

interface Waiter<K extends Kind> {
  question: Questions[K][0];
  resolve: (answer: Questions[K][1] | undefined) => void;
  reject: (reason: unknown) => void;
  onProgress: AskOptions["onProgress"];
}

/**
 * A line of questions of one kind where only the newest counts: one is being answered, at most one
 * waits, and whatever was overtaken resolves to `undefined`.
 */
export class NewestWins<K extends Kind> {
  #running: AbortController | undefined;
  #waiter: Waiter<K> | undefined;

  constructor(
    private readonly kind: K,
    private readonly client: EngineClient = engine,
  ) {}

  /** What is being answered, and what waits, resolves to `undefined`. */
  cancel(): void {
    this.#running?.abort();
    this.#waiter?.resolve(undefined);
    this.#waiter = undefined;
  }

  ask(
    question: Questions[K][0],
    onProgress?: AskOptions["onProgress"],
  ): Promise<Questions[K][1] | undefined> {
    this.cancel();
    return new Promise((resolve, reject) => {
      this.#waiter = { question, resolve, reject, onProgress };
      this.#next();
    });
  }

  #next(): void {
    const waiter = this.#waiter;
    if (this.#running || !waiter) return;
    this.#waiter = undefined;
    const control = new AbortController();
    this.#running = control;
    const options = {
      signal: control.signal,
      ...(waiter.onProgress && { onProgress: waiter.onProgress }),
    };
    this.client
      .ask(this.kind, waiter.question, options)
      .then(
        (answer) => waiter.resolve(control.signal.aborted ? undefined : answer),
        (reason) => (control.signal.aborted ? waiter.resolve(undefined) : waiter.reject(reason)),
      )
      .finally(() => {
        this.#running = undefined;
        this.#next();
      });
  }
}
