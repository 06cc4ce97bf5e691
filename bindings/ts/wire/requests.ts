/**
 * Requests to a worker, and their answers: the protocol of the engine's worker and of the page's,
 * which imports this file as `whereformer/requests`. It imports nothing, to stay small in both.
 */

/** A message to the worker: a call with an id, or the id of a call to cancel. */
export type Request<Call> = (Call & { id: number }) | { cancel: number };

/** A message from the worker about the call with this id. */
export type Answer<Value, Progress, Failure> =
  | { id: number; progress: Progress }
  | { id: number; value: Value }
  | { id: number; failure: Failure };

export interface RequestOptions<Progress extends unknown[]> {
  /**
   * Cancels the work, which then fails with `aborted`, or returns its value if it was done. Of this
   * request alone: its listener stays.
   */
  signal?: AbortSignal | undefined;
  onProgress?: ((...progress: Progress) => void) | undefined;
}

interface Waiting<Value, Progress extends unknown[]> {
  resolve(value: Value): void;
  reject(reason: unknown): void;
  onProgress: RequestOptions<Progress>["onProgress"];
}

/** The caller's side of one worker. The owner passes the worker's messages to `receive`. */
export class Requests<Call, Value, Progress extends unknown[], Failure> {
  readonly #waiting = new Map<number, Waiting<Value, Progress>>();
  readonly #worker: { postMessage(message: Request<Call>): void; terminate(): unknown };
  readonly #errorOf: (failure: Failure) => Error;
  #lastId = 0;

  constructor(
    worker: { postMessage(message: Request<Call>): void; terminate(): unknown },
    errorOf: (failure: Failure) => Error,
  ) {
    this.#worker = worker;
    this.#errorOf = errorOf;
  }

  send(call: Call, { signal, onProgress }: RequestOptions<Progress>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const cancel = () => this.#worker.postMessage({ cancel: id });
      this.#worker.postMessage({ ...call, id });
      this.#waiting.set(id, { resolve, reject, onProgress });
      signal?.addEventListener("abort", cancel, { once: true });
    });
  }

  receive(message: Answer<Value, Progress, Failure>): void {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    if ("progress" in message) {
      waiting.onProgress?.(...message.progress);
      return;
    }
    this.#waiting.delete(message.id);
    if ("value" in message) waiting.resolve(message.value);
    else waiting.reject(this.#errorOf(message.failure));
  }

  /** Ends the worker; rejects all calls without an answer. */
  end(reason: Error): void {
    void this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}

/** A call in progress, on the worker's side. */
export interface Job<Progress extends unknown[] = [done: number, total: number]> {
  /** Aborted if the caller cancels the call; the reason has the code `aborted`. */
  signal: AbortSignal;
  progress(...progress: Progress): void;
}

/** The buffers of all arrays in a value, which are transferred and not copied. */
export function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) buffersIn(part, found);
  return found;
}

/** The worker's side: returns a function that handles a message and posts the answer. */
export function answering<Call, Value, Progress extends unknown[], Failure>(
  post: (message: Answer<Value, Progress, Failure>) => void,
  execute: (call: Call, job: Job<Progress>) => Value | Promise<Value>,
  failureOf: (reason: unknown, call: Call) => Failure,
): (message: Request<Call>) => void {
  const running = new Map<number, AbortController>();
  const answer = async (call: Call & { id: number }) => {
    const { id } = call;
    const control = new AbortController();
    running.set(id, control);
    const job: Job<Progress> = {
      signal: control.signal,
      progress: (...progress) => post({ id, progress }),
    };
    try {
      post({ id, value: await execute(call, job) });
    } catch (reason) {
      post({ id, failure: failureOf(reason, call) });
    } finally {
      running.delete(id);
    }
  };
  return (message) => {
    if ("cancel" in message)
      running.get(message.cancel)?.abort(Object.assign(new Error("aborted"), { code: "aborted" }));
    else void answer(message);
  };
}
