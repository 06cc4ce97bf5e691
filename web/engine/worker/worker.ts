/** The worker that owns the engine: every number on the page is computed here. */
import { type Engine, load } from "whereformer";
import { failureOf } from "../both/failure.js";
import type { Binaries, FromWorker, Kind, ToWorker } from "../both/messages.js";
import type { GalleryQuestions } from "./gallery-questions.js";
import type { Handlers } from "./handlers.js";
import type { Job } from "./job.js";
import type { LaterQuestions } from "./later-questions.js";
import { compareOrders, comparePair } from "./untrained-models.js";

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

/** What a file of its own answers, which comes with the first question; it may have to be asked
 * for again. */
function later<T>(fetchFile: () => Promise<T>): () => Promise<T> {
  let coming: Promise<T> | undefined;
  return () => {
    coming ??= fetchFile().catch(() => {
      coming = undefined;
      throw Object.assign(new Error(""), { code: "network" });
    });
    return coming;
  };
}

const gallery = later<GalleryQuestions>(async () =>
  (await import("./gallery-questions.js")).galleryQuestions(engine),
);
const others = later<LaterQuestions>(async () =>
  (await import("./later-questions.js")).laterQuestions(engine),
);

/** What the first screens ask. */
const first: Omit<Handlers, keyof LaterQuestions | keyof GalleryQuestions> = {
  pair: async (question) => comparePair(await engine(), question),
  order: async (question) => compareOrders(await engine(), question),
};
const ofGallery: ReadonlySet<Kind> = new Set<keyof GalleryQuestions>(["schemes", "portrait"]);

type Handler = (question: unknown, job: Job) => Promise<unknown>;

const fileOf = (kind: Kind): (() => Promise<Partial<Handlers>>) =>
  ofGallery.has(kind) ? gallery : others;

async function handlerOf(kind: Kind): Promise<Handler> {
  const all: Partial<Handlers> = kind in first ? first : await fileOf(kind)();
  return all[kind] as Handler;
}

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
    const handler = await handlerOf(kind);
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
