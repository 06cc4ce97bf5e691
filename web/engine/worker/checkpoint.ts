/** A model that the reader has opened: one in a worker, which ends when the model is closed. */
import type {
  Bend,
  Engine,
  Model,
  RunOptions,
  Surgery,
  Tokenizer,
  TokenizerFiles,
} from "whereformer";
import type {
  CheckpointBend,
  EncodeAnswer,
  EncodeQuestion,
  KeptEntry,
  KeptQuestion,
  LossAnswer,
  LossQuestion,
  OneHeadAnswer,
  OneHeadQuestion,
  OpenedModel,
  OpenQuestion,
  RotaryFacts,
  ThumbnailsAnswer,
  ThumbnailsQuestion,
} from "../both/checkpoint-messages.js";
import { withoutFirstToken } from "../both/measures.js";
import { type Job, pause } from "./job.js";
import { thumbnail, thumbnailSide } from "./thumbnails.js";
import { tokenTexts } from "./token-texts.js";
import { readTokenizer } from "./tokenizer.js";

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

/** A checkpoint's own tokenizer. Its special tokens stand where they stood in training. */
async function tokenizerOf(files: TokenizerFiles): Promise<Tokenizer> {
  const library = await import("@huggingface/tokenizers");
  const made = new library.Tokenizer(files.tokenizer, files.config);
  return {
    encode: (text) => [...made.encode(text).ids],
    decode: (ids) =>
      made.decode([...ids], { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
  };
}

/** Token ids as somebody writes them. */
function writtenIds(text: string, vocabSize: number): number[] {
  const ids = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  if (ids.every((id) => Number.isInteger(id) && id >= 0 && id < vocabSize)) return ids;
  throw failure("token_ids", `token ids from 0 to ${vocabSize - 1}, with spaces between them`);
}

/** Of what is shown: of two stacks the encoder. */
const shownConfig = (model: Model) => model.encoderConfig ?? model.config;

const layerKinds = (model: Model) => {
  const config = shownConfig(model);
  return [config, ...Object.values(config.layers ?? {})];
};

function rotaryFacts(model: Model): RotaryFacts | undefined {
  const schemes = layerKinds(model).flatMap(({ scheme }) => scheme);
  const turning = schemes.find(({ options }) => "ropeTheta" in options);
  if (!turning) return undefined;
  const { ropeTheta, ropeScaling, maxPositionEmbeddings } = turning.options;
  const { ropeType } = (ropeScaling ?? {}) as { ropeType?: string };
  const said = model.configFile?.["max_position_embeddings"];
  return {
    base: Number(ropeTheta),
    method: ropeType ?? "default",
    length: typeof said === "number" ? said : Number(maxPositionEmbeddings ?? 0),
  };
}

/** A bend in the engine's words. */
function bendOf({ positions, base, method, factor, length, first, last }: CheckpointBend): Bend {
  const layers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  if (positions === "none") return { positions, layers };
  const scaling =
    method === "default"
      ? ("none" as const)
      : { ropeType: method!, factor, originalMaxPositionEmbeddings: length };
  return {
    layers,
    ...(base !== undefined && { ropeTheta: base }),
    ...(method !== undefined && { ropeScaling: scaling }),
  };
}

type Recording = Pick<RunOptions, "record" | "region">;

export class OpenedCheckpoint {
  #model: Model | undefined;
  #tokenizer: Tokenizer | undefined;

  constructor(private readonly engine: () => Promise<Engine>) {}

  /** Has everything come that opening a model takes, so that it needs no network. */
  async prepare(): Promise<true> {
    const wf = await this.engine();
    const nothing: File[] = [];
    // Refused, there being no files: but what reads them has come.
    await Promise.all([import("@huggingface/tokenizers"), wf.model(nothing).catch(() => {})]);
    return true;
  }

  async open({ source, dtype, keep }: OpenQuestion, job: Job): Promise<OpenedModel> {
    const started = performance.now();
    const wf = await this.engine();
    const { signal, progress: onProgress } = job;
    const from = "files" in source ? [...source.files] : "kept" in source ? source : source.folder;
    const options = { dtype, signal, onProgress, ...(keep !== undefined && { keep }) };
    const model = await wf.model(from as Parameters<Engine["model"]>[0], options);
    let problem = "";
    try {
      this.#tokenizer = undefined;
      if ("folder" in source)
        this.#tokenizer = await readTokenizer(new URL(source.tokenizer), signal);
      else {
        const files = await model.tokenizerFiles();
        if (files) this.#tokenizer = await tokenizerOf(files);
      }
    } catch (reason) {
      problem = (reason as Error).message;
    }
    this.#model?.dispose();
    this.#model = model;
    const { parameterCount, weightBytes } = model;
    const { numLayers, numHeads, isCausal, architecture } = shownConfig(model);
    const ids = new Set(layerKinds(model).flatMap(({ scheme }) => scheme.map(({ id }) => id)));
    const schemes = [...ids];
    const rotary = rotaryFacts(model);
    const isAdded = (id: string) =>
      wf.schemes.some((one) => one.id === id && one.hooks.includes("embeddings"));
    return {
      family: model.family ?? "",
      parameterCount,
      weightBytes,
      dtype: model.dtype,
      numLayers,
      numHeads,
      isCausal,
      hasDecoder: model.encoderConfig !== undefined,
      predicts: isCausal && architecture?.head !== "none",
      readsText: this.#tokenizer !== undefined,
      tokenizerProblem: problem,
      schemes,
      ...(rotary && { rotary }),
      bendsByLayer: !schemes.some(isAdded),
      milliseconds: performance.now() - started,
    };
  }

  get #opened(): Model {
    if (this.#model) return this.#model;
    throw failure("disposed", "no model is open");
  }

  encode({ text, longest }: EncodeQuestion): EncodeAnswer {
    const config = shownConfig(this.#opened);
    const tokenizer = this.#tokenizer;
    const all = tokenizer ? tokenizer.encode(text) : writtenIds(text, config.vocabSize);
    const ids = all.slice(0, longest);
    const tokens = tokenizer ? tokenTexts(ids, tokenizer.decode) : ids.map(String);
    return { ids, tokens, cut: all.length > ids.length };
  }

  #surgery(bend: CheckpointBend | undefined): { surgery?: readonly Surgery[] } {
    return bend ? { surgery: this.#opened.bend(bendOf(bend)).surgery } : {};
  }

  async loss({ ids, bend }: LossQuestion, job: Job): Promise<LossAnswer> {
    const model = this.#opened;
    const trained = model.loss(ids);
    if (!bend) return { trained };
    await pause(job);
    return { trained, now: model.loss(ids, this.#surgery(bend)) };
  }

  /** All that is recorded of what is shown. */
  #record(ids: readonly number[], options: Recording, bend: CheckpointBend | undefined) {
    const model = this.#opened;
    if (model.encoderConfig) return model.encode(ids, options);
    return model.run(ids, { ...options, ...this.#surgery(bend) });
  }

  thumbnails({ ids, bend, layers }: ThumbnailsQuestion): ThumbnailsAnswer {
    const n = ids.length;
    const side = thumbnailSide(n);
    const wanted: Recording = { record: ["weights"], region: { layers } };
    const { data } = this.#record(ids, wanted, bend).weights!;
    const count = data.length / (n * n);
    const weights = new Float32Array(count * side * side);
    const withoutFirst = weights.slice();
    for (let i = 0; i < count; i++) {
      const map = data.subarray(i * n * n, (i + 1) * n * n);
      const [from, to] = [i * side * side, (i + 1) * side * side];
      thumbnail(map, n, weights.subarray(from, to));
      thumbnail(withoutFirstToken(map, n), n, withoutFirst.subarray(from, to));
    }
    return { layers, side, weights, withoutFirst };
  }

  head({ ids, bend, layer, head }: OneHeadQuestion): OneHeadAnswer {
    const wanted: Recording = {
      record: ["weights", "logits", "terms"],
      region: { layers: [layer], heads: [head] },
    };
    const result = this.#record(ids, wanted, bend);
    const terms = Object.entries(result.terms ?? {}).map(([name, { data }]) => [name, data]);
    return {
      layer,
      head,
      weights: result.weights!.data,
      logits: result.logits!.data,
      terms: Object.fromEntries(terms),
    };
  }

  async kept({ remove }: KeptQuestion): Promise<KeptEntry[]> {
    const wf = await this.engine();
    if (remove !== undefined) await wf.deleteKept(remove);
    const list = await wf.keptModels();
    return list.map(({ name, bytes }) => ({ name, bytes }));
  }
}
