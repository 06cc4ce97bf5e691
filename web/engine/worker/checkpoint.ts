/** A model that the reader has opened; each worker has one, and ends when it is closed. */
import type {
  Bend,
  Engine,
  Model,
  ModelResult,
  RunOptions,
  Surgery,
  Tokenizer,
  TokenizerFiles,
} from "whereformer";
import type { Job } from "whereformer/requests";
import type {
  CheckpointBend,
  EncodeAnswer,
  EncodeQuestion,
  KeptEntry,
  KeptQuestion,
  LayerTypeFacts,
  LookAnswer,
  LookQuestion,
  LookRowAnswer,
  LookRowQuestion,
  LossAnswer,
  LossQuestion,
  MapsQuestion,
  MeasuredHeadsAnswer,
  MeasuredHeadsQuestion,
  OneHeadAnswer,
  OneHeadQuestion,
  OpenedMapAnswer,
  OpenedMapQuestion,
  OpenedModel,
  OpenQuestion,
  RotaryFacts,
  ThumbnailsAnswer,
  ThumbnailsQuestion,
} from "../both/checkpoint-messages.js";
import { type Failure, failureOf } from "../both/failure.js";
import { withoutFirstToken } from "../both/measures.js";
import { remapOf } from "../both/remap.js";
import { yieldToUrgent } from "./job.js";
import { LookedAt } from "./looked-at.js";
import { openedMap } from "./opened-map.js";
import { thumbnail, thumbnailSize } from "./thumbnails.js";
import { tokenTexts } from "./token-texts.js";
import { readTokenizer } from "./tokenizer.js";
import { wavelengthsOf } from "./wavelengths.js";

const failure = (code: string, message: string, facts?: Record<string, number>) =>
  Object.assign(new Error(message), { code, facts });

