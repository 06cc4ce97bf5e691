/** The worker's side: owns an engine and executes requests. */

import { embedCall } from "../api/embed.js";
import { headsCall } from "../api/heads.js";
import type { ModelHandle } from "../api/model.js";
import { engineOf } from "../api/one-thread.js";
import { generationOf } from "../api/session.js";
import { stepCount } from "../api/trainer.js";
import { startThreads, startThreadsOrOne } from "../threads/engine.js";
import type {
  EmbedOptions,
  Engine,
  GenerateOptions,
  HeadsOptions,
  Model,
  Session,
  TokenIds,
  Trainer,
} from "../types/index.js";
import type { Compiled } from "../wire/compile.js";
import { WhereformerError } from "../wire/error.js";
import { answering, buffersIn, type Job } from "../wire/requests.js";
import { throwIfAborted } from "../wire/signal.js";
import makeThreads from "../wire/threads.mjs";
import { yieldIfDue, yieldToEvents } from "../wire/yield.js";
import { kindOf, methods, propertiesOf } from "./exposed.js";
import {
  type Call,
  engineHandle,
  type Failure,
  type FromWorker,
  isReference,
  type Kind,
  type Progress,
  type Result,
  type Snapshot,
  type Started,
  type Step,
  type ToWorker,
} from "./protocol.js";

type Invoke = (
  target: Record<string, (...args: unknown[]) => unknown>,
  args: unknown[],
  task: Task,
) => unknown;

type MethodCall = Extract<Call, { method: string }>;
type Task = Job<Step>;

interface Port {
  postMessage(message: FromWorker, transfer: Transferable[]): void;
}

const objects = new Map<number, { kind: Kind; object: object; maker?: number }>();
let made = 0;

/** Generations: the call in progress, to which steps of reading are reported, and how to abort. */
const generations = new WeakMap<object, { task?: Task; control: AbortController }>();

/** Begins a generation, whose work is done by calls of `next`. */
const begin: Invoke = (target, [prompt, options]) => {
  const running: { task?: Task; control: AbortController } = { control: new AbortController() };
  const tokens = (target as unknown as Pick<Model, "generate">).generate(prompt as TokenIds, {
    ...(options as GenerateOptions | undefined),
    signal: running.control.signal,
    onProgress: (done, total) => running.task?.progress(done, total),
  });
  generations.set(tokens, running);
  return tokens;
};

/** Methods that work in steps and can be cancelled between them. */
const inSteps: Record<string, Invoke> = {
  "trainer.step": async (target, [n = 1], task) => {
    const trainer = target as unknown as Trainer;
    const losses = new Float32Array(stepCount(n));
    for (let done = 0; done < losses.length; ) {
      const [loss] = trainer.step(1);
      losses[done] = loss!;
      task.progress(++done, losses.length, loss);
      await yieldAndCheck(task);
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
      await yieldAndCheck(task);
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
      await yieldAndCheck(task);
    }
    return isList ? vectors : vectors[0];
  },
  "model.heads": async (target, [input, options = {}], task) => {
    const call = headsCall(
      (target as unknown as ModelHandle).headReader,
      input,
      options as HeadsOptions,
    );
    let reported = -1;
    for (const done of call.steps()) {
      if (done !== reported) task.progress(done, call.total);
      reported = done;
      await yieldAndCheck(task);
    }
    return call.result();
  },
  "session.append": (target, [input], task) =>
    (target as unknown as Session).append(input as TokenIds, {
      signal: task.signal,
      onProgress: (done, total) => task.progress(done, total),
    }),
  "model.generate": begin,
  "session.generate": begin,
  "generation.next": (target, _args, task) => {
    const running = generations.get(target)!;
    running.task = task;
    const abort = () => running.control.abort(task.signal.reason);
    task.signal.addEventListener("abort", abort, { once: true });
    return target["next"]!();
  },
  "generation.return": async (target) => {
    await target["return"]!();
    return generationOf(target);
  },
  "engine.model": (target, [source, options], task) =>
    (target as unknown as Engine).model(source as never, {
      ...(options as object | undefined),
      signal: task.signal,
      onProgress: (loaded, total) => task.progress(loaded, total),
    }),
};

async function yieldAndCheck({ signal }: Task): Promise<void> {
  await yieldIfDue();
  throwIfAborted(signal);
}

