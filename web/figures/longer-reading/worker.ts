/** The trained rotary model on a text longer than any in its training, stretched by each method. */
import type { Model, SchemeSpec, Surgery, Tokenizer } from "whereformer";
import type { Job } from "whereformer/requests";
import { asScheme, longerModel, type StretchMethod } from "../../defaults.js";
import { type Handlers, yieldToUrgent } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import { scalingOf } from "../../engine/worker/rope-scaling.js";
import type { LongerAnswer, LongerQuestion, MethodLoss } from "./messages.js";

interface Reader {
  model: Model;
  tokenizer: Tokenizer;
  /** Tokens of a training window. */
  length: number;
}

const readers = new Map<string, Promise<Reader>>();
const texts = new Map<string, Promise<number[]>>();

/** Caches a promise until it is rejected, so that a failed request is repeated. */
function keep<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = map.get(key);
  if (known) return known;
  const made = make();
  map.set(key, made);
  made.catch(() => map.delete(key));
  return made;
}

async function fetchFile(address: URL): Promise<Response> {
  const failed = (message: string) => Object.assign(new Error(message), { code: "network" });
  const response = await fetch(address).catch((reason) => {
    throw failed(String(reason));
  });
  if (!response.ok) throw failed(`${address.pathname}: HTTP status ${response.status}`);
  return response;
}

async function openReader(store: ModelStore, folder: string, job: Job): Promise<Reader> {
  // Progress counts the methods, not the bytes of the model.
  const quiet: Job = { signal: job.signal, progress: () => {} };
  const tokenizer = await store.tokenizer(folder, quiet);
  const config = await fetchFile(new URL(`${longerModel}/config.json`, folder));
  const { max_training_length: length } = (await config.json()) as { max_training_length: number };
  return { model: await store.model(folder, longerModel, quiet), tokenizer, length };
}

type Ways = Pick<LongerQuestion, "multiple" | "longFactor">;

/** Returns surgery that stretches the frequencies of the model's scheme, in every layer. */
function surgeryOf(
  { model, length }: Reader,
  method: StretchMethod,
  { multiple: factor, longFactor }: Ways,
): Surgery {
  const trained = model.config.scheme[0]!;
  const options = { ...trained.options, ...scalingOf({ method, factor, length, longFactor }) };
  return { scheme: { id: asScheme(trained.id as string), options } as SchemeSpec };
}

function readOnce(
  reader: Reader,
  ids: readonly number[],
  method: StretchMethod,
  ways: Ways,
): MethodLoss {
  const { model, length } = reader;
  const { multiple } = ways;
  const surgery = method === "none" ? undefined : surgeryOf(reader, method, ways);
  const { perToken } = model.loss(ids, surgery ? { surgery } : {});
  const bits = Array.from(perToken, (nats) => nats / Math.LN2);
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const byPosition = Array.from({ length: multiple }, (_, part) =>
    mean(bits.slice(part * length, (part + 1) * length)),
  );
  return { method, bitsPerToken: mean(bits), byPosition };
}

async function readLonger(
  store: ModelStore,
  { folder, language, multiple, methods, longFactor }: LongerQuestion,
  job: Job,
): Promise<LongerAnswer> {
  const base = new URL(folder);
  const reader = await keep(readers, folder, () => openReader(store, folder, job));
  const all = await keep(texts, `${folder} ${language}`, async () => {
    const response = await fetchFile(new URL(`heldout/${language}.txt`, base));
    return reader.tokenizer.encode(await response.text());
  });
  const ids = all.slice(0, multiple * reader.length + 1);
  const started = performance.now();
  const losses: MethodLoss[] = [];
  for (const method of methods) {
    job.progress(losses.length, methods.length);
    await yieldToUrgent(job);
    losses.push(readOnce(reader, ids, method, { multiple, longFactor }));
  }
  const milliseconds = performance.now() - started;
  return { language, multiple, methods, tokens: ids.length - 1, losses, milliseconds };
}

export const answers = (store: ModelStore): Pick<Handlers, "longer"> => ({
  longer: (question, job) => readLonger(store, question, job),
});
