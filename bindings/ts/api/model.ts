import { attentionLayers, deltaLayers } from "../config/layer-config.js";
import { completedConfig, type ModelArguments } from "../config/model-config.js";
import { TextStream } from "../config/text-stream.js";
import { encoded } from "../config/tokenizer.js";
import { weightTypes } from "../generated/fields.js";
import type { Bytes, Model as RawModel } from "../generated/module.js";
import type {
  AttentionMask,
  Bend,
  BentModel,
  Embedded,
  EmbedOptions,
  EmbedText,
  GeneratedToken,
  GenerateOptions,
  Generation,
  HeadsOptions,
  HeadsResult,
  HeadTexts,
  LookOptions,
  LossOptions,
  Model,
  ModelInput,
  ModelRecordName,
  ModelResult,
  Picture,
  Pooling,
  Positions,
  Recorded,
  RunOptions,
  SchemeDescription,
  Seen,
  Session,
  SessionOptions,
  Tensor,
  TensorLike,
  TokenIds,
  Tokenizer,
  TokenizerFiles,
  WeightType,
} from "../types/index.js";
import { boolean, checkOptions, choice, refuse } from "../wire/arguments.js";
import { type Core, space, spaceOfFloats } from "../wire/core.js";
import { WhereformerError } from "../wire/error.js";
import { guard } from "../wire/guard.js";
import { EngineObject } from "../wire/handle.js";
import { integers, positions } from "../wire/lists.js";
import { wordsOf } from "../wire/words.js";
import { BentHandle } from "./bend.js";
import { type States, withChanges, withMemory } from "./beside.js";
import { type Embedder, embedCall } from "./embed.js";
import { generateNames, generationSettings } from "./generation.js";
import { type HeadReader, headsCall } from "./heads.js";
import { withLayout } from "./model-layout.js";
import { beginHeads, lensLogits, runText, takeRecords, takeRows } from "./model-run.js";
import {
  attentionMask,
  emptyList,
  lengthIn,
  noPadding,
  type Padding,
  paddingOf,
} from "./padding.js";
import { lookOptions, type PictureReader, pixelsOf } from "./pictures.js";
import { dimensionsOf, plainSentence, type Sentence } from "./pooling.js";
import { MatrixHandle, PlainCalls } from "./products.js";
import { checkRecord, noRecord, recordLists, recordNames } from "./recording.js";
import { endingWith, evictionOf, SessionHandle, type SessionModel } from "./session.js";
import { stateChanges } from "./states.js";
import { type LayerAblations, operation } from "./surgery.js";
import { checkFits } from "./table.js";
import { type Given, hasVectors, rowsOf, tokensIn, vectorsOf } from "./vectors.js";

const modelRecordNames: readonly ModelRecordName[] = [
  ...recordNames,
  "effectiveWeights",
  "vocabularyLogits",
  "hidden",
  "residual",
  "headOutputs",
];

/** Heads of layers with the delta rule. Errors: unsupported if `names` has maps of other layers. */
function effectiveHeads(names: ReadonlySet<string>, { architecture }: Model["config"]): number {
  for (const name of [...recordNames, "headOutputs"])
    if (names.has(name))
      refuse("record", [...names], `no "${name}" beside "effectiveWeights"`, "unsupported");
  return architecture?.deltaValueHeads ?? 0;
}

const runNames = ["record", "region", "positions", "surgery", "ablate", "patch", "attentionMask"];

const positionsGiven = (given: Positions | undefined, count: number): Int32Array =>
  given === undefined ? new Int32Array(0) : positions("positions", given, count);

/** Inputs of a model's blocks. */
interface Read extends Given {
  /** States of the other text. */
  states?: States;
}

/** The files of a model, besides its weights. */
export interface ModelFiles {
  /** config.json. */
  configFile?: Readonly<Record<string, unknown>> | undefined;
  tokenizerFiles: () => Promise<TokenizerFiles | undefined>;
  /** Ids of the tokens that end a text. */
  endTokens?: readonly number[];
  /**
   * How to compute vectors of texts, or the error that explains why it is unknown; default: the
   * mean.
   */
  sentence?: Sentence | WhereformerError | undefined;
  /** Of a model of pictures. */
  pictures?: PictureReader;
}

/** With the encoder, and the token that the decoder's texts start with. */
export interface KeptFiles extends ModelFiles {
  encoder?: { model: ModelHandle; start: number };
}