/** Reads a checkpoint's tokenizer. Special tokens are placed as in training. */
async function tokenizerOf(files: TokenizerFiles): Promise<Tokenizer> {
  const library = await import("@huggingface/tokenizers");
  const made = new library.Tokenizer(files.tokenizer, files.config);
  return {
    encode: (text) => [...made.encode(text).ids],
    decode: (ids) =>
      made.decode([...ids], { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
  };
}

/** Parses token ids from a typed text. */
function writtenIds(text: string, vocabSize: number): number[] {
  const ids = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  if (ids.every((id) => Number.isInteger(id) && id >= 0 && id < vocabSize)) return ids;
  const max = vocabSize - 1;
  throw failure("token_ids", `token ids from 0 to ${max}, with spaces between them`, { max });
}

const schemesOf = (config: Model["config"]) =>
  [config, ...Object.values(config.layers ?? {})].flatMap(({ scheme }) => scheme);

function rotaryFacts(config: Model["config"], file: Model["configFile"]): RotaryFacts | undefined {
  const rotary = schemesOf(config).find(({ options }) => "ropeTheta" in options);
  if (!rotary) return undefined;
  const { ropeTheta, ropeScaling, maxPositionEmbeddings } = rotary.options;
  const { ropeType } = (ropeScaling ?? {}) as { ropeType?: string };
  const said = file?.["max_position_embeddings"];
  return {
    base: Number(ropeTheta),
    method: ropeType ?? "default",
    length: typeof said === "number" ? said : Number(maxPositionEmbeddings ?? 0),
  };
}

function layerTypeFacts(
  wf: Engine,
  config: Model["config"],
  file: Model["configFile"],
): LayerTypeFacts {
  const { numLayers, numHeads, isCausal } = config;
  const schemes = [...new Set(schemesOf(config).map(({ id }) => id))];
  const isAdded = (id: string) =>
    wf.schemes.some((one) => one.id === id && one.hooks.includes("embeddings"));
  const rotary = rotaryFacts(config, file);
  return {
    numLayers,
    numHeads,
    isCausal,
    schemes,
    ...(rotary && { rotary }),
    bendsByLayer: !schemes.some(isAdded),
  };
}

/** Returns a bend in the engine's form. */
function bendOf(bend: CheckpointBend): Bend {
  const { positions, base, method, factor, length, remap, group, first, last } = bend;
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
    ...(remap !== undefined && { remap: remapOf(remap, group) }),
  };
}

type Recording = Pick<RunOptions, "record" | "region">;
type Recorded = NonNullable<ModelResult["cross"]>;

export class OpenedCheckpoint {
  #model: Model | undefined;
  #tokenizer: Tokenizer | undefined;
  /** Ids with which the decoder's input begins. */
  #start: readonly number[] = [];

  #lookedAt: LookedAt | undefined;

  constructor(private readonly engine: () => Promise<Engine>) {}

  /** Loads all code that opening a model needs, so that opening needs no network. */
  async prepare(): Promise<true> {
    const wf = await this.engine();
    const nothing: File[] = [];
    // Rejects without files, but loads the code that reads them.
    await Promise.all([import("@huggingface/tokenizers"), wf.model(nothing).catch(() => {})]);
    return true;
  }

  async open({ source, reads, dtype, keep }: OpenQuestion, job: Job): Promise<OpenedModel> {
    const started = performance.now();
    const wf = await this.engine();
    const { signal, progress: onProgress } = job;
    const from = "files" in source ? [...source.files] : "kept" in source ? source : source.folder;
    const options = { dtype, signal, onProgress, ...(keep !== undefined && { keep }) };
    const model = await wf.model(from as Parameters<Engine["model"]>[0], options);
    if (model.readsPictures !== (reads === "pictures")) {
      model.dispose();
      const { family } = model;
      const other = model.readsPictures ? "pictures, not texts" : "texts, not pictures";
      throw failure("unsupported", `model_type "${family}", a model that reads ${other}`);
    }
    let tokenizerProblem: Failure | undefined;
    try {
      this.#tokenizer = undefined;
      if ("folder" in source) {
        if (source.tokenizer)
          this.#tokenizer = await readTokenizer(new URL(source.tokenizer), signal);
      } else if (reads === "texts") {
        const files = await model.tokenizerFiles();
        if (files) this.#tokenizer = await tokenizerOf(files);
      }
    } catch (reason) {
      tokenizerProblem = failureOf(reason);
    }
    this.#model?.dispose();
    this.#model = model;
    this.#lookedAt = new LookedAt(model);
    const { parameterCount, weightBytes, config, encoderConfig, configFile } = model;
    // For an empty text, a decoder reads its start token.
    this.#start = encoderConfig ? model.run([0]).ids : [];
    return {
      ...layerTypeFacts(wf, encoderConfig ?? config, configFile),
      ...(encoderConfig && { decoder: layerTypeFacts(wf, config, configFile) }),
      family: model.family ?? "",
      parameterCount,
      weightBytes,
      dtype: model.dtype,
      predicts: config.isCausal && config.architecture?.head !== "none",
      readsText: this.#tokenizer !== undefined,
      ...(tokenizerProblem && { tokenizerProblem }),
      milliseconds: performance.now() - started,
    };
  }

  get #opened(): Model {
    if (this.#model) return this.#model;
    throw failure("disposed", "no model is open");
  }

  encode({ text, longest, isWritten }: EncodeQuestion): EncodeAnswer {
    const { config, encoderConfig } = this.#opened;
    const { vocabSize } = isWritten ? config : (encoderConfig ?? config);
    const tokenizer = this.#tokenizer;
    const encoded = tokenizer ? tokenizer.encode(text) : writtenIds(text, vocabSize);
    const all = isWritten ? [...this.#start, ...encoded] : encoded;
    const ids = all.slice(0, longest);
    const tokens = tokenizer ? tokenTexts(ids, tokenizer.decode) : ids.map(String);
    return { ids, tokens, isShortened: all.length > ids.length };
  }

  #surgery(bend: CheckpointBend | undefined): { surgery?: readonly Surgery[] } {
    return bend ? { surgery: this.#opened.bend(bendOf(bend)).surgery } : {};
  }

  async loss({ ids, written, bend }: LossQuestion, job: Job): Promise<LossAnswer> {
    const model = this.#opened;
    // The start token of the decoder has no label of its own.
    const labels = written && { labels: written.slice(1) };
    const trained = model.loss(ids, { ...labels });
    if (!bend) return { trained };
    await yieldToUrgent(job);
    return { trained, now: model.loss(ids, { ...labels, ...this.#surgery(bend) }) };
  }

  /** Runs the model and records what the map shows. */
  #record({ ids, written, part, bend }: MapsQuestion, options: Recording): Recorded {
    const model = this.#opened;
    if (part === "encoder") return model.encode(ids, options);
    const decoderTokens = written && { decoderTokens: written };
    const result = model.run(ids, { ...options, ...decoderTokens, ...this.#surgery(bend) });
    return part === "cross" ? result.cross! : result;
  }

  thumbnails(question: ThumbnailsQuestion): ThumbnailsAnswer {
    const { layers } = question;
    const { data, shape } = this.#record(question, {
      record: ["weights"],
      region: { layers },
    }).weights!;
    const [, , rows, columns] = shape as [number, number, number, number];
    const small = thumbnailSize(rows, columns);
    const [area, into] = [rows * columns, small.rows * small.columns];
    const weights = new Float32Array((data.length / area) * into);
    const withoutFirst = weights.slice();
    for (let i = 0; i < data.length / area; i++) {
      const map = data.subarray(i * area, (i + 1) * area);
      const rest = withoutFirstToken(map, columns);
      thumbnail(map, rows, columns, weights.subarray(i * into, (i + 1) * into));
      thumbnail(rest, rows, columns, withoutFirst.subarray(i * into, (i + 1) * into));
    }
    return { layers, ...small, weights, withoutFirst };
  }

  head(question: OneHeadQuestion): OneHeadAnswer {
    const { layer, head, part } = question;
    const wanted: Recording = {
      record: ["weights", "logits", "terms"],
      region: { layers: [layer], heads: [head] },
    };
    const result = this.#record(question, wanted);
    const terms = Object.entries(result.terms ?? {}).map(([name, { data }]) => [name, data]);
    return {
      ...(part && { part }),
      layer,
      head,
      weights: result.weights!.data,
      logits: result.logits!.data,
      terms: Object.fromEntries(terms),
    };
  }

  async measures({ ids }: MeasuredHeadsQuestion): Promise<MeasuredHeadsAnswer> {
    const model = this.#opened;
    const { measures, pairShares } = model.heads(ids);
    const means = Object.entries(measures).map(([name, { mean }]) => [name, mean.data]);
    const wavelengths = wavelengthsOf(await this.engine(), model);
    const isWhole = wavelengths?.length === pairShares.shape[2];
    return {
      measures: Object.fromEntries(means),
      ...(wavelengths && isWhole && { pairs: { shares: pairShares.data, wavelengths } }),
    };
  }

  /** Returns a map of the lab's text, cut to the length that is allowed for a model of any size. */
  async map(question: OpenedMapQuestion, job: Job): Promise<OpenedMapAnswer> {
    const encoded = this.encode(question);
    return {
      ...question,
      ...encoded,
      ...(await openedMap(await this.engine(), this.#opened, question, encoded.ids, job)),
    };
  }

  get #looks(): LookedAt {
    if (this.#lookedAt) return this.#lookedAt;
    throw failure("disposed", "no model is open");
  }

  look(question: LookQuestion): LookAnswer {
    return this.#looks.look(question);
  }

  lookRow(question: LookRowQuestion): LookRowAnswer {
    return this.#looks.row(question);
  }

  async kept({ remove }: KeptQuestion): Promise<KeptEntry[]> {
    const wf = await this.engine();
    if (remove !== undefined) await wf.deleteKept(remove);
    const list = await wf.keptModels();
    return list.map(({ name, bytes }) => ({ name, bytes }));
  }
}
