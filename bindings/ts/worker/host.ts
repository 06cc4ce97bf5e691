/** The worker's side: owns an engine and executes requests. */

import { embedCall } from "../api/embed.js";
import type { ModelHandle } from "../api/model.js";
import { engineOf } from "../api/one-thread.js";
import { breathe, turn } from "../api/pace.js";
import { stepCount } from "../api/trainer.js";
import type { EmbedOptions, Engine, Trainer } from "../types/index.js";
import { WhereformerError } from "../wire/error.js";
import {
  engineHandle,
  type Failure,
  type FromWorker,
  isReference,
  type Kind,
  type Snapshot,
  type Started,
  startId,
  type ToWorker,
} from "./protocol.js";
import { kindOf, methods, propertiesOf } from "./shown.js";

type Invoke = (
  target: Record<string, (...args: unknown[]) => unknown>,
  args: unknown[],
  task: Task,
) => unknown;

interface Task {
  signal: AbortSignal;
  progress(done: number, total: number, loss?: number): void;
}

interface Port {
  postMessage(message: FromWorker, transfer: Transferable[]): void;
}

const objects = new Map<number, { kind: Kind; object: object }>();
const running = new Map<number, AbortController>();
let made = 0;

/** Methods that work in steps and can be cancelled between them. */
const inSteps: Record<string, Invoke> = {
  "trainer.step": async (target, [n = 1], task) => {
    const trainer = target as unknown as Trainer;
    const losses = new Float32Array(stepCount(n));
    for (let done = 0; done < losses.length; ) {
      const [loss] = trainer.step(1);
      losses[done] = loss!;
      task.progress(++done, losses.length, loss);
      await pause(task);
    }
    return losses;
  },
  "trainer.evaluate": async (target, [options], task) => {
    const trainer = target as unknown as Trainer;
    const { lengths, ...rest } = (options ?? {}) as { lengths?: number[] };
    if (!Array.isArray(lengths)) return trainer.evaluate(options as object);
    const results: unknown[] = [];
    for (const length of lengths) {
      results.push(...trainer.evaluate({ ...rest, lengths: [length] }));
      task.progress(results.length, lengths.length);
      await pause(task);
    }
    return results;
  },
  "model.embed": async (target, [input, options = {}], task) => {
    const { embedder } = target as unknown as ModelHandle;
    const { isList, count, vectorOf } = embedCall(embedder, input, options as EmbedOptions);
    const vectors: Float32Array[] = [];
    while (vectors.length < count) {
      vectors.push(vectorOf(vectors.length));
      if (isList) task.progress(vectors.length, count);
      await pause(task);
    }
    return isList ? vectors : vectors[0];
  },
  "engine.model": (target, [source, options], task) =>
    (target as unknown as Engine).model(source as never, {
      ...(options as object | undefined),
      signal: task.signal,
      onProgress: (loaded, total) => task.progress(loaded, total),
    }),
};

async function pause(task: Task): Promise<void> {
  await breathe();
  throwIfCancelled(task.signal);
}

function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new WhereformerError("aborted", "aborted by its signal");
}

function snapshot(handle: number): Snapshot {
  const { kind, object } = objects.get(handle)!;
  const values = (propertiesOf[kind] ?? []).map((name) => [
    name,
    (object as Record<string, unknown>)[name],
  ]);
  return { whereformerHandle: handle, kind, properties: Object.fromEntries(values) };
}

function keep(kind: Kind, object: object): Snapshot {
  const handle = kind === "engine" ? engineHandle : ++made;
  objects.set(handle, { kind, object });
  return snapshot(handle);
}

/** Current snapshots of objects; empty if the engine has stopped. */
function now(handles: readonly number[]): Snapshot[] {
  try {
    return handles.filter((handle) => objects.has(handle)).map(snapshot);
  } catch {
    return [];
  }
}

/** Replaces references by their objects; `used` collects the handles. */
function resolve(value: unknown, used: Set<number>): unknown {
  if (isReference(value)) {
    const found = objects.get(value.whereformerHandle);
    if (!found) throw new WhereformerError("disposed", "an object of the worker was disposed");
    used.add(value.whereformerHandle);
    return found.object;
  }
  if (Array.isArray(value))
    return typeof value[0] === "number" ? value : value.map((item) => resolve(item, used));
  if (
    typeof value !== "object" ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, used)]));
}

