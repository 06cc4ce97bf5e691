/**
 * Questions to the trained models: fetches them once, reads a text with all of them, and returns
 * details of one head.
 */
import type { Model } from "whereformer";
import type { Job } from "whereformer/requests";
import { meanDistance, shareWithin, strongestCell, weightByDistance } from "../both/measures.js";
import type {
  HeadAnswer,
  HeadDetail,
  HeadQuestion,
  LoadAnswer,
  LoadedModel,
  LoadQuestion,
  ReadAnswer,
  ReadQuestion,
  SchemeWeights,
} from "../both/messages.js";
import type { OperateAnswer, OperateQuestion } from "../both/surgery-messages.js";
import { yieldAndCheck, yieldToUrgent } from "./job.js";
import type { ModelStore } from "./model-store.js";
import { operate } from "./surgery.js";
import { tokenTexts } from "./token-texts.js";
import { wavelengthsOf } from "./wavelengths.js";

/**
 * Returns held-out bits per character by language, from the training record beside the weights;
 * undefined without a record.
 */
async function heldOut(folder: URL): Promise<Record<string, number> | undefined> {
  try {
    const response = await fetch(new URL("training.json", folder));
    const record = (await response.json()) as {
      heldOut: Record<string, { bitsPerCharacter: number }>;
    };
    const scores = Object.entries(record.heldOut);
    return Object.fromEntries(
      scores.map(([language, { bitsPerCharacter }]) => [language, bitsPerCharacter]),
    );
  } catch {
    return undefined;
  }
}

export class TrainedModels {
  /** The models shown side by side; the store has every fetched model. */
  #models = new Map<string, Model>();
  #wavelengths = new Map<string, Float32Array>();
  #folder = "";
  #ids: number[] = [];
  #tokens: string[] = [];

  constructor(private readonly store: ModelStore) {}

  async load(question: LoadQuestion, job: Job): Promise<LoadAnswer> {
    const wf = await this.store.engine();
    const folder = new URL(question.folder);
    this.#folder = question.folder;
    await this.store.tokenizer(question.folder, job);
    const counts = new Map<string, [number, number]>();
    const report = () => {
      const sum = (side: 0 | 1) =>
        [...counts.values()].reduce((total, count) => total + count[side], 0);
      // All models are about the same size, so those not yet begun are counted as equally large.
      job.progress(sum(0), (sum(1) / counts.size) * question.schemes.length);
    };
    const models = await Promise.all(
      question.schemes.map(async (scheme): Promise<LoadedModel> => {
        const address = new URL(`${scheme}/`, folder);
        const progress = (loaded: number, total: number) => {
          counts.set(scheme, [loaded, total]);
          report();
        };
        const { signal } = job;
        const model = await this.store.model(question.folder, scheme, { signal, progress });
        const wavelengths = wavelengthsOf(wf, model);
        if (wavelengths) this.#wavelengths.set(scheme, wavelengths);
        const bitsPerCharacter = await heldOut(address);
        const { numLayers, numHeads } = model.config;
        const known = { scheme, parameterCount: model.parameterCount, numLayers, numHeads };
        return bitsPerCharacter ? { ...known, bitsPerCharacter } : known;
      }),
    );
    job.signal.throwIfAborted();
    // In the order of the question, not of arrival.
    const { models: fetched } = this.store;
    this.#models = new Map(question.schemes.map((scheme) => [scheme, fetched.get(scheme)!]));
    return { models, bytes: [...counts.values()].reduce((total, [loaded]) => total + loaded, 0) };
  }

  async read(question: ReadQuestion, job: Job): Promise<ReadAnswer> {
    const started = performance.now();
    const tokenizer = await this.store.tokenizer(this.#folder, job);
    const all = tokenizer.encode(question.text);
    const ids = all.slice(0, question.longest);
    const byScheme: SchemeWeights[] = [];
    let shape = { numLayers: 0, numHeads: 0 };
    for (const [scheme, model] of this.#models) {
      await yieldAndCheck(job);
      shape = { numLayers: model.config.numLayers, numHeads: model.config.numHeads };
      const weights = ids.length
        ? model.run(ids, { record: ["weights"] }).weights!.data
        : new Float32Array();
      const area = ids.length ** 2;
      const meanDistances = Float32Array.from(
        { length: shape.numLayers * shape.numHeads },
        (_, map) => meanDistance(weights.subarray(map * area, (map + 1) * area), ids.length),
      );
      byScheme.push({ scheme, weights, meanDistances });
    }
    this.#ids = ids;
    this.#tokens = tokenTexts(ids, tokenizer.decode);
    const suggested = this.#suggested(byScheme, shape.numLayers * shape.numHeads);
    const milliseconds = performance.now() - started;
    const isShortened = all.length > ids.length;
    return { tokens: this.#tokens, isShortened, ...shape, byScheme, suggested, milliseconds };
  }

  /** Returns undefined without a text, or for a text of one token. */
  async operate(question: OperateQuestion, job: Job): Promise<OperateAnswer | undefined> {
    const model = this.store.models.get(question.scheme);
    if (!model || this.#ids.length < 2) return undefined;
    const subject = {
      model,
      ids: this.#ids,
      tokens: this.#tokens,
      wavelengths: this.#wavelengths.get(question.scheme),
      heldOut: await this.store.heldOut(question.folder, job),
    };
    return operate(await this.store.engine(), subject, question, () => yieldToUrgent(job));
  }

  /**
   * Returns a cell to show first in each map: from a model whose logits are sums over pairs, if
   * there is one.
   */
  #suggested(byScheme: readonly SchemeWeights[], maps: number): [number, number][] {
    const n = this.#ids.length;
    const opening = byScheme.find(({ scheme }) => this.#wavelengths.has(scheme)) ?? byScheme[0];
    const areWords = this.#tokens.map((token) => /\p{L}{2}|\p{Script=Han}/u.test(token));
    return Array.from({ length: maps }, (_, index): [number, number] => {
      if (!opening || n <= 2) return [Math.max(0, n - 1), 0];
      const map = opening.weights.subarray(index * n * n, (index + 1) * n * n);
      return strongestCell(map, n, (token) => areWords[token]!);
    });
  }

  head({ layer, head }: HeadQuestion): HeadAnswer {
    const details = [...this.#models].map(([scheme, model]) =>
      this.#detail(scheme, model, layer, head),
    );
    return { layer, head, tokens: this.#tokens, details };
  }

  #detail(scheme: string, model: Model, layer: number, head: number): HeadDetail {
    const n = this.#ids.length;
    const result = model.run(this.#ids, {
      record: ["weights", "logits", "terms", "pairs"],
      region: { layers: [layer], heads: [head] },
    });
    const terms = Object.fromEntries(
      Object.entries(result.terms ?? {}).map(([name, term]) => [name, term.data]),
    );
    const map = result.weights!.data;
    const detail = {
      scheme,
      terms,
      logits: result.logits!.data,
      weightByDistance: weightByDistance(map, n),
      nearShare: shareWithin(map, n, 4),
    };
    if (!result.pairs) return detail;
    return {
      ...detail,
      pairs: result.pairs.data,
      wavelengths: this.#wavelengths.get(scheme)!.slice(),
    };
  }
}