export class ModelHandle extends EngineObject<RawModel> implements Model {
  readonly config: Model["config"];
  readonly encoderConfig: Model["encoderConfig"];
  readonly parameterCount: number;
  readonly dtype: WeightType;
  readonly weightBytes: number;
  readonly tokenizer: Tokenizer | undefined;
  readonly endTokens: readonly number[];
  readonly family: string | undefined;
  readonly configFile: Readonly<Record<string, unknown>> | undefined;
  readonly #encoder: KeptFiles["encoder"];
  readonly readsPictures: boolean;
  readonly pooling: Pooling | undefined;
  readonly #tokenizerFiles: ModelFiles["tokenizerFiles"] | undefined;
  readonly #pictures: PictureReader | undefined;
  /** Projects the patches of pictures. */
  readonly #patch: MatrixHandle | undefined;
  readonly #sentence: Sentence | WhereformerError;
  readonly #schemes: readonly SchemeDescription[];
  readonly #sizes: ModelArguments;
  /** The session of the last generation, whose text the next one may continue. */
  #session: SessionHandle | undefined;
  /** The last reconfigured model with these weights. */
  #reconfigured: { key: string; model: ModelHandle } | undefined;

  constructor(
    core: Core,
    raw: RawModel,
    schemes: readonly SchemeDescription[],
    sizes: ModelArguments,
    tokenizer: Tokenizer | undefined,
    kept?: KeptFiles,
  ) {
    super(core, raw, "model");
    const { configFile, tokenizerFiles, encoder, sentence = plainSentence } = kept ?? {};
    this.endTokens = Object.freeze((kept?.endTokens ?? []).filter((id) => id < sizes.vocabSize));
    this.#encoder = encoder;
    this.encoderConfig = encoder?.model.config;
    const family = configFile?.["model_type"];
    this.family = typeof family === "string" ? family : undefined;
    this.configFile = configFile;
    this.#tokenizerFiles = tokenizerFiles;
    const pictures = kept?.pictures;
    this.#pictures = pictures;
    this.readsPictures = pictures !== undefined;
    this.#patch = pictures && new MatrixHandle(core, pictures.weight, { transposeB: true });
    this.#sentence = sentence;
    const width = (encoder?.model.config ?? sizes).hiddenSize;
    this.pooling =
      sentence instanceof WhereformerError
        ? undefined
        : Object.freeze({ ...sentence.said, dimensions: dimensionsOf(sentence, width) });
    this.#schemes = schemes;
    this.#sizes = sizes;
    [this.parameterCount, this.weightBytes, this.dtype, this.config] = core.run(0, () => [
      raw.parameterCount() + (encoder?.model.parameterCount ?? 0) + (pictures?.numbers ?? 0),
      raw.weightBytes() + (encoder?.model.weightBytes ?? 0),
      weightTypes[raw.weightType().value],
      completedConfig(sizes, (layerType, scheme, option) =>
        core.takeDoubles(raw.option(layerType, scheme, option)),
      ),
    ]);
    this.tokenizer = tokenizer;
  }

