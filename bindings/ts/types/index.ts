/**
 * The public types of the engine, written by hand. Option keys of each scheme are generated from
 * the scheme descriptions into `generated/schemes.ts`.
 *
 * Shape letters, the same everywhere: B batch, T queries, S keys, H query heads, K key/value heads,
 * D channels of a query or key head, Dv channels of a value head, E model width, V vocabulary.
 */

import type { SchemeId, SchemeOptions } from "../generated/schemes.js";
import type { Attention, AttentionOptions } from "./attention.js";
import type { Model, ModelSource, Tokenizer } from "./model.js";
import type { Trainer, TrainerOptions } from "./trainer.js";

export type { SchemeId, SchemeOptions } from "../generated/schemes.js";
export type * from "./attention.js";
export type * from "./model.js";
export type { TaskSpec, Trainer, TrainerOptions } from "./trainer.js";

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

/**
 * Numbers that were copied into the engine's memory once and stay there as they are: `wf.tensor`. Calls
 * that are given it copy nothing and need not look for NaN again.
 */
export interface EngineTensor {
  readonly shape: readonly number[];
  /** A copy. Errors: `disposed`. */
  read(options?: { out?: Out }): Tensor;
  /** Frees its memory now; again does nothing. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** A tensor argument of a call that may be repeated with the same numbers. */
export type Operand = TensorLike | EngineTensor;

/**
 * Memory for a result, of exactly its length, that the caller keeps: a loop which gives it takes no new
 * memory. It may be an argument's own. After an error what stands in it is not defined. Results copied
 * out of a worker have memory of their own already, so there `out` is refused (`unsupported`).
 */
export type Out = Float32Array | Tensor;

/**
 * Positions of tokens, integers below 2^30 in size: a list for a text, `[2,T]` for a grid (all rows,
 * then all columns), `[3,T]` for a video (times, rows, columns). `SchemeDescription.positionAxes`
 * says what a scheme reads; other shapes are refused.
 */
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

export type OptionValue = boolean | number | string | number[];
/** Options of a scheme, completed by defaults. A group of options is an object of its own. */
export type OptionValues = Record<string, OptionValue | Record<string, OptionValue>>;

export interface SchemeOption {
  /** camelCase key, as in `wf.scheme(id, { key })`; "group.key" where it is `{ group: { key } }`. */
  key: string;
  /**
   * The key of Hugging Face's config.json that means the same ("group.key" where it is nested), or ""
   * where there is none.
   */
  configKey: string;
  /** `list`: of numbers, empty by default. */
  kind: "boolean" | "integer" | "number" | "choice" | "list";
  default: OptionValue;
  /** Of each number of a list. */
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
  /**
   * What it does with `isCross`: nothing, what it does elsewhere with the positions of both sides, or
   * it is refused as not defined.
   */
  crossAttention: "none" | "positions" | "refused";
  /** Which hooks the scheme implements, computed from its class. */
  hooks: string[];
  /** Names of the terms it adds to a logit, beside `content`. */
  terms: string[];
  /**
   * Axes of the positions it reads: 1 for a text, 2 for a grid (row, column), 3 for a video (time, row,
   * column), where a text's one axis stands for all three; 0 for any.
   */
  positionAxes: number;
  /**
   * Families of Hugging Face's config.json that have it, as rules
   * `model_type?condition&condition:option=value` separated by spaces.
   */
  selects: string;
}

export interface SchemeShape {
  /** Query heads H. */
  numHeads: number;
  /** Channels of a head D. */
  headDim: number;
  /** Key/value heads; default numHeads. */
  numKvHeads?: number;
  /** E, of the token vectors; default numHeads · headDim. */
  hiddenSize?: number;
  /**
   * What the scheme trains: tensors by name, those left out fresh; or the seed of fresh ones, as the
   * first layer of a model of this seed begins with. Default: seed 0.
   */
  parameters?: number | Readonly<Record<string, TensorLike>>;
}

/** What a scheme adds to a model. */
export interface SchemeCost {
  /** Trained numbers that the whole model shares. */
  modelParameters: number;
  /** Trained numbers of each layer. */
  layerParameters: number;
  /** Multiplications and additions before the first layer; a sine, a logarithm or a look-up counts as one. */
  onceFlops: number;
  /** The same in each layer's attention, without a mask. */
  layerFlops: number;
  /** Numbers that a KV cache keeps for each token and layer. */
  cacheFloats: number;
}

/** A configured scheme. Methods that its hooks do not offer throw `unsupported`. */
export interface Scheme {
  readonly description: SchemeDescription;
  readonly options: OptionValues;
  /** Copies of what it trains, by name; none for a scheme that trains nothing. */
  parameters(): Record<string, Tensor>;
  /**
   * Rotary schemes: x `[H,T,D]` turned by its positions. Result `[H,T,D]`. Scalings that follow the
   * length take it to be one more than the largest position.
   */
  rotate(x: Operand, positions?: Positions, options?: { out?: Out }): Tensor;
  /**
   * Schemes that add to the token vectors: `[T,E]`, what they add at these positions, with the scheme's
   * own parameters or, where a seed is given, with fresh ones. Errors: `invalid_argument` past a table's end.
   */
  embeddings(positions: Positions, options?: { seed?: number; out?: Out }): Tensor;
  /** Schemes whose bias needs no content: `[H,T,S]`, added to the scaled logits. */
  bias(queryPositions: Positions, keyPositions: Positions, options?: { out?: Out }): Tensor;
  /**
   * Rotary schemes: radians that each pair of channels turns by for one unit of position, `[D/2]` or
   * fewer, and the factor on cosine and sine, for sequences of this length (default 1; it matters to
   * scalings that depend on it). Errors: `unsupported` without such pairs.
   */
  frequencies(sequenceLength?: number): {
    inverseFrequencies: Float32Array;
    attentionFactor: number;
  };
  /**
   * What the scheme costs in a forward pass of `queries` tokens (default 1) against `keys` (default
   * as many), in a model of this width (default numHeads · headDim).
   */
  cost(sizes?: { queries?: number; keys?: number; width?: number }): SchemeCost;
  /** Frees its memory now; again does nothing. Attention made with it goes on. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** A matrix in the engine's memory, laid out for products: `wf.matrix`. */
export interface Matrix {
  /** `[K,N]`, as products see it. */
  readonly shape: readonly [k: number, n: number];
  /** Frees its memory now; again does nothing. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Tokens that are cells of a picture, row by row, or of a video, frame by frame. */
export interface PictureBlock {
  /** Index of its first token. */
  first: number;
  /** Default 1: a picture. */
  frames?: number;
  /** Of tokens, after patches were merged. */
  rows: number;
  columns: number;
  /** Positions from frame to frame, fractions of a time dropped; default 1. */
  timeStep?: number;
}

export interface PicturePositions {
  /** `[3,T]`: times, rows, columns; a text's token has the same in all. */
  positions: { data: Int32Array; shape: number[] };
  /** A token decoded as number n (from 0) has position n + delta on all axes. */
  delta: number;
}

export interface Engine {
  readonly variant: Variant;
  /** Of the package. */
  readonly version: string;
  /** Every scheme there is, with its options. Frozen. */
  readonly schemes: readonly SchemeDescription[];
  /**
   * Configures a scheme. Errors: `unknown_scheme` and `unknown_option`, which list the known ones;
   * `invalid_argument`, which names the allowed range.
   */
  scheme<Id extends SchemeId>(id: Id, options: SchemeShape & SchemeOptions[Id]): Scheme;
  /**
   * Scaled dot-product attention. Errors: `invalid_argument` where sizes disagree, `unsupported` for
   * a scheme that is not defined across two sequences, where `isCross`.
   */
  attention(options: AttentionOptions): Attention;
  /**
   * The scheme that a config.json describes: by its family (`model_type`, see
   * `SchemeDescription.selects`), with Hugging Face's keys, v4 (`rope_theta`, `rope_scaling`) or v5
   * (`rope_parameters`, nested by type of layer or not); or this package's `schemes`. Errors:
   * `unsupported` where family or config ask for what no scheme here does, `invalid_argument` without
   * `layer` (from 0) where layers differ.
   */
  schemeFromConfig(config: Record<string, unknown>, options?: { layer?: number }): Scheme;
  /**
   * Positions of T tokens with pictures and videos among them, for schemes that read three axes, as
   * Qwen2-VL's get_rope_index. After a block the text goes on past the largest position so far
   * (default: transformers 4, with which the models came), or by as many as the block has rows or
   * columns, whichever are more (transformers 5). Errors: `invalid_argument` for blocks that overlap
   * or leave the text.
   */
  positionsWithPictures(
    tokens: number,
    blocks: readonly PictureBlock[],
    options?: { after?: "largest" | "rowsAndColumns" },
  ): PicturePositions;
  /**
   * A model from a folder, from its parts, or fresh from a config. `onProgress` counts the bytes of the
   * weights; `total` is 0 when the server does not say. Errors: `network`, `malformed_file` naming the
   * tensor that is missing, unknown or misshapen, `unsupported` for a checkpoint of another
   * architecture, `aborted`, `out_of_memory`.
   */
  model(
    source: ModelSource,
    options?: {
      tokenizer?: Tokenizer;
      signal?: AbortSignal;
      onProgress?: (loaded: number, total: number) => void;
    },
  ): Promise<Model>;
  /** A fresh model and what trains it. Errors: `invalid_argument` for a length the task has no data for. */
  trainer(options: TrainerOptions): Trainer;
  /**
   * `[M,K]` · `[K,N]` = `[M,N]`; with `transposeB` b is `[N,K]`, as weights usually are. A `Matrix` has
   * been told so already.
   */
  matmul(a: Operand, b: Operand | Matrix, options?: { transposeB?: boolean; out?: Out }): Tensor;
  /**
   * Keeps a right operand of products, so that it is copied and laid out once: weights above all.
   * Errors: as `matmul`; `out_of_memory`.
   */
  matrix(b: Operand, options?: { transposeB?: boolean }): Matrix;
  /**
   * Keeps numbers in the engine's memory: what many calls are given, such as a bias of attention. Finite,
   * or -Infinity where it is used as a mask. Errors: `invalid_argument`, `out_of_memory`.
   */
  tensor(value: TensorLike): EngineTensor;
  /** Over the last axis. */
  softmax(x: Operand, options?: { out?: Out }): Tensor;
  /**
   * Over the last axis, of E: (x - mean) / sqrt(variance + epsilon) · weight + bias (Ba et al. 2016,
   * arXiv 1607.06450, equation 4). Defaults: weight 1, bias 0, epsilon 1e-5.
   */
  layerNorm(
    x: Operand,
    options?: { weight?: Operand; bias?: Operand; epsilon?: number; out?: Out },
  ): Tensor;
  /** Bytes of wasm memory, which grows and never shrinks. At most 2 GiB. */
  memory(): number;
}

/** What went wrong, for programs. */
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
