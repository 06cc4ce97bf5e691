/**
 * The public types of the engine, written by hand. Option keys of each scheme are generated from
 * the scheme descriptions into `generated/schemes.ts`.
 *
 * Shape letters, the same everywhere: B batch, T queries, S keys, H query heads, K key/value heads,
 * D channels of a query or key head, Dv channels of a value head, E model width, V vocabulary.
 */
import type { SchemeId, SchemeOptions } from "./generated/schemes.js";

export type { SchemeId, SchemeOptions } from "./generated/schemes.js";

/** A dense row-major tensor of float32. `data.length` is the product of `shape`. */
export interface Tensor {
  data: Float32Array;
  shape: number[];
}

/** A tensor argument: typed array or plain numbers, with its shape. Plain numbers are copied to float32. */
export interface TensorLike {
  data: Float32Array | readonly number[];
  shape: readonly number[];
}

/** Positions of tokens, integers: one axis as a list, or `[axes, T]` for grids. */
export type Positions =
  | readonly number[]
  | Int32Array
  | { data: Int32Array | readonly number[]; shape: readonly number[] };

export type Variant = "simd" | "relaxed";

export interface LoadOptions {
  /** Which binary. `auto` (default) takes relaxed SIMD where the engine has it, else plain SIMD. */
  variant?: "auto" | Variant;
  /** Where the binary is, when it does not lie beside the package: its URL, its bytes, or the compiled module. */
  wasm?: string | URL | BufferSource | WebAssembly.Module;
  /** Cancels the download. */
  signal?: AbortSignal;
  /** Called while the binary downloads. `total` is 0 when the server does not say. */
  onProgress?: (loadedBytes: number, totalBytes: number) => void;
}

export interface SchemeOption {
  /** camelCase key, as in `wf.scheme(id, { key })`. */
  key: string;
  /** The key of Hugging Face's config.json that means the same, or "" where there is none. */
  configKey: string;
  kind: "boolean" | "integer" | "number" | "choice";
  default: boolean | number | string;
  minimum?: number;
  maximum?: number;
  choices?: string[];
}

export interface SchemeDescription {
  id: SchemeId;
  /** none, absolute, relative, rotary, latent, grid */
  family: string;
  /** Citation, e.g. "Su et al. 2021, arXiv 2104.09864". Empty where no paper introduced it. */
  paper: string;
  year: number;
  options: SchemeOption[];
  claims: {
    /** Logits depend on positions through their differences alone. */
    shiftInvariant: boolean;
    /** Defined and in range at every distance. */
    extrapolatesByConstruction: boolean;
    bidirectional: boolean;
    /** Works with a KV cache. */
    decodes: boolean;
  };
  /** Which hooks the scheme implements, computed from its class. */
  hooks: string[];
  /** Names of the terms it adds to a logit, beside `content`. */
  terms: string[];
}

export interface SchemeShape {
  /** Query heads H. */
  numHeads: number;
  /** Channels of a head D. */
  headDim: number;
  /** Key/value heads; default numHeads. */
  numKvHeads?: number;
}

