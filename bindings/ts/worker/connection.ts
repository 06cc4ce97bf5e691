/**
 * The connection to one worker, with its calls. If the worker fails the connection ends; continue
 * with a new one.
 */
import type { WorkerLike } from "../types/index.js";
import { threw, unexpected, WhereformerError } from "../wire/error.js";
import { Requests } from "../wire/requests.js";
import { aborted } from "../wire/signal.js";
import { startWorker } from "../wire/start-worker.js";
import {
  type Call,
  type Failure,
  type FromWorker,
  isReference,
  type Progress,
  type Result,
  type Snapshot,
  type Started,
  type Step,
  type ToWorker,
} from "./protocol.js";
import type { TaskOptions, WorkerOption } from "./remote.js";

/** Bundlers recognise this literal and put the script beside their output. */
const beside = () => new URL("./worker-host.js", import.meta.url);

export class Connection {
  readonly #worker: WorkerLike;
  readonly #requests: Requests<Call, Result, Progress, Failure>;
  #ended: WhereformerError | undefined;
  /** Called with new snapshots of objects, whichever call caused them. */
  onTouched: (touched: readonly Snapshot[]) => void = () => {};

  constructor(source: WorkerOption) {
    this.#worker = startWorker<FromWorker>(beside, source, {
      message: (message) => this.#requests.receive(message),
      error: (reason) => this.#end(reason),
    });
    this.#requests = new Requests(this.#worker, (failure) => this.#errorOf(failure));
  }

  /** The reason why no more calls are possible; undefined while the worker works. */
  get ended(): WhereformerError | undefined {
    return this.#ended;
  }

  /** Sends the binary to the worker. */
  start(start: Extract<Call, { start: unknown }>["start"], task: TaskOptions): Promise<Started> {
    return this.#send({ start }, task) as Promise<Started>;
  }

  call(target: number, method: string, args: unknown[], task: TaskOptions): Promise<unknown> {
    return this.#send({ target, method, args }, task);
  }

  forget(handle: number): void {
    if (!this.#ended) this.#worker.postMessage({ dispose: handle } satisfies ToWorker);
  }

  close(): void {
    this.#end(new WhereformerError("disposed", "the engine was disposed", { argument: "engine" }));
  }

  #send(call: Call, { signal, onProgress }: TaskOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended) throw this.#ended;
      if (signal?.aborted) throw aborted(signal);
      const control = new AbortController();
      let isStopped = false;
      let isTraining = false;
      const stop = (reason: unknown) => {
        isStopped = true;
        reject(reason);
        control.abort();
      };
      // The answer of training tells how far the work went.
      const abort = () => (isTraining ? control.abort() : stop(aborted(signal)));
      const progress = (step: Step, touched: Snapshot[]) => {
        this.onTouched(touched);
        if (isStopped) return;
        isTraining ||= step.length > 2;
        try {
          onProgress?.(...step);
        } catch (cause) {
          // In Node an exception in an event listener ends the process.
          stop(threw("onProgress", cause));
        }
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#requests
        .send(call, { signal: control.signal, onProgress: progress })
        .then(
          ({ value, touched }) => {
            this.onTouched(touched);
            // An object that was made nevertheless is freed.
            if (isStopped && isReference(value)) this.forget(value.whereformerHandle);
            resolve(value);
          },
          (reason: Error) => reject(this.#reasonOf(reason, signal)),
        )
        .finally(() => signal?.removeEventListener("abort", abort));
    });
  }

  #reasonOf(reason: Error, signal: AbortSignal | undefined): WhereformerError {
    if (reason instanceof WhereformerError)
      return reason.code === "aborted" ? aborted(signal) : reason;
    const text = unexpected("arguments", reason.message, "data that a message can carry");
    return new WhereformerError("invalid_argument", text, {}, reason);
  }

  #errorOf({ code, message, details, isFinal, touched }: Failure): WhereformerError {
    this.onTouched(touched);
    const error = new WhereformerError(code, message, details);
    if (isFinal) this.#end(error);
    return error;
  }

  #end(reason: WhereformerError): void {
    if (this.#ended) return;
    this.#ended = reason;
    this.#requests.end(reason);
  }
}
