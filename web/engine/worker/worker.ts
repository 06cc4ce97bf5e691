/** The worker that runs the engine: every number on the page is computed here. */
import { load } from "whereformer";
import { failureOf } from "../both/failure.js";
import type { Binaries, FromWorker, Kind, ToWorker } from "../both/messages.js";
import { firstAnswers } from "./first-questions.js";
import type { GalleryQuestions } from "./gallery-questions.js";
import type { Handlers, Job } from "./job.js";
import type { LaterQuestions } from "./later-questions.js";

/** Returns a function that fetches once for all callers, and again after a failure. */
function once<T>(fetchIt: () => Promise<T>): () => Promise<T> {
  let coming: Promise<T> | undefined;
  return () => {
    coming ??= fetchIt().catch((reason) => {
      coming = undefined;
      throw reason;
    });
    return coming;
  };
}

/**
 * Addresses of the binaries, if they are not relative to this script; and of the small first
 * engine.
 */
let wasm: Binaries | undefined;
let firstWasm: Binaries | undefined;
const engine = once(() => load(wasm ? { wasm } : {}));
const firstEngine = once(() => load({ wasm: firstWasm! }));

/** Loads a file with further answers when the first of its questions arrives. */
const later = <T>(fetchFile: () => Promise<T>) =>
  once(() =>
    fetchFile().catch(() => {
      throw Object.assign(new Error(""), { code: "network" });
    }),
  );

const gallery = later<GalleryQuestions>(async () =>
  (await import("./gallery-questions.js")).galleryQuestions(engine),
);
const others = later<LaterQuestions>(async () =>
  (await import("./later-questions.js")).laterQuestions(engine),
);

/** Answers with the first engine, and with the whole engine if that fails. */
const first: Omit<Handlers, keyof LaterQuestions | keyof GalleryQuestions> = firstAnswers(
  async (canBeFirst, use) => {
    if (canBeFirst && firstWasm) {
      try {
        return await use(await firstEngine());
      } catch {
        firstWasm = undefined;
      }
    }
    return use(await engine());
  },
);
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

/** Returns every array buffer inside an answer, to transfer it without copying. */
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
  else if ("firstWasm" in message) firstWasm = message.firstWasm;
  else if ("cancel" in message) running.get(message.cancel)?.abort();
  else void answer(message.id, message.kind, message.question);
});

send({ started: true });