function snapshot(handle: number): Snapshot {
  const { kind, object } = objects.get(handle)!;
  const values = (propertiesOf[kind] ?? []).map((name) => [
    name,
    (object as Record<string, unknown>)[name],
  ]);
  return { whereformerHandle: handle, kind, properties: Object.fromEntries(values) };
}

/** `maker`: the object whose method made this one. */
function keep(kind: Kind, object: object, maker = engineHandle): Snapshot {
  const handle = kind === "engine" ? engineHandle : ++made;
  objects.set(handle, { kind, object, maker });
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

async function invoke(call: MethodCall, task: Task): Promise<Result> {
  const used = new Set<number>();
  const target = resolve({ whereformerHandle: call.target }, used) as Record<
    string,
    (...args: unknown[]) => unknown
  >;
  const { kind, maker } = objects.get(call.target)!;
  // A generation changes its session.
  if (kind === "generation" && maker) used.add(maker);
  const name = `${kind}.${call.method}`;
  if (!Object.hasOwn(methods[kind], call.method))
    throw new WhereformerError("unsupported", `${name}: no such method`);
  const args = call.args.map((item) => resolve(item, used));
  const steps = inSteps[name];
  const result = await (steps ? steps(target, args, task) : target[call.method]!(...args));
  const kept = kindOf(result);
  const value = kept ? keep(kept, result as object, call.target) : result;
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

function failureOf(reason: unknown, call: Call): Failure {
  const touched = "target" in call ? now([call.target]) : [];
  if (!(reason instanceof WhereformerError))
    return { code: "internal", message: String(reason), details: {}, isFinal: false, touched };
  const { code, message } = reason;
  const { value, ...details } = reason.details;
  const plain = ["string", "number", "boolean"].includes(typeof value);
  return {
    code,
    message,
    details: plain ? { ...details, value } : details,
    isFinal: code === "internal" && hasStopped(),
    touched,
  };
}

/** The engine of this worker, with threads if they were asked for and start. */
function engineIn(start: Compiled): Promise<Engine> {
  const { threads, module } = start;
  if (!threads) return engineOf(start);
  const engineWith = (count: number) => startThreads(makeThreads, module, count, threads.script);
  return startThreadsOrOne(engineWith, threads.count, true);
}

/** Handles pending messages, such as a cancellation, before work begins. */
async function yieldBefore(): Promise<void> {
  const asked = performance.now();
  await yieldToEvents();
  // If another call was running meanwhile, also handle the messages that came during its work.
  if (performance.now() - asked > 1) await yieldToEvents();
}

async function execute(call: Call, { signal, progress }: Job<Progress>): Promise<Result> {
  if ("start" in call) {
    const engine = await engineIn(call.start);
    return { value: { engine: keep("engine", engine), methods } satisfies Started, touched: [] };
  }
  await yieldBefore();
  throwIfAborted(signal);
  return invoke(call, { signal, progress: (...step) => progress(step, now([call.target])) });
}

function dispose(handle: number): void {
  const { object } = objects.get(handle) ?? {};
  objects.delete(handle);
  const { dispose: free, return: finish } = (object ?? {}) as {
    dispose?: () => void;
    return?: () => unknown;
  };
  if (free) free.call(object);
  else void finish?.call(object);
}

/** Returns a function that handles the messages to a port. */
function serve(port: Port): (message: ToWorker) => void {
  const answer = answering<Call, Result, Progress, Failure>(
    (message) =>
      port.postMessage(message, "value" in message ? [...buffersIn(message.value.value)] : []),
    execute,
    failureOf,
  );
  return (message) => ("dispose" in message ? dispose(message.dispose) : answer(message));
}

interface NodeThreads {
  parentPort: (Port & { on(event: "message", listener: (message: ToWorker) => void): void }) | null;
}

const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
const threads = process?.getBuiltinModule?.("node:worker_threads") as NodeThreads | undefined;
if (threads?.parentPort) {
  threads.parentPort.on("message", serve(threads.parentPort));
} else {
  const scope = globalThis as unknown as Port & EventTarget;
  const handle = serve(scope);
  scope.addEventListener("message", (event) => handle((event as MessageEvent<ToWorker>).data));
}