/** A configured scheme. Methods that its hooks do not offer throw `unsupported`. */
export interface Scheme {
  readonly description: SchemeDescription;
  readonly options: Record<string, boolean | number | string>;
  /** Rotary schemes: x `[H,T,D]` turned by its positions. Result `[H,T,D]`. */
  rotate(x: TensorLike, positions?: Positions): Tensor;
  /** Schemes whose bias needs no content: `[H,T,S]`, added to the scaled logits. */
  bias(queryPositions: Positions, keyPositions: Positions): Tensor;
  /** Rotary schemes: radians a token turns each pair of channels by, per unit of position. */
  frequencies(sequenceLength?: number): {
    inverseFrequencies: Float32Array;
    attentionFactor: number;
  };
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface AttentionOptions {
  /** A scheme, or a list of them: their hooks run in list order. Default: none. */
  scheme?: Scheme | readonly Scheme[];
  /** Needed where no scheme says it. */
  numHeads?: number;
  headDim?: number;
  numKvHeads?: number;
  /** Channels of a value head; default headDim. */
  valueDim?: number;
  isCausal?: boolean;
  /**
   * Keys a query sees, itself included, counted back from its own index. Bidirectional attention
   * sees as many on the other side. Default: all.
   */
  slidingWindow?: number;
  /** Logits become `softcap * tanh(logit / softcap)` before the mask. Default: off. */
  softcap?: number;
  /** Above 0; replaces 1/sqrt(headDim). */
  scale?: number;
  /** A logit for each query head that takes weight but has no value. */
  sinks?: Float32Array | readonly number[];
}

/** The part of the maps to return: all, unless a list says which. Indices are sorted and distinct. */
export interface Region {
  layers?: readonly number[];
  heads?: readonly number[];
  rows?: readonly number[];
  columns?: readonly number[];
}

/** What to record. `terms` and `pairs` are the costly ones. */
export type RecordName = "weights" | "logits" | "maskedLogits" | "terms" | "pairs";

export interface AttentionInput {
  /** `[H,T,D]` or `[B,H,T,D]` */
  q: TensorLike;
  /** `[K,S,D]` or `[B,K,S,D]` */
  k: TensorLike;
  /** `[K,S,Dv]` or `[B,K,S,Dv]` */
  v: TensorLike;
  /** Positions of the queries; default queryOffset, queryOffset + 1, … */
  positions?: Positions;
  /** Positions of the keys; default 0, 1, … */
  keyPositions?: Positions;
  /** Document of each key, length S; queries take that of their own index. Tokens of different documents do not see each other. */
  segments?: readonly number[] | Int32Array;
  /** Valid keys of each batch entry (padding on the right). */
  keyLengths?: readonly number[] | Int32Array;
  /** 1 = attend (Uint8Array data) or an additive float mask; broadcastable to `[H,T,S]`. */
  mask?: { data: Uint8Array | Float32Array; shape: readonly number[] };
  /** Index of query 0 among the keys, for the causal mask; default 0, or keyLength - T with `keyLengths`. */
  queryOffset?: number;
  record?: readonly RecordName[];
  region?: Region;
}

export interface AttentionRecord {
  /** `[H',T',S']` weights after softmax, over the region's heads, rows and columns. */
  weights?: Tensor;
  /** Sum of the terms, before the mask. */
  logits?: Tensor;
  /** The same after the mask: -Infinity where masked. */
  maskedLogits?: Tensor;
  /** Named terms of every logit; they sum to `logits`. `content` is always there. */
  terms?: Record<string, Tensor>;
  /** Rotary schemes: the share of each pair of channels, `[H',T',S',D/2]`; they sum to the product of query and key. */
  pairs?: Tensor;
}

export interface AttentionResult extends AttentionRecord {
  /** `[H,T,Dv]` or `[B,H,T,Dv]` */
  output: Tensor;
}

export interface KvCache {
  readonly length: number;
  readonly capacity: number;
  /** Forgets all tokens from index `length` on. */
  truncate(length: number): void;
  clone(): KvCache;
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface Attention {
  run(input: AttentionInput): AttentionResult;
  /** Room for `capacity` tokens. */
  cache(options: { capacity: number }): KvCache;
  /** Appends k and v to the cache and attends from q, whose last row is the newest token. */
  decode(
    cache: KvCache,
    input: Pick<AttentionInput, "q" | "k" | "v" | "positions">,
  ): { output: Tensor };
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Options of a scheme; a scheme without any takes none. */
type OptionsOf<Id extends SchemeId> = keyof SchemeOptions[Id] extends never
  ? Record<string, never>
  : SchemeOptions[Id];

export type SchemeSpec =
  | SchemeId
  | { [Id in SchemeId]: { id: Id; options?: OptionsOf<Id> } }[SchemeId];

/** Sizes of a pre-norm transformer (RMSNorm, SwiGLU, head tied to the embedding), and its schemes. */
export interface ModelConfig {
  vocabSize: number;
  hiddenSize: number;
  numLayers: number;
  numHeads: number;
  /** default numHeads */
  numKvHeads?: number;
  /** default hiddenSize / numHeads */
  headDim?: number;
  intermediateSize: number;
  /** default 1e-5 */
  rmsNormEps?: number;
  /** default true */
  isCausal?: boolean;
  /** Stacked in every layer. Default "nope". */
  scheme?: SchemeSpec | readonly SchemeSpec[];
  /** Seed of fresh weights; default 0. */
  seed?: number;
}

/**
 * Where a model comes from: the URL of a folder with config.json and model.safetensors; a config, for
 * fresh weights; or the parts. `config` may be Hugging Face's (Llama's names) or this package's.
 */
export type ModelSource =
  | string
  | URL
  | ModelConfig
  | {
      config: ModelConfig | Record<string, unknown> | string | URL | Blob;
      weights: BufferSource | Blob | string | URL;
      tokenizer?: Tokenizer;
    };

/** What a model needs to read text. Any tokenizer library can be wrapped as one. */
export interface Tokenizer {
  encode(text: string): number[];
  decode(ids: readonly number[]): string;
}

export interface ModelRecord {
  /** `[L',H',T,S]`, L' and H' the region's layers and heads */
  weights?: Tensor;
  logits?: Tensor;
  maskedLogits?: Tensor;
  terms?: Record<string, Tensor>;
  pairs?: Tensor;
}

export interface ModelResult extends ModelRecord {
  ids: number[];
  /** Token texts, when the model has a tokenizer. */
  tokens: string[];
  /** Scores of the next token `[T,V]`, when `record` has "vocabularyLogits". */
  vocabularyLogits?: Tensor;
  /** Final hidden states `[T,E]`, when `record` has "hidden". */
  hidden?: Tensor;
}

export interface GenerateOptions {
  maxTokens?: number;
  /** 0 takes the likeliest token. Default 1. */
  temperature?: number;
  /** Keep the K likeliest; 0 = all. */
  topK?: number;
  /** Keep the smallest set whose probability reaches this. Default 1. */
  topP?: number;
  seed?: number;
  /** Stop after this token id. */
  stopId?: number;
  signal?: AbortSignal;
}

export interface GeneratedToken {
  id: number;
  text: string;
}

export interface Model {
  readonly config: Required<Omit<ModelConfig, "seed" | "scheme">> & {
    scheme: readonly { id: SchemeId; options: Record<string, boolean | number | string> }[];
  };
  readonly parameterCount: number;
  readonly tokenizer: Tokenizer | undefined;
  run(
    input: string | readonly number[] | Int32Array,
    options?: {
      record?: readonly (RecordName | "vocabularyLogits" | "hidden")[];
      region?: Region;
      positions?: Positions;
    },
  ): ModelResult;
  /** Mean cross-entropy in nats per token of predicting each next id, and per position. */
  loss(ids: readonly number[] | Int32Array): { mean: number; perToken: Float32Array };
  generate(
    prompt: string | readonly number[],
    options?: GenerateOptions,
  ): AsyncGenerator<GeneratedToken, void, void>;
  /** safetensors bytes. */
  save(options?: { dtype?: "f32" | "f16" }): Uint8Array;
  dispose(): void;
  [Symbol.dispose](): void;
}

export type TaskSpec =
  | { id: "language_model"; ids: readonly number[] | Int32Array | Uint16Array }
  | { id: "copy" }
  | { id: "induction" };

export interface TrainerOptions {
  config: ModelConfig;
  task: TaskSpec;
  seed?: number;
  /** Sequences in a step. Default 16. */
  batchSize?: number;
  /** Tokens in a sequence. Default 64. */
  length?: number;
  learningRate?: number;
  warmupSteps?: number;
  /** Steps after which the learning rate has come down. Default 500. */
  totalSteps?: number;
  weightDecay?: number;
  clipNorm?: number;
}

export interface Trainer {
  readonly stepsDone: number;
  /** Runs n steps and returns the loss of each, in nats per token. */
  step(n?: number): Float32Array;
  /**
   * Mean loss, in nats per scored token, on fresh sequences of the task at each length (default: the
   * training length; 16 sequences; seed 1). `language_model` draws them from its own ids: for text
   * held out, ask `model().loss(ids)`. Training's own stream of chance is not touched.
   */
  evaluate(options?: {
    lengths?: readonly number[];
    sequences?: number;
    seed?: number;
  }): { length: number; loss: number }[];
  /** A copy of the model as it is now. */
  model(): Model;
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface Engine {
  readonly variant: Variant;
  readonly version: string;
  readonly schemes: readonly SchemeDescription[];
  scheme<Id extends SchemeId>(id: Id, options: SchemeShape & SchemeOptions[Id]): Scheme;
  /**
   * Scaled dot-product attention. Errors: `invalid_argument` where sizes disagree, `unsupported` for
   * a scheme with trained parameters (those belong to a model).
   */
  attention(options: AttentionOptions): Attention;
  /**
   * The scheme that a config.json describes: this package's `schemes`, or Hugging Face's keys, v4
   * (`rope_theta`, `rope_scaling`) or v5 (`rope_parameters`). Errors: `unsupported` where the config
   * asks for what no scheme here does.
   */
  schemeFromConfig(config: Record<string, unknown>): Scheme;
  model(
    source: ModelSource,
    options?: {
      tokenizer?: Tokenizer;
      signal?: AbortSignal;
      onProgress?: (loaded: number, total: number) => void;
    },
  ): Promise<Model>;
  trainer(options: TrainerOptions): Trainer;
  /** Bytes of wasm memory. */
  memory(): number;
}

export type ErrorCode =
  | "invalid_argument"
  | "unknown_option"
  | "unknown_scheme"
  | "unsupported"
  | "out_of_memory"
  | "malformed_file"
  | "network"
  | "disposed"
  | "aborted"
  | "internal";
