/** A queue of questions of which only the newest counts. */
import type { Kind, Questions } from "../both/messages.js";
import { type AskOptions, type EngineClient, engine } from "./client.js";

interface Waiter<K extends Kind> {
  question: Questions[K][0];
  resolve: (answer: Questions[K][1] | undefined) => void;
  reject: (reason: unknown) => void;
  onProgress: AskOptions["onProgress"];
}

/**
 * A queue of questions of one kind: one is being answered, at most one waits, and a question that a
 * newer one replaced resolves to `undefined`.
 */
export class NewestWins<K extends Kind> {
  #running: AbortController | undefined;
  #waiter: Waiter<K> | undefined;

  constructor(
    private readonly kind: K,
    private readonly client: EngineClient = engine,
  ) {}

  /** Resolves the current and the waiting question to `undefined`. */
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