  /** @internal */
  get embedder(): Embedder {
    return { reader: this.#encoder?.model ?? this, sentence: this.#sentence };
  }

  /** @internal */
  get sizes(): ModelArguments {
    return this.#sizes;
  }

  run<const Names extends readonly ModelRecordName[] = readonly []>(
    input: ModelInput,
    options: RunOptions & { record?: Names } = {},
  ): ModelResult & Recorded<ModelResult, Names> {
    checkOptions("options", options, this.#encoder ? [...runNames, "decoderTokens"] : runNames);
    const { region, positions: given, surgery, attentionMask: mask } = options;
    const names = checkRecord(options.record, modelRecordNames);
    const text = this.#reader.#input("input", input);
    const read = this.#read(text, options.decoderTokens ?? [], mask);
    const { ids, states } = read;
    const { numLayers, vocabSize, hiddenSize } = this.config;
    const tokens = tokensIn(read, hiddenSize);
    const isEffective = names.has("effectiveWeights");
    const numHeads = isEffective ? effectiveHeads(names, this.config) : this.config.numHeads;
    const record = recordLists(names, region, { heads: numHeads, rows: tokens, columns: tokens });
    const { columns: _, ...rest } = region ?? {};
    const beside = recordLists(names, rest, { heads: numHeads, rows: tokens, columns: 0 });
    const layersOf = isEffective ? deltaLayers : attentionLayers;
    const layers = layersOf("region.layers", region?.layers, this.config);
    const positionList = positionsGiven(given, tokens);
    // With an encoder, the mask belongs to the encoder's text.
    const visible = attentionMask(states ? undefined : mask, tokens);
    if (this.#pictures?.isRotated && !positionList.length)
      refuse("positions", given, "positions [2,T] of the tokens, as look returns them");
    const { model, ablations } = this.#operated(surgery);
    const changed = stateChanges(this.config, options, tokens);
    const padding = paddingOf(model.config, this.family, ids, visible, positionList);
    if (!positionList.length)
      checkFits("input", lengthIn(padding, tokens), model.config, this.#schemes);
    const { core } = this;
    const { raw } = model;
    const rows = record.rows.length || tokens;
    const shapes = {
      residual: [numLayers + 1, rows, hiddenSize],
      headOutputs: [
        layers.length || numLayers,
        record.heads.length || numHeads,
        rows,
        core.run(0, () => raw.headWidth(layers[0] ?? 0)),
      ],
    };
    const result: ModelResult = { ids: [...ids], tokens: [], groups: [] };
    const recorded = runText(core, raw, {
      ...read,
      padding,
      layers,
      record,
      beside,
      states,
      changes: { numLayers, ablations, states: changed },
      residual: names.has("residual") ? shapes.residual : [],
      headOutputs: names.has("headOutputs") ? shapes.headOutputs : [],
    });
    Object.assign(result, recorded);
    if (record.kinds) Object.assign(result, takeRecords(core, raw, names, states !== undefined));
    if (names.has("vocabularyLogits"))
      result.vocabularyLogits = takeRows(core, tokens, record.rows, vocabSize, (...to) =>
        raw.readLogits(...to),
      );
    if (names.has("hidden"))
      result.hidden = takeRows(core, tokens, record.rows, hiddenSize, (...to) =>
        raw.readHidden(...to),
      );
    // Last: a tokenizer may run this model, which overwrites the result.
    if (this.tokenizer) {
      result.tokens = TextStream.labels(this.tokenizer, result.ids);
      result.groups = wordsOf(result.tokens);
    }
    return result as ModelResult & Recorded<ModelResult, Names>;
  }

  encode<const Names extends readonly ModelRecordName[] = readonly []>(
    input: ModelInput,
    options: Omit<RunOptions, "surgery" | "decoderTokens"> & { record?: Names } = {},
  ): ModelResult & Recorded<ModelResult, Names> {
    const known = runNames.filter((name) => name !== "surgery");
    checkOptions("options", options, known);
    return this.#encoder
      ? this.#encoder.model.run(input, options)
      : refuse("encode", this.family ?? "model", "a model with an encoder", "unsupported");
  }

  look<const Names extends readonly ModelRecordName[] = readonly []>(
    picture: Picture,
    options: LookOptions & { record?: Names } = {},
  ): ModelResult & Seen & Recorded<ModelResult, Names> {
    const reader =
      this.#pictures ??
      refuse("look", this.family ?? "model", "a model that reads pictures", "unsupported");
    const { size, pixels, rest } = lookOptions(options);
    const read = reader.patchesOf(pixelsOf("picture", picture), size);
    const { data } = new PlainCalls(this.core).matmul(read.patches, this.#patch!);
    const vectors = reader.vectorsOf(data, read);
    const positions = reader.positionsOf(read);
    const withPositions = positions && { positions };
    const seen: Seen = {
      grid: read.grid,
      ...withPositions,
      ...(pixels && { pixels: read.pixels() }),
    };
    const run = this.run({ vectors }, { ...rest, ...withPositions });
    return Object.assign(run, seen) as ModelResult & Seen & Recorded<ModelResult, Names>;
  }

  embed<const Input extends EmbedText | readonly EmbedText[]>(
    input: Input,
    options: EmbedOptions = {},
  ): Embedded<Input> {
    const { isList, count, vectorOf } = embedCall(this.embedder, input, options);
    const vectors = Array.from({ length: count }, (_, i) => vectorOf(i));
    return (isList ? vectors : vectors[0]) as Embedded<Input>;
  }

  heads(input: HeadTexts, options: HeadsOptions = {}): HeadsResult {
    const call = headsCall(this.headReader, input, options);
    for (const _ of call.steps());
    return call.result();
  }

  /** @internal */
  get headReader(): HeadReader {
    return {
      config: this.config,
      idsOf: (argument, text) => this.#measuredIds(argument, text),
      begin: (argument, ids, { layers, heads }) =>
        beginHeads(this.core, this.raw, {
          ids,
          padding: this.#plainPadding(argument, ids),
          layers,
          record: { ...noRecord, heads },
        }),
    };
  }

  #measuredIds(argument: string, text: unknown): Int32Array {
    if (this.#encoder)
      refuse("heads", this.family ?? "model", "a model without an encoder", "unsupported");
    return this.#ids(argument, text, 1);
  }

  #plainPadding(argument: string, ids: Int32Array): Padding {
    const visible = attentionMask(undefined, ids.length);
    const padding = paddingOf(this.config, this.family, ids, visible, new Int32Array(0));
    checkFits(argument, lengthIn(padding, ids.length), this.config, this.#schemes);
    return padding;
  }

  logitLens(residual: TensorLike | Float32Array): Tensor {
    const { core, raw, config } = this;
    const { data, shape } = rowsOf("residual", residual, config.hiddenSize);
    return {
      data: lensLogits(core, raw, data, config),
      shape: [...shape.slice(0, -1), config.vocabSize],
    };
  }

  async tokenizerFiles(): Promise<TokenizerFiles | undefined> {
    return this.#tokenizerFiles?.();
  }

  loss(ids: TokenIds, options: LossOptions = {}): { mean: number; perToken: Float32Array } {
    const known = ["positions", "surgery", "ablate", "patch", "exact"];
    checkOptions("options", options, this.#encoder ? [...known, "labels"] : known);
    const isExact = boolean("exact", options.exact ?? true);
    const { list, states } = this.#predicted(ids, options.labels);
    // The last token is predicted only, not read as input.
    const read = positionsGiven(options.positions, list.length).filter(
      (_, i) => (i + 1) % list.length,
    );
    const { model, ablations } = this.#operated(options.surgery);
    const { core } = this;
    const { raw } = model;
    const count = list.length - 1;
    if (!read.length) checkFits("ids", count, model.config, this.#schemes);
    const { numLayers } = this.config;
    const changes = { numLayers, ablations, states: stateChanges(this.config, options, count) };
    return withMemory(core, raw, states, (memory) =>
      withChanges(core, raw, changes, (changed) =>
        core.run(space(list) + space(read) + spaceOfFloats(count), () => {
          const text = {
            ids: core.list(list),
            positions: core.list(read),
            padding: noPadding,
            vectors: emptyList,
          };
          const to = core.room(count);
          const { code, mean } = raw.loss(text, changed, to, count, memory, isExact);
          core.check(code);
          return { mean, perToken: core.take(to, count) };
        }),
      ),
    );
  }

  bend(bend: Bend): BentModel {
    return new BentHandle(this, bend, this.#schemes);
  }

  /** The model that a surgery makes of this one, and the ablations of its layers. */
  #operated(surgery: unknown): { model: ModelHandle; ablations: LayerAblations } {
    const { core, raw, tokenizer } = this;
    const { sizes, ablations } = operation(this.#schemes, this.#sizes, surgery);
    if (sizes === this.#sizes) return { model: this, ablations };
    const key = layersKey(sizes);
    if (this.#reconfigured?.key !== key) {
      this.#reconfigured?.model.dispose();
      this.#reconfigured = undefined;
      const made = withLayout(core, sizes, (layout) =>
        core.run(0, () => core.made(raw.reconfigured(layout, sizes.seed))),
      );
      const model = new ModelHandle(core, made, this.#schemes, sizes, tokenizer);
      this.#reconfigured = { key, model };
    }
    return { model: this.#reconfigured.model, ablations };
  }

  override dispose(): void {
    this.#reconfigured?.model.dispose();
    SessionHandle.release(this.#session);
    this.#encoder?.model.dispose();
    this.#patch?.dispose();
    super.dispose();
  }

  generate(
    prompt: string | TokenIds,
    options: GenerateOptions = {},
  ): AsyncGenerator<GeneratedToken, Generation, void> {
    checkOptions("options", options, generateNames);
    const { exact, ...rest } = options;
    const isExact = boolean("exact", exact ?? false);
    generationSettings(rest, this);
    const { ids, states } = this.#read({ ids: this.#reader.#ids("prompt", prompt, 1) }, []);
    const { core, raw } = this;
    if (states)
      return withMemory(core, raw, states, (memory) =>
        endingWith(SessionHandle.make(this.#sessionModel, { isExact }, memory), ids, rest),
      );
    if (this.#session?.isExact !== isExact || this.#session.isBusy) {
      const session = SessionHandle.make(this.#sessionModel, { isExact });
      if (this.#session?.isBusy) return endingWith(session, ids, rest);
      this.#session?.dispose();
      this.#session = session;
    }
    return this.#session.generate(ids, rest);
  }

  session(options: SessionOptions = {}): Session {
    checkOptions("options", options, ["exact", "eviction"]);
    const isExact = boolean("exact", options.exact ?? false);
    if (this.#encoder)
      refuse("session", this.family ?? "model", "a model without an encoder", "unsupported");
    const eviction = evictionOf(options.eviction, this.config);
    return SessionHandle.make(this.#sessionModel, { isExact, eviction });
  }

  get #sessionModel(): SessionModel {
    const { core, config, tokenizer, endTokens } = this;
    // A session keeps this model, which a caller need not, so that it is not collected and freed.
    const raw = () => this.raw;
    return { core, raw, config, schemes: this.#schemes, tokenizer, endTokens };
  }

  save(options: { dtype?: "f32" | "f16" } = {}): Uint8Array {
    checkOptions("options", options, ["dtype"]);
    const dtype = choice("dtype", options.dtype ?? "f32", ["f32", "f16"]);
    if (this.#encoder) refuse("save", this.family, "a model without an encoder", "unsupported");
    if (this.#pictures) refuse("save", this.family, "a model that reads texts", "unsupported");
    const { core, raw } = this;
    return readBytes(
      core,
      core.run(0, () => core.made(raw.save(dtype === "f16"))),
    );
  }

  /** The model that reads the input of a run: the encoder, if there is one. */
  get #reader(): ModelHandle {
    return this.#encoder?.model ?? this;
  }

  #input(argument: string, value: unknown): Given {
    return hasVectors(value)
      ? vectorsOf(argument, value, this.config.hiddenSize)
      : { ids: this.#ids(argument, value, 1) };
  }

  /** The inputs of the blocks: a text, and the states of the other one if there is one. */
  #read(given: Given, decoderTokens: unknown, mask?: AttentionMask): Read {
    if (!this.#encoder) return given;
    const { model, start } = this.#encoder;
    const tokens = this.#ids("decoderTokens", decoderTokens, 0);
    const visible = attentionMask(mask, tokensIn(given, model.config.hiddenSize));
    const masked = mask === undefined ? {} : { attentionMask: visible };
    const { ids, vectors } = given;
    const { hidden } = model.run(vectors ? { vectors } : ids, { record: ["hidden"], ...masked });
    return {
      ids: tokens.length ? tokens : this.#ids("decoder_start_token_id", [start], 1),
      states: { ...hidden!, visible },
    };
  }

  /** A text whose tokens after the first are predicted. */
  #predicted(ids: unknown, labels: unknown): { list: Int32Array; states?: States } {
    if (!this.#encoder) return { list: this.#ids("ids", ids, 2) };
    const { ids: begin, states } = this.#read({ ids: this.#reader.#ids("ids", ids, 1) }, []);
    const list = Int32Array.of(begin[0]!, ...this.#ids("labels", labels, 1));
    return { list, ...(states && { states }) };
  }

  #ids(argument: string, value: unknown, min: number): Int32Array {
    if (this.#pictures)
      refuse(argument, value, "{ vectors }; look reads this model's pictures", "unsupported");
    const ids = integers(
      argument,
      encoded(argument, value, this.tokenizer),
      0,
      this.config.vocabSize - 1,
    );
    return ids.length >= min
      ? ids
      : refuse(`${argument}.length`, ids.length, `${min} or more token ids`);
  }
}

guard(ModelHandle, {
  run: 2,
  encode: 2,
  look: 2,
  embed: 2,
  heads: 2,
  logitLens: 1,
  tokenizerFiles: 0,
  loss: 2,
  bend: 1,
  generate: 2,
  session: 1,
  save: 1,
});

/** Identifies a model's layers among models of the same sizes. */
const layersKey = ({ types, typeOfLayer }: ModelArguments): string =>
  JSON.stringify([
    typeOfLayer,
    types.map(({ schemes, ...rest }) => [rest, schemes.map(({ choice }) => choice)]),
  ]);

/** Copies a file's bytes out of the engine, then frees them there. */
export const readBytes = (core: Core, made: Bytes): Uint8Array =>
  core.using(made, (bytes) => core.run(0, () => core.takeBytes(bytes.list())));