async function invoke(message: { target: number; method: string; args: unknown[] }, task: Task) {
  const used = new Set<number>();
  const target = resolve({ whereformerHandle: message.target }, used) as Record<
    string,
    (...args: unknown[]) => unknown
  >;
  const { kind } = objects.get(message.target)!;
  const name = `${kind}.${message.method}`;
  if (!Object.hasOwn(methods[kind], message.method))
    throw new WhereformerError("unsupported", `${name}: no such method`);
  const args = message.args.map((item) => resolve(item, used));
  const steps = inSteps[name];
  const result = await (steps ? steps(target, args, task) : target[message.method]!(...args));
  const kept = kindOf(result);
  const value = kept ? keep(kept, result as object) : result;
  return { value, touched: now([...used]) };
}

/** Whether the engine has stopped permanently, as after a trap. */
function hasStopped(): boolean {
  const { object } = objects.get(engineHandle) ?? {};
  try {
    (object as Engine | undefined)?.memory();
    return false;
  } catch {
    return true;
  }
}

function failureOf(reason: unknown): Failure {
  if (!(reason instanceof WhereformerError))
    return { code: "internal", message: String(reason), details: {}, isFinal: false };
  const { code, message } = reason;
  const { value, ...details } = reason.details;
  const plain = ["string", "number", "boolean"].includes(typeof value);
  return {
    code,
    message,
    details: plain ? { ...details, value } : details,
    isFinal: code === "internal" && hasStopped(),
  };
}

/** The buffers of all arrays in an answer: they are transferred, not copied. */
function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) buffersIn(part, found);
  return found;
}

/** Lets pending messages, such as a cancellation, be handled before work begins. */
async function hearFirst(): Promise<void> {
  const asked = performance.now();
  await turn();
  // If another request was running meanwhile, also handle the messages that came during its work.
  if (performance.now() - asked > 1) await turn();
}

async function answer(
  port: Port,
  message: { id: number; target: number; method: string; args: unknown[] },
): Promise<void> {
  const { id } = message;
  const control = new AbortController();
  running.set(id, control);
  const progress = (...step: [done: number, total: number, loss?: number]) =>
    port.postMessage({ id, progress: step, touched: now([message.target]) }, []);
  try {
    await hearFirst();
    throwIfCancelled(control.signal);
    const { value, touched } = await invoke(message, { signal: control.signal, progress });
    port.postMessage({ id, value, touched }, [...buffersIn(value)]);
  } catch (reason) {
    port.postMessage({ id, failure: failureOf(reason), touched: now([message.target]) }, []);
  } finally {
    running.delete(id);
  }
}

function hear(port: Port, message: ToWorker): void {
  if ("start" in message) {
    engineOf(message.start).then(
      (engine) => {
        const value: Started = { engine: keep("engine", engine), methods };
        port.postMessage({ id: startId, value, touched: [] }, []);
      },
      (reason: unknown) =>
        port.postMessage({ id: startId, failure: failureOf(reason), touched: [] }, []),
    );
  } else if ("cancel" in message) {
    running.get(message.cancel)?.abort();
  } else if ("dispose" in message) {
    const { object } = objects.get(message.dispose) ?? {};
    objects.delete(message.dispose);
    const { dispose, return: finish } = (object ?? {}) as {
      dispose?: () => void;
      return?: () => unknown;
    };
    if (dispose) dispose.call(object);
    else void finish?.call(object);
  } else {
    void answer(port, message);
  }
}

interface NodeThreads {
  parentPort: (Port & { on(event: "message", listener: (message: ToWorker) => void): void }) | null;
}

const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
const threads = process?.getBuiltinModule?.("node:worker_threads") as NodeThreads | undefined;
if (threads?.parentPort) {
  const port = threads.parentPort;
  port.on("message", (message) => hear(port, message));
} else {
  const scope = globalThis as unknown as Port & EventTarget;
  scope.addEventListener("message", (event) => hear(scope, (event as MessageEvent<ToWorker>).data));
}
