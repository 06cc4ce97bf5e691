/** The public types of models, written by hand. */

import type { SchemeId } from "../generated/schemes.js";
import type { Architecture } from "./architecture.js";
import type { AttentionRecord, Recorded, SlidingWindow } from "./attention.js";
import type { Embedded, EmbedOptions, EmbedText, Pooling } from "./embedding.js";
import type {
  GeneratedToken,
  GenerateOptions,
  LossOptions,
  ModelRecordName,
  RunOptions,
} from "./model-options.js";
import type { OptionValues } from "./scheme.js";
import type { SchemeSpec, Surgery } from "./surgery.js";
import type { Positions, Tensor } from "./tensor.js";
import type { TokenIds, Tokenizer, TokenizerFiles, TokenizerOption } from "./tokenizer.js";

/** What may differ from layer to layer. */
export interface LayerSpec {
  /** Stacked, at most four. Default: none. */
  scheme?: SchemeSpec | readonly SchemeSpec[];
  /** Keys a query sees; `sliding_window`. Default: all. */
  slidingWindow?: SlidingWindow;
  /**
   * Queries see keys of their own chunk of this many tokens; `attention_chunk_size`. Default: all.
   */
  chunkSize?: number;
  /**
   * RMSNorm of each head of queries and keys, before the schemes turn them: "weighted" has weights
   * (`q_norm`, `k_norm`: Qwen3, Gemma 3), "plain" has none (Llama 4), "whole" is one norm over all
   * heads of a token (OLMo-2). LayerNorm of each head: "layer" has weights and biases that heads
   * share (Phi), "layerHeads" has weights for each head (Cohere, StableLM). Default "none".
   */
  queryKeyNorm?: QueryKeyNorm;
}

/** Norms of queries and keys before they meet. */
export type QueryKeyNorm = "none" | "weighted" | "plain" | "whole" | "layer" | "layerHeads";

/**
 * Sizes of a transformer, by default of Llama's kind (Touvron et al. 2023, arXiv 2302.13971):
 * pre-norm, RMSNorm, attention without biases, SwiGLU, output head tied to the embedding; and its
 * schemes.
 */
export interface ModelConfig extends LayerSpec {
  /** V; `vocab_size` in config.json. */
  vocabSize: number;
  /** E; `hidden_size`. */
  hiddenSize: number;
  /** `num_hidden_layers`. */
  numLayers: number;
  /** H; `num_attention_heads`. */
  numHeads: number;
  /** K, a divisor of H; default H; `num_key_value_heads`. */
  numKvHeads?: number;
  /** D; default E / H; `head_dim`. */
  headDim?: number;
  /** Width of the feed-forward; `intermediate_size`. */
  intermediateSize: number;
  /** Default 1e-5; `rms_norm_eps`. */
  rmsNormEps?: number;
  /** Default true: a decoder. False: an encoder that sees both ways. */
  isCausal?: boolean;
  /** Standard deviation of initial weights; default 0.02; `initializer_range`. */
  initializerRange?: number;
  /** Logits become `softcap * tanh(logit / softcap)`; default 0, off; `attn_logit_softcapping`. */
  softcap?: number;
  /** As `softcap`, of the scores of the vocabulary; default 0; `final_logit_softcapping`. */
  finalSoftcap?: number;
  /**
   * Each head learns a logit that takes weight but has no value (gpt-oss's `sinks`). Default false.
   */
  sinks?: boolean;
  /** What other families have instead of Llama's blocks. Default: nothing. */
  architecture?: Architecture;
  /**
   * For models whose layers differ: the type of each layer, a name from `layers`; `layer_types`.
   * Then `scheme`, `slidingWindow` and `chunkSize` stand in `layers` only. A scheme that stands in
   * several types with the same options is one scheme: what it trains for the whole model exists
   * once.
   */
  layerTypes?: readonly string[];
  /** Up to eight types of layer, by name. */
  layers?: Readonly<Record<string, LayerSpec>>;
  /** Seed of the initial weights; default 0. */
  seed?: number;
}

/** A class that pages have, where a program's types know it: those of Node alone do not. */
type InPage<Name extends string> = Name extends Name
  ? typeof globalThis extends { [Key in Name]: { prototype: infer Instance } }
    ? Instance
    : never
  : never;

/**
 * Where a model comes from: the URL of a folder with config.json and model.safetensors (or its
 * shards and model.safetensors.index.json), or of a GGUF file, in Node a path, too; a GGUF file as
 * bytes, a Blob or a Response; the files of such a folder, or all parts of a split GGUF file,
 * chosen, dropped or in a directory's handle; what this browser keeps under a name; a config, for
 * initial weights; or the parts. `config` may be Hugging Face's or this package's; GGUF weights
 * need none. What a file is its first bytes say, whatever its name.
 */
