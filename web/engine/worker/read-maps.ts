/**
 * One head's map of one text, under up to four schemes or trained models: weights, logits, or a
 * part of the logits.
 */
import type { Model, SchemeSpec } from "whereformer";
import type { Job } from "whereformer/requests";
import { asScheme, formulaScheme } from "../../defaults.js";
import { EngineFailure, failureOf } from "../both/failure.js";
import { labModel } from "../both/lab-sizes.js";
import type { MapsAnswer, MapsQuestion, SchemeMap, SmallHeads } from "../both/map-messages.js";
import { idsOf } from "../both/sentences.js";
import { yieldToUrgent } from "./job.js";
import { partOf } from "./map-part.js";
import type { ModelStore } from "./model-store.js";
import { operatedMap } from "./surgery-map.js";
import { sketch, thumbnailSize } from "./thumbnails.js";
import { tokenTexts } from "./token-texts.js";
import { withUntrained } from "./untrained-models.js";

/** Fetches as much of a held-out file as the longest map needs, in either language. */
export async function heldOutText(
  folder: string,
  language: string,
  signal: AbortSignal,
): Promise<string> {
  const address = new URL(`heldout/${language}.txt`, folder);
  const response = await fetch(address, { signal }).catch((reason) => {
    const code = signal.aborted ? "aborted" : "network";
    throw Object.assign(new Error(String(reason)), { code });
  });
  if (!response.ok) {
    const message = `${address.pathname}: HTTP status ${response.status}`;
    throw Object.assign(new Error(message), { code: "network" });
  }
  return (await response.text()).slice(0, 20_000);
}

interface Text {
  tokens: string[];
  ids: number[];
  isShortened: boolean;
}

/**
 * Returns the text in tokens of the models' tokenizer, or in characters, each of them encoded
 * alone.
 */
async function textOf(store: ModelStore, question: MapsQuestion, job: Job): Promise<Text> {
  const { folder, language, unit, longest } = question;
  const tokenizer = await store.tokenizer(folder, job);
  const isTyped = question.text !== "";
  const text = isTyped ? question.text : await heldOutText(folder, language, job.signal);
  const whole =
    unit === "token"
      ? tokenizer.encode(text)
      : [...text].slice(0, 2 * longest).flatMap((sign) => tokenizer.encode(sign));
  const max = isTyped ? longest : Math.min(question.length, longest);
  const kept = whole.slice(0, max);
  const tokens = tokenTexts(kept, tokenizer.decode);
  // Untrained token vectors are assigned by the tokens' texts: the layer has fewer than a
  // vocabulary.
  const ids = question.reader === "model" ? kept : idsOf(tokens, labModel.vocabSize);
  return { tokens, ids, isShortened: isTyped && whole.length > max };
}

interface Reader {
  numLayers: number;
  numHeads: number;
  read: () => Float32Array;
}

/** Returns a scheme for the untrained layer; throws if it is a formula that cannot be read. */
function untrainedScheme(scheme: string, { formula = {} }: MapsQuestion): SchemeSpec {
  if (scheme !== formulaScheme) return asScheme(scheme);
  if ("failure" in formula) throw new EngineFailure(formula.failure);
  return { id: scheme, options: formula } as SchemeSpec;
}

/**
 * Returns the result of `work` with the model of one scheme; layer and head are clamped to its
 * sizes.
 */
async function withReader<T>(
  store: ModelStore,
  question: MapsQuestion,
  scheme: string,
  text: Text,
  job: Job,
  use: (reader: Reader) => T,
): Promise<T> {
  const wf = await store.engine();
  const readWith = (model: Model) => {
    const { numLayers, numHeads } = model.config;
    const layer = Math.min(question.layer, numLayers - 1);
    const head = Math.min(question.head, numHeads - 1);
    const read = () => partOf(model, text.ids, { ...question, layer, head });
    return use({ numLayers, numHeads, read });
  };
  if (question.reader === "model") {
    const quiet = { signal: job.signal, progress: () => {} };
    return readWith(await store.model(question.folder, scheme, quiet));
  }
  return withUntrained(wf, { ...labModel, scheme: untrainedScheme(scheme, question) }, readWith);
}

/** Makes the small map of every head in turn, and lets newer questions through in between. */
async function smallHeads(
  store: ModelStore,
  question: MapsQuestion,
  scheme: string,
  text: Text,
  job: Job,
): Promise<SmallHeads> {
  const n = text.ids.length;
  const parts: Float32Array[] = [];
  for (let head = 0, heads = 1; head < heads; head++) {
    await yieldToUrgent(job);
    await withReader(store, { ...question, head }, scheme, text, job, (reader) => {
      heads = reader.numHeads;
      parts.push(sketch(reader.read(), n, n));
    });
  }
  const { rows, columns } = thumbnailSize(n, n);
  const values = new Float32Array(parts.length * rows * columns);
  parts.forEach((part, head) => {
    values.set(part, head * rows * columns);
  });
  return { heads: parts.length, rows, columns, values };
}

export async function readMaps(
  store: ModelStore,
  question: MapsQuestion,
  job: Job,
): Promise<MapsAnswer> {
  const text = await textOf(store, question, job);
  const maps: SchemeMap[] = [];
  let shape = { numLayers: 1, numHeads: labModel.numHeads };
  // Time of computing alone, without loading models.
  let milliseconds = 0;
  const { schemes, operation } = question;
  const isOperated = operation !== undefined && question.reader === "model" && text.ids.length > 1;
  const total = schemes.length + Number(isOperated && operation.operation !== "none");
  for (const scheme of schemes) {
    job.progress(maps.length, total);
    await yieldToUrgent(job);
    if (!text.ids.length) break;
    try {
      if (question.allHeads) {
        maps.push({ scheme, small: await smallHeads(store, question, scheme, text, job) });
        continue;
      }
      await withReader(store, question, scheme, text, job, (reader) => {
        shape = { numLayers: reader.numLayers, numHeads: reader.numHeads };
        const started = performance.now();
        maps.push({ scheme, values: reader.read() });
        milliseconds += performance.now() - started;
      });
    } catch (reason) {
      const failure = failureOf(reason);
      // A position past the end of one scheme's table may be defined for the others.
      if (failure.code === "network" || failure.code === "aborted") throw reason;
      maps.push({ scheme, failure });
    }
  }
  job.progress(maps.length, total);
  if (total > schemes.length) await store.heldOut(question.folder, job);
  const started = performance.now();
  const operated = isOperated && (await operatedMap(store, { ...question, operation }, text, job));
  milliseconds += performance.now() - started;
  const { folder: _folder, ...asked } = question;
  return { ...asked, ...text, ...shape, maps, milliseconds, ...(operated && { operated }) };
}
