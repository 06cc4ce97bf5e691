/** The worker that owns the engine: every number on the page is computed here. */
import { type Engine, load } from "whereformer";
import { failureOf } from "../both/failure.js";
import type { Binaries, FromWorker, Kind, Questions, ToWorker } from "../both/messages.js";
import type { Job } from "./job.js";
import { measureCosts } from "./measured-costs.js";
import { portrait } from "./portrait.js";
import { TrainedModels } from "./trained-models.js";
import { turningPairs } from "./turning-pairs.js";
import { compareOrders, comparePair } from "./untrained-models.js";

type Handlers = {
  [K in Kind]: (question: Questions[K][0], job: Job) => Promise<Questions[K][1]> | Questions[K][1];
};

/** Where the binaries are, where this script does not know. */
let wasm: Binaries | undefined;
let loading: Promise<Engine> | undefined;
const engine = (): Promise<Engine> => {
  loading ??= load(wasm ? { wasm } : {}).catch((reason) => {
    loading = undefined;
    throw reason;
  });
  return loading;
};

const trained = new TrainedModels(engine);

/** What figures far below ask for comes when they do. */
async function late<T>(module: Promise<T>): Promise<T> {
  try {
    return await module;
  } catch {
    throw Object.assign(new Error(""), { code: "network" });
  }
}

const handlers: Handlers = {
  pair: async (question) => comparePair(await engine(), question),
  order: async (question) => compareOrders(await engine(), question),
  turning: async (question) => turningPairs(await engine(), question),
  stretch: async (question) =>
    (await late(import("./stretch.js"))).stretch(await engine(), question),
  longer: async (question, job) =>
    (await late(import("./longer-reading.js"))).readLonger(await engine(), question, job),
  cache: async (question) =>
    (await late(import("./cache-bytes.js"))).countCache(await engine(), question),
  absorb: async (question) =>
    (await late(import("./absorption.js"))).absorb(await engine(), question),
  forms: async (question, job) =>
    (await late(import("./decoding-forms.js"))).timeForms(await engine(), question, job),
  load: (question, job) => trained.load(question, job),
  read: (question, job) => trained.read(question, job),
  head: (question) => trained.head(question),
  operate: (question, job) => trained.operate(question, job),
  schemes: async () => (await engine()).schemes,
  catalogue: async () => (await late(import("./catalogue.js"))).catalogueOf(await engine()),
  portrait: async (question) => portrait(await engine(), question),
  costs: async (question, job) => measureCosts(await engine(), question, job),
};

const running = new Map<number, AbortController>();

const send = (message: FromWorker, transfer: Transferable[] = []) =>
  (self as unknown as Worker).postMessage(message, transfer);

/** Every array buffer inside an answer: handed over, not copied. */
function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (value && typeof value === "object")
    for (const part of Object.values(value)) buffersIn(part, found);
  return found;
}

async function answer(id: number, kind: Kind, question: unknown): Promise<void> {
  const control = new AbortController();
  running.set(id, control);
  try {
    const handler = handlers[kind] as (question: unknown, job: Job) => Promise<unknown>;
    const progress = (loaded: number, total: number) => send({ id, progress: { loaded, total } });
    const result = await handler(question, { signal: control.signal, progress });
    send({ id, answer: result }, [...buffersIn(result)]);
  } catch (reason) {
    send({ id, failure: failureOf(reason) });
  } finally {
    running.delete(id);
  }
}

self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if ("wasm" in message) wasm = message.wasm;
  else if ("cancel" in message) running.get(message.cancel)?.abort();
  else void answer(message.id, message.kind, message.question);
});

send({ started: true });