export type ModelSource =
  | string
  | URL
  | Blob
  | ArrayBufferLike
  | ArrayBufferView
  | readonly Blob[]
  | InPage<"FileList" | "DataTransfer" | "FileSystemDirectoryHandle" | "Response">
  | ModelConfig
  | { kept: string }
  | {
      config?: ModelConfig | Record<string, unknown> | string | URL | Blob;
      weights: ArrayBufferLike | ArrayBufferView | Blob | string | URL | InPage<"Response">;
      tokenizer?: TokenizerOption;
    };

/** A model that this browser keeps. */
export interface KeptModel {
  name: string;
  /** Of all its files. */
  bytes: number;
  files: { name: string; bytes: number }[];
  /** The address that it came from, if it was one. */
  from?: string;
}

/** Other positions for a trained model. What is left out stays as it was trained. */
export interface Bend {
  /** The base of every rotary scheme. */
  ropeTheta?: number;
  /**
   * The scaling of every rotary scheme, in place of its own, in the words of the scheme's options:
   * `{ ropeType: "yarn", factor: 4 }`; "none" takes it away.
   */
  ropeScaling?: "none" | ({ ropeType: string } & Record<string, unknown>);
  /** "none" takes all schemes of the layers away; a list stands where `run` is given none. */
  positions?: "none" | Positions;
  /** Ascending; default all. */
  layers?: readonly number[];
}

/** A view of a model: the same weights under other positions. It holds no memory of its own. */
export interface BentModel {
  /** What it is made of: what `run` and `loss` of the model take. */
  readonly surgery: readonly Surgery[];
  run<const Names extends readonly ModelRecordName[] = readonly []>(
    input: string | TokenIds,
    /** Of a model with an encoder it is the decoder that is bent. */
    options?: Omit<RunOptions, "surgery"> & { record?: Names },
  ): ModelResult & Recorded<ModelResult, Names>;
  loss(
    ids: TokenIds,
    options?: { positions?: Positions; exact?: boolean; labels?: TokenIds },
  ): { mean: number; perToken: Float32Array };
  dispose(): void;
  [Symbol.dispose](): void;
}

/** As `AttentionRecord`, with the region's layers before its heads: `[L',H',T',S']`. */
export type ModelRecord = AttentionRecord;

export interface ModelResult extends ModelRecord {
  /** What was read. */
  ids: number[];
  /**
   * A label for each token: its text as it stands in the whole, with its space. A character of
   * several tokens stands at the first of them, the others are "·". Empty when the model has no
   * tokenizer.
   */
  tokens: string[];
  /** Scores of the next token before the softmax, `[T,V]`, when `record` has "vocabularyLogits". */
  vocabularyLogits?: Tensor;
  /** Hidden states after the last norm, `[T,E]`, when `record` has "hidden". */
  hidden?: Tensor;
  /**
   * Of a model with an encoder: what T decoder tokens read of the S tokens of `input`,
   * `[L',H',T',S]` over the region's layers, heads and rows.
   */
  cross?: ModelRecord;
}

/** `LayerSpec` with every option's value. */
export interface CompletedLayer {
  scheme: readonly { id: SchemeId; options: OptionValues }[];
  slidingWindow?: number;
  chunkSize?: number;
  queryKeyNorm?: QueryKeyNorm;
}

/** Of a model: what all layers have, or their types; `scheme` is then empty. */
export interface LayerConfig extends CompletedLayer {
  layerTypes?: readonly string[];
  layers?: Readonly<Record<string, CompletedLayer>>;
}

/**
 * How a model keeps the matrices of its blocks, embedding and head: in floats of 32 bits; in those
 * of 16 (as a file of that type has them, bit for bit; others are rounded to nearest, ties to
 * even); or in 8 or 4 bits, with a scale for each 32 weights of a row, embedding and head in 8.
 * Norms, biases and what schemes train or read stay floats of 32 bits.
 */
export type WeightType = "f32" | "bf16" | "f16" | "int8" | "int4";

