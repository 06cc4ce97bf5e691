/** The page's side of the worker: questions, progress, cancellation. */
import { type RequestOptions, Requests } from "whereformer/requests";
import { EngineFailure, type Failure } from "../both/failure.js";
import type { Call, Kind, Progress, Questions } from "../both/messages.js";
import { startScript } from "./worker-script.js";

export type AskOptions = RequestOptions<Progress>;

/** Questions that a worker must have answered before: they load its models and the text. */
const premises: { [K in Kind]?: readonly Kind[] } = {
  read: ["load"],
  head: ["load", "read"],
  operate: ["load", "read"],
  checkpointEncode: ["checkpointOpen"],
  checkpointLoss: ["checkpointOpen"],
  checkpointThumbnails: ["checkpointOpen"],
  checkpointHead: ["checkpointOpen"],
  checkpointMeasures: ["checkpointOpen"],
  checkpointMap: ["checkpointOpen"],
  checkpointLook: ["checkpointOpen"],
  checkpointLookRow: ["checkpointOpen", "checkpointLook"],
};

export class EngineClient {
  #requests: Requests<Call, unknown, Progress, Failure> | undefined;
  /**
   * The last answered question of each kind, and those that the current worker has not yet
   * answered.
   */
  #answered = new Map<Kind, unknown>();
  #missing = new Set<Kind>();
  #restoring: Promise<void> = Promise.resolve();

  #start(): Requests<Call, unknown, Progress, Failure> {
    let hasSpoken = false;
    const worker = startScript({
      message: (message) => {
        hasSpoken = true;
        if (!("started" in message)) requests.receive(message);
      },
      error: (message) => {
        if (requests !== this.#requests) return;
        this.#discard(
          hasSpoken
            ? { code: "worker_stopped", message: message || "The worker stopped." }
            : { code: "worker", message: message || "The worker did not start." },
        );
      },
    });
    const requests = new Requests<Call, unknown, Progress, Failure>(
      worker,
      (failure) => new EngineFailure(failure),
    );
    return requests;
  }

  /**
   * Ends a worker that has failed: open questions are rejected, and the next one starts a new
   * worker.
   */
  #discard(failure: Failure): void {
    this.#requests?.end(new EngineFailure(failure));
    this.#requests = undefined;
    this.#missing = new Set(this.#answered.keys());
  }

  /** Ends the worker and frees all its memory; open questions are rejected as `aborted`. */
  close(): void {
    this.#discard({ code: "aborted", message: "closed" });
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

  async #send(kind: Kind, question: unknown, options: AskOptions): Promise<unknown> {
    this.#requests ??= this.#start();
    const answer = await this.#requests.send({ kind, question }, options);
    this.#answered.set(kind, question);
    this.#missing.delete(kind);
    return answer;
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
