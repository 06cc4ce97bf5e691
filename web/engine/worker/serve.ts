/** What a worker that runs the engine does: every number on the page is computed here. */
import { answering, buffersIn, type Job } from "whereformer/requests";
import { type Failure, failureOf } from "../both/failure.js";
import type { Binaries, Call, FromWorker, Kind, Progress, ToWorker } from "../both/messages.js";
import { firstAnswers, type UntrainedEngine } from "./first-questions.js";
import type { GalleryQuestions } from "./gallery-questions.js";
import type { Handlers } from "./job.js";
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

/** Loads a file with further answers when the first of its questions arrives. */
const later = <T>(fetchFile: () => Promise<T>) =>
  once(() =>
    fetchFile().catch(() => {
      throw Object.assign(new Error(""), { code: "network" });
    }),
  );

type Handler = (question: unknown, job: Job) => Promise<unknown>;

/** The engine's kinds of questions that are in a file of their own. */
const ofGallery: ReadonlySet<Kind> = new Set<keyof GalleryQuestions>(["schemes", "portrait"]);

/**
 * Answers the questions that arrive. `loadFirst` loads the small engine for the first figures; all
 * other questions load the package and the whole engine.
 */
export function serve(loadFirst?: (wasm: Binaries) => Promise<UntrainedEngine>): void {
  /** Addresses of the binaries, if they are not relative to this script. */
  let wasm: Binaries | undefined;
  let firstWasm: Binaries | undefined;
  const script = later(() => import("whereformer"));
  const engine = once(async () => (await script()).load(wasm ? { wasm } : {}));
  const firstEngine = once(() => loadFirst!(firstWasm!));

  const gallery = later<GalleryQuestions>(async () =>
    (await import("./gallery-questions.js")).galleryQuestions(engine),
  );
  const others = later<LaterQuestions>(async () =>
    (await import("./later-questions.js")).laterQuestions(engine),
  );

  /** Answers with the first engine, and with the whole engine if that fails. */
  const first: Omit<Handlers, keyof LaterQuestions | keyof GalleryQuestions> = firstAnswers(
    async (canBeFirst, use) => {
      if (canBeFirst && loadFirst && firstWasm) {
        try {
          return await use(await firstEngine());
        } catch {
          firstWasm = undefined;
        }
      }
      return use(await engine());
    },
  );

  async function execute({ kind, question }: Call, job: Job): Promise<unknown> {
    const fetchHandlers = ofGallery.has(kind) ? gallery : others;
    const handlers: Partial<Handlers> = kind in first ? first : await fetchHandlers();
    return (handlers[kind] as Handler)(question, job);
  }

  const post = (message: FromWorker) =>
    (self as unknown as Worker).postMessage(message, [...buffersIn(message)]);

  const answer = answering<Call, unknown, Progress, Failure>(post, execute, failureOf);

  self.addEventListener("message", ({ data: message }: MessageEvent<ToWorker>) => {
    if ("wasm" in message) wasm = message.wasm;
    else if ("firstWasm" in message) firstWasm = message.firstWasm;
    else answer(message);
  });

  post({ started: true });
}