export interface Model {
  /** Completed by defaults. */
  readonly config: Required<Omit<ModelConfig, "seed" | "architecture" | keyof LayerConfig>> &
    LayerConfig & {
      /** Where it is not Llama's: what differs. */
      readonly architecture?: Architecture;
    };
  /** Of a model that has an encoder beside its decoder: that one's. */
  readonly encoderConfig: Model["config"] | undefined;
  /** Of an encoder too, where there is one; a table of tokens that both share counts twice. */
  readonly parameterCount: number;
  readonly dtype: WeightType;
  /** Bytes that the weights take in the engine. */
  readonly weightBytes: number;
  readonly tokenizer: Tokenizer | undefined;
  /** `model_type`, of a model that was opened from files: "llama", "qwen3", … */
  readonly family: string | undefined;
  /**
   * Its config in Hugging Face's words: config.json as it is, or what a GGUF file's keys say.
   * Undefined for a model that was made from a config of this package's.
   */
  readonly configFile: Readonly<Record<string, unknown>> | undefined;
  /**
   * How `embed` makes a text's vector: as the folder's modules.json says, or a GGUF file's
   * `pooling_type`; without these it is the mean (`from: "default"`). Undefined where they say what
   * is not read here: `embed` then refuses, by name, unless it is told a `pooling`.
   */
  readonly pooling: Pooling | undefined;
  /**
   * What a tokenizer is made of, from the folder's tokenizer.json and tokenizer_config.json or from
   * a GGUF file's vocabulary; undefined where there is none. Errors: `unsupported` for a vocabulary
   * in GGUF whose rules are not known here, `malformed_file`, `network`.
   */
  tokenizerFiles(): Promise<TokenizerFiles | undefined>;
  /**
   * Reads a text (with a tokenizer) or T token ids. `positions` default to 0, 1, …, and where a
   * scheme reads a grid to the cells of the smallest square that holds the text, row by row; the
   * mask goes by index. With `surgery` the text goes through the model that it makes of this one,
   * which itself stays as it is; of a list the later ones win. Returns copies. Errors:
   * `invalid_argument` for an id outside the vocabulary, `out_of_memory`.
   *
   * Where a model has an encoder (T5, BART, Marian), that reads the input, and all else is of the
   * decoder, which reads `decoderTokens`: its maps, its scores, and in `cross` what it reads of the
   * input.
   */
  run<const Names extends readonly ModelRecordName[] = readonly []>(
    input: string | TokenIds,
    options?: RunOptions & { record?: Names },
  ): ModelResult & Recorded<ModelResult, Names>;
  /**
   * What the encoder of a model that has one makes of a text: its maps, and with "hidden" its
   * states. Errors: `unsupported` for other models, whose `run` has theirs.
   */
  encode<const Names extends readonly ModelRecordName[] = readonly []>(
    input: string | TokenIds,
    options?: Omit<RunOptions, "surgery" | "decoderTokens"> & { record?: Names },
  ): ModelResult & Recorded<ModelResult, Names>;
  /**
   * Cross-entropy, in nats, of predicting each id from those before it: the mean, and `perToken`
   * `[T-1]`. Divide by ln 2 for bits. Positions are those of all ids; the last one, which is only
   * predicted, goes unread. `surgery` as for `run`: ask twice for the loss with and without it.
   * With an encoder, which reads `ids`, it is the loss of `labels`, a number for each of them.
   */
  loss(ids: TokenIds, options?: LossOptions): { mean: number; perToken: Float32Array };
  /**
   * The model under other positions, for as long as one likes: its map and its loss, by surgery.
   * Errors: `unsupported` where no layer has a rotary scheme.
   */
  bend(bend: Bend): BentModel;
  /**
   * A text's vector, or those of a list of texts, as sentence-transformers makes them: the states
   * of its tokens after the last norm (of a model with an encoder, that one's), pooled, and then
   * through the folder's dense layers and norms (`pooling` says which). A folder of another kind
   * gives the mean. Errors: `unsupported` for modules that are not read here (CNN, LSTM, …) and
   * for GGUF's rerankers, `malformed_file` for a module whose files are not there, unless `pooling`
   * is given.
   */
  embed<const Input extends EmbedText | readonly EmbedText[]>(
    input: Input,
    options?: EmbedOptions,
  ): Embedded<Input>;
  /**
   * Continues a prompt of at least one token, one token at a time, with a KV cache; with an
   * encoder, writes what the decoder answers to it. Every token is given once, in order, and their
   * texts are to be joined as they are. Ends after `maxTokens`, or at `stopId`: a model's own token
   * for the end is not looked for. Gives way to events between tokens. Errors: `unsupported` for a
   * model that is not causal, `aborted`, `out_of_memory`; arguments are checked at the call.
   */
  generate(
    prompt: string | TokenIds,
    options?: GenerateOptions,
  ): AsyncGenerator<GeneratedToken, void, void>;
  /**
   * The weights as safetensors bytes, under Llama's names; "f32" (default) is exact. Errors:
   * `unsupported` for a model of another dtype than "f32", whose weights may have been rounded,
   * and for one with an encoder.
   */
  save(options?: { dtype?: "f32" | "f16" }): Uint8Array;
  dispose(): void;
  [Symbol.dispose](): void;
}
