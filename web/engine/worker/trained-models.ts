/** Questions to the trained models: fetch them once, read a text with all of them, look into one head. */
import type { Engine, Model, Tokenizer } from "whereformer";
import { meanDistance, shareWithin, strongestCell, weightByDistance } from "../both/measures.js";
import type {
  HeadAnswer,
  HeadDetail,
  HeadQuestion,
  LoadAnswer,
  LoadedModel,
  LoadQuestion,
  OperateAnswer,
  OperateQuestion,
  ReadAnswer,
  ReadQuestion,
  SchemeReading,
} from "../both/messages.js";
import { type Job, pause, throwIfEnded } from "./job.js";
import { type HeldOut, operate, readHeldOut } from "./operation.js";
import { readTokenizer } from "./tokenizer.js";

/** Bits per character held out, by language, from the training record beside the weights; absent when there is none. */
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

/** Tokens for one full turn of each channel pair of a rotary model; undefined for the others. */
function wavelengthsOf(wf: Engine, model: Model): Float32Array | undefined {
  const { scheme, numHeads, headDim } = model.config;
  const rotary = scheme.find(({ id }) =>
    wf.schemes.some((description) => description.id === id && description.family === "rotary"),
  );
  if (!rotary) return undefined;
  const configured = wf.scheme(rotary.id, { numHeads, headDim, ...rotary.options });
  const { inverseFrequencies } = configured.frequencies();
  configured.dispose();
  return inverseFrequencies.map((radians) => (2 * Math.PI) / radians);
}

export class TrainedModels {
  /** Every model that has come; #models are those side by side. */
  #fetched = new Map<string, Model>();
  #models = new Map<string, Model>();
  #wavelengths = new Map<string, Float32Array>();
  #tokenizer: Tokenizer | undefined;
  #heldOut: HeldOut[] | undefined;
  #ids: number[] = [];
  #tokens: string[] = [];

  constructor(private readonly engine: () => Promise<Engine>) {}

  async load(question: LoadQuestion, job: Job): Promise<LoadAnswer> {
    const wf = await this.engine();
    const folder = new URL(question.folder);
    this.#tokenizer ??= await readTokenizer(new URL("tokenizer.json", folder), job.signal);
    const tokenizer = this.#tokenizer;
    const counts = new Map<string, [number, number]>();
    const report = () => {
      const sum = (side: 0 | 1) =>
        [...counts.values()].reduce((total, count) => total + count[side], 0);
      // All models are the same size: those not begun are counted like those that are.
      job.progress(sum(0), (sum(1) / counts.size) * question.schemes.length);
    };
    const models = await Promise.all(
      question.schemes.map(async (scheme): Promise<LoadedModel> => {
        const place = new URL(`${scheme}/`, folder);
        const onProgress = (loaded: number, total: number) => {
          counts.set(scheme, [loaded, total]);
          report();
        };
        const model =
          this.#fetched.get(scheme) ??
          (await wf.model(place, { tokenizer, signal: job.signal, onProgress }));
        this.#fetched.set(scheme, model);
        const wavelengths = wavelengthsOf(wf, model);
        if (wavelengths) this.#wavelengths.set(scheme, wavelengths);
        const bitsPerCharacter = await heldOut(place);
        const { numLayers, numHeads } = model.config;
        const known = { scheme, parameterCount: model.parameterCount, numLayers, numHeads };
        return bitsPerCharacter ? { ...known, bitsPerCharacter } : known;
      }),
    );
    throwIfEnded(job.signal);
    // In the order asked for, not that of arrival.
    this.#models = new Map(question.schemes.map((scheme) => [scheme, this.#fetched.get(scheme)!]));
    return { models, bytes: [...counts.values()].reduce((total, [loaded]) => total + loaded, 0) };
  }

  async read(question: ReadQuestion, job: Job): Promise<ReadAnswer> {
    const started = performance.now();
    const tokenizer = this.#tokenizer!;
    const all = tokenizer.encode(question.text);
    const ids = all.slice(0, question.longest);
    const readings: SchemeReading[] = [];
    let shape = { numLayers: 0, numHeads: 0 };
    for (const [scheme, model] of this.#models) {
      await pause(job);
      shape = { numLayers: model.config.numLayers, numHeads: model.config.numHeads };
      const weights = ids.length
        ? model.run(ids, { record: ["weights"] }).weights!.data
        : new Float32Array();
      const area = ids.length ** 2;
      const meanDistances = Float32Array.from(
        { length: shape.numLayers * shape.numHeads },
        (_, map) => meanDistance(weights.subarray(map * area, (map + 1) * area), ids.length),
      );
      readings.push({ scheme, weights, meanDistances });
    }
    this.#ids = ids;
    this.#tokens = ids.map((id) => tokenizer.decode([id]));
    const milliseconds = performance.now() - started;
    return { tokens: this.#tokens, cut: all.length > ids.length, ...shape, readings, milliseconds };
  }

  /** Nothing where there is no text, or a text of one token. */
  async operate(question: OperateQuestion, job: Job): Promise<OperateAnswer | undefined> {
    const model = this.#fetched.get(question.scheme);
    if (!model || this.#ids.length < 2) return undefined;
    const folder = new URL(question.folder);
    this.#heldOut ??= await readHeldOut(folder, this.#tokenizer!, job.signal);
    const subject = {
      model,
      ids: this.#ids,
      tokens: this.#tokens,
      wavelengths: this.#wavelengths.get(question.scheme),
      heldOut: this.#heldOut,
    };
    return operate(await this.engine(), subject, question, () => pause(job));
  }

  head({ layer, head }: HeadQuestion): HeadAnswer {
    const n = this.#ids.length;
    const details = [...this.#models].map(([scheme, model]) =>
      this.#detail(scheme, model, layer, head),
    );
    const opening = details.find((detail) => detail.pairs) ?? details[0];
    const suggested =
      opening && n > 2 ? opening.suggested : ([Math.max(0, n - 1), 0] as [number, number]);
    return {
      layer,
      head,
      tokens: this.#tokens,
      details: details.map(({ suggested: _, ...rest }) => rest),
      suggested,
    };
  }

  #detail(
    scheme: string,
    model: Model,
    layer: number,
    head: number,
  ): HeadDetail & { suggested: [number, number] } {
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
      suggested: strongestCell(map, n, (index) =>
        /\p{L}{2}|\p{Script=Han}/u.test(this.#tokens[index]!),
      ),
    };
    if (!result.pairs) return detail;
    return {
      ...detail,
      pairs: result.pairs.data,
      wavelengths: this.#wavelengths.get(scheme)!.slice(),
    };
  }
}
