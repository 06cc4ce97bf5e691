/** The page's side of the worker: questions, progress, cancellation. */
import { EngineFailure, type Failure } from "../both/failure.js";
import type { FromWorker, Kind, Questions, ToWorker } from "../both/messages.js";
import { startScript, type Thread } from "./worker-script.js";

export interface AskOptions {
  signal?: AbortSignal;
  onProgress?: (loaded: number, total: number) => void;
}

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (reason: unknown) => void;
  onProgress: AskOptions["onProgress"];
}

/** Questions that a worker must have answered before: they load its models and the text. */
const premises: { [K in Kind]?: readonly Kind[] } = {
  read: ["load"],
  head: ["load", "read"],
  operate: ["load", "read"],
  checkpointEncode: ["checkpointOpen"],
  checkpointLoss: ["checkpointOpen"],
  checkpointThumbnails: ["checkpointOpen"],
  checkpointHead: ["checkpointOpen"],
  checkpointMap: ["checkpointOpen"],
};

export class EngineClient {
  #worker: Thread | undefined;
  #waiting = new Map<number, Waiting>();
  #nextId = 1;
  /**
   * The last answered question of each kind, and those that the current worker has not yet
   * answered.
   */
  #answered = new Map<Kind, unknown>();
  #missing = new Set<Kind>();
  #restoring: Promise<void> = Promise.resolve();

  #start(): Thread {
    let hasSpoken = false;
    const worker = startScript({
      message: (message) => {
        hasSpoken = true;
        this.#receive(message);
      },
      error: (message) => {
        if (worker !== this.#worker) return;
        this.#discard(
          hasSpoken
            ? { code: "worker_stopped", message: message || "The worker stopped." }
            : { code: "worker", message: message || "The worker did not start." },
        );
      },
    });
    return worker;
  }

  /**
   * Ends a worker that has failed: open questions are rejected, and the next one starts a new
   * worker.
   */
  #discard(failure: Failure): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#missing = new Set(this.#answered.keys());
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new EngineFailure(failure));
  }

  /** Ends the worker and frees all its memory; open questions are rejected as `aborted`. */
  close(): void {
    this.#discard({ code: "aborted", message: "closed" });
  }

  #receive(message: FromWorker): void {
    if ("started" in message) return;
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

  /** Repeats, in order, the earlier questions on which this one depends, if the worker is new. */
  #restore(kind: Kind): Promise<void> {
    const restored = this.#restoring.then(async () => {
      for (const premise of premises[kind] ?? [])
        if (this.#missing.has(premise)) await this.#send(premise, this.#answered.get(premise), {});
    });
    // The error rejects this question only, and not the next one.
    this.#restoring = restored.catch(() => {});
    return restored;
  }

  #send(kind: Kind, question: unknown, options: AskOptions): Promise<unknown> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = this.#nextId++;
    const send = (message: ToWorker) => worker.postMessage(message);
    options.signal?.addEventListener("abort", () => send({ cancel: id }), { once: true });
    const answered = new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress: options.onProgress });
      send({ id, kind, question });
    });
    return answered.then((answer) => {
      this.#answered.set(kind, question);
      this.#missing.delete(kind);
      return answer;
    });
  }

  async ask<K extends Kind>(
    kind: K,
    question: Questions[K][0],
    options: AskOptions = {},
  ): Promise<Questions[K][1]> {
    const isMissing = (premise: Kind) => this.#missing.has(premise);
    if (premises[kind]?.some(isMissing)) await this.#restore(kind);
    return this.#send(kind, question, options) as Promise<Questions[K][1]>;
  }
}

export const engine = new EngineClient();
