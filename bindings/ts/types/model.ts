/** The public types of models. */

import type { RemappedRopeOptions, SchemeId } from "../generated/schemes.js";
import type { Architecture } from "./architecture.js";
import type { AttentionRecord, Recorded, SlidingWindow } from "./attention.js";
import type { Embedded, EmbedOptions, EmbedText, Pooling } from "./embedding.js";
import type { HeadsOptions, HeadsResult, HeadTexts } from "./heads.js";
import type { InPage } from "./in-page.js";
import type {
  GeneratedToken,
  GenerateOptions,
  Generation,
  LossOptions,
  ModelInput,
  ModelRecordName,
  RunOptions,
  SessionOptions,
} from "./model-options.js";
import type { LookOptions, Picture, Seen } from "./picture.js";
import type { OptionValues } from "./scheme.js";
import type { Session } from "./session.js";
import type { SchemeSpec, Surgery } from "./surgery.js";
import type { Positions, Tensor, TensorLike } from "./tensor.js";
import type { TokenIds, Tokenizer, TokenizerFiles, TokenizerOption } from "./tokenizer.js";

/** Settings that may differ between layers. */
export interface LayerSpec {
  /** The layer's schemes, at most four. Default: none. */
  scheme?: SchemeSpec | readonly SchemeSpec[];
  /** Keys visible to a query; `sliding_window`. Default: all. */
  slidingWindow?: SlidingWindow;
  /**
   * Size of chunks in tokens: only keys of a query's own chunk are visible to it;
   * `attention_chunk_size`. Default: all.
   */
  chunkSize?: number;
  /**
   * RMSNorm of each head of queries and keys, before the schemes transform them: "weighted" has
   * weights (`q_norm`, `k_norm`: Qwen3, Gemma 3), "plain" has none (Llama 4), "whole" is one norm
   * over all heads of a token (OLMo-2). LayerNorm of each head: "layer" has weights and biases that
   * heads share (Phi), "layerHeads" has weights for each head (Cohere, StableLM). "weightedAfter"
   * is "weighted" after the schemes' transforms (Hunyuan). Default "none".
   */
  queryKeyNorm?: QueryKeyNorm;
  /**
   * Taps of a gated short convolution that the layer has in place of attention: W · (c · (k ∗ (b ·
   * u))), where b, c and u are projections of a token, and k has taps for each channel that reach
   * to earlier tokens (LFM2). Such a layer has no scheme, and nothing of it can be recorded but its
   * part of "residual". Default 0: attention.
   */
  convolution?: number;
  /**
   * Whether the layer has the gated delta rule in place of attention (Yang et al. 2024, arXiv
   * 2412.06464; Qwen3-Next): each head keeps a matrix that every token changes and reads, so that a
   * text of any length needs as much memory. `architecture.delta…` has its sizes. Such a layer has
   * no scheme, and nothing of it can be recorded but its part of "residual", and
   * "effectiveWeights". Default false.
   */
  deltaRule?: boolean;
  /**
   * Whether the layer has Mamba-2 in place of attention (Dao & Gu 2024, arXiv 2405.21060; Granite
   * 4.0, Bamba): as `deltaRule`, but tokens only add to the matrices, and do not overwrite.
   * `architecture.delta…` has its sizes. Default false.
   */
  stateSpace?: boolean;
  /** In a model with experts: whether the layer has one feed-forward instead. Default false. */
  dense?: boolean;
}

/** Norms of queries and keys before their product. */
export type QueryKeyNorm =
  | "none"
  | "weighted"
  | "plain"
  | "whole"
  | "layer"
  | "layerHeads"
  | "weightedAfter";

/**
 * Sizes and schemes of a transformer, by default like Llama (Touvron et al. 2023, arXiv
 * 2302.13971): pre-norm, RMSNorm, attention without biases, SwiGLU, output head tied to the
 * embedding.
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
  /** ε of norms; default 1e-5; `rms_norm_eps`. */
  rmsNormEps?: number;
  /** True, the default: a decoder. False: an encoder with bidirectional attention. */
  isCausal?: boolean;
  /** Standard deviation of initial weights; default 0.02; `initializer_range`. */
  initializerRange?: number;
  /** Logits become `softcap * tanh(logit / softcap)`; default 0, off; `attn_logit_softcapping`. */
  softcap?: number;
  /** As `softcap`, for the vocabulary's logits; default 0; `final_logit_softcapping`. */
  finalSoftcap?: number;
  /**
   * Whether each attention head learns a logit that takes weight but has no value (gpt-oss's
   * `sinks`). Default false.
   */
  sinks?: boolean;
  /** How other families differ from Llama's blocks. Default: not at all. */
  architecture?: Architecture;
  /**
   * For models whose layers differ: the type of each layer, a name from `layers`; `layer_types`.
   * Then `scheme`, `slidingWindow` and `chunkSize` may be set in `layers` only. A scheme that
   * several types have with the same options is one scheme: its parameters that the whole model
   * shares exist once.
   */
  layerTypes?: readonly string[];
  /** Up to eight layer types, by name. */
  layers?: Readonly<Record<string, LayerSpec>>;
  /** Seed of the initial weights; default 0. */
  seed?: number;
}

/**
 * Source of a model: the URL of a folder with config.json and model.safetensors (or its shards and
 * model.safetensors.index.json), or of a GGUF file, in Node also a path; a GGUF file as bytes, a
 * Blob or a Response; the files of such a folder, or all parts of a split GGUF file, chosen,
 * dropped or in a directory's handle; `{ kept }`, the name of a model kept in this browser; a
 * config, for initial weights; or the parts. `config` may be Hugging Face's or this package's; GGUF
 * weights need none. Files are identified by their first bytes, whatever their names.
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

/** A model kept in this browser. */
export interface KeptModel {
  name: string;
  /** Bytes of all its files. */
  bytes: number;
  files: { name: string; bytes: number }[];
  /** The address it was fetched from, if any. */
  from?: string;
}

/**
 * Other positions for distant keys, with which a model reads longer texts than it was trained on:
 * options of the scheme `remapped_rope`.
 */
export type Remap = Pick<RemappedRopeOptions, "window" | "group" | "chunk" | "kept"> &
  Required<Pick<RemappedRopeOptions, "method">>;

/** Other positions for a trained model. Omitted settings stay as trained. */
export interface Bend {
  /** The base of every rotary scheme. */
  ropeTheta?: number;
  /**
   * The scaling of every rotary scheme, in place of its own, with the scheme's options:
   * `{ ropeType: "yarn", factor: 4 }`; "none" removes it.
   */
  ropeScaling?: "none" | ({ ropeType: string } & Record<string, unknown>);
  /**
   * Replaces every `rope` by `remapped_rope` with these options: Self-Extend, ReRoPE, Dual Chunk
   * Attention or LM-Infinite. Errors: `unsupported` if a layer rotates by another scheme.
   */
  remap?: Remap;
  /**
   * "none" removes all schemes of the layers, as DroPE does before further training; a list is the
   * default for `run`.
   */
  positions?: "none" | Positions;
  /** Layers to change, ascending; default all. */
  layers?: readonly number[];
}

/** A view of a model: the same weights with other positions. It needs no further memory. */
export interface BentModel {
  /** The equivalent surgery, as `run` and `loss` of the model take it. */
  readonly surgery: readonly Surgery[];
  run<const Names extends readonly ModelRecordName[] = readonly []>(
    input: ModelInput,
    /** For a model with an encoder, the decoder is bent. */
    options?: Omit<RunOptions, "surgery"> & { record?: Names },
  ): ModelResult & Recorded<ModelResult, Names>;
  loss(
    ids: TokenIds,
    options?: Omit<LossOptions, "surgery">,
  ): { mean: number; perToken: Float32Array };
  dispose(): void;
  [Symbol.dispose](): void;
}

/** As `AttentionRecord`, with the region's layers before its heads: `[L',H',T',S']`. */
export type ModelRecord = AttentionRecord;

export interface ModelResult extends ModelRecord {
  /** The ids of the text; empty for a run of vectors. */
  ids: number[];
  /**
   * A label for each token: its text as it appears in the whole, with its space. A character of
   * several tokens is shown at the first of them, the others are "·". Empty if the model has no
   * tokenizer.
   */
  tokens: string[];
  /**
   * The index of each token's word, from 0, for `byGroup`: letters that follow letters without a
   * space belong to one word. Empty if the model has no tokenizer.
   */
  groups: number[];
  /**
   * Logits of the next token, `[T',V]` over the region's rows, if `record` has "vocabularyLogits".
   */
  vocabularyLogits?: Tensor;
  /**
   * Hidden states after the last norm, `[T',E]` over the region's rows, if `record` has "hidden".
   */
  hidden?: Tensor;
  /**
   * The residual stream, `[L+1,T',E]` over the region's rows, if `record` has "residual": index 0
   * is before the first layer, index l + 1 after layer l. The last is before the final norm.
   */
  residual?: Tensor;
  /**
   * Outputs of the heads before the output projection, `[L',H',T',Dv]` over the region's layers,
   * heads and rows, if `record` has "headOutputs".
   */
  headOutputs?: Tensor;
  /**
   * For layers with `deltaRule` or `stateSpace`, which compute no weights: the numbers by which
   * each token's value is multiplied in the output of a head before its norm, `[L',H',T',S']` over
   * the region's layers, heads (of values), rows and columns. They are what the decays, writes and
   * overwrites of all tokens between leave of it: products and no softmax, so they may be negative
   * and sum to any number. If `record` has "effectiveWeights"; it can have no map of layers with
   * attention then.
   */
  effectiveWeights?: Tensor;
  /**
   * For a model with an encoder: maps of attention from T decoder tokens to the S tokens of
   * `input`, `[L',H',T',S]` over the region's layers, heads and rows.
   */
  cross?: ModelRecord;
}

/** `LayerSpec` with every option's value. */
export interface CompletedLayer {
  scheme: readonly { id: SchemeId; options: OptionValues }[];
  slidingWindow?: number;
  chunkSize?: number;
  queryKeyNorm?: QueryKeyNorm;
  convolution?: number;
  deltaRule?: boolean;
  stateSpace?: boolean;
  dense?: boolean;
}

/** A model's layers: the settings that all share, or the types, with `scheme` then empty. */
export interface LayerConfig extends CompletedLayer {
  layerTypes?: readonly string[];
  layers?: Readonly<Record<string, CompletedLayer>>;
}

/**
 * Type of the matrices of a model's blocks, embedding and output head: 32-bit floats; 16-bit ones
 * (bit for bit as in a file of that type; others are rounded to nearest, ties to even); or 8 or 4
 * bits, with a scale for each 32 weights of a row, embedding and output head in 8. Norms, biases
 * and parameters of schemes stay 32-bit floats.
 */
export type WeightType = "f32" | "bf16" | "f16" | "int8" | "int4";

export interface Model {
  /** Completed with defaults. */
  readonly config: Required<Omit<ModelConfig, "seed" | "architecture" | keyof LayerConfig>> &
    LayerConfig & {
      /** How the blocks differ from Llama's; absent if they do not. */
      readonly architecture?: Architecture;
    };
  /** For a model with an encoder and a decoder: the encoder's config. */
  readonly encoderConfig: Model["config"] | undefined;
  /** Includes an encoder, if there is one; a token table shared by both counts twice. */
  readonly parameterCount: number;
  readonly dtype: WeightType;
  /** Bytes of the weights in the engine. */
  readonly weightBytes: number;
  readonly tokenizer: Tokenizer | undefined;
  /**
   * Ids of the tokens that end a text: `eos_token_id` of generation_config.json or config.json, or
   * a GGUF file's end tokens. Empty if the files have none.
   */
  readonly endTokens: readonly number[];
  /** `model_type` of a model that was opened from files: "llama", "qwen3", … */
  readonly family: string | undefined;
  /**
   * Its config with Hugging Face's keys: config.json unchanged, or translated from a GGUF file's
   * keys. Undefined for a model made from a config of this package.
   */
  readonly configFile: Readonly<Record<string, unknown>> | undefined;
  /** Whether it reads pictures, by `look`, and no ids. */
  readonly readsPictures: boolean;
  /**
   * How `embed` computes a text's vector: from the folder's modules.json, or a GGUF file's
   * `pooling_type`; without these it is the mean (`from: "default"`). Undefined if they have
   * unsupported settings: `embed` then throws an error that names them, unless `pooling` is given.
   */
  readonly pooling: Pooling | undefined;
  /**
   * The files of a tokenizer, from the folder's tokenizer.json and tokenizer_config.json or from a
   * GGUF file's vocabulary; undefined if there are none. Errors: `unsupported` for a GGUF
   * vocabulary whose rules are unknown, `malformed_file`, `network`.
   */
  tokenizerFiles(): Promise<TokenizerFiles | undefined>;
  /**
   * Runs the model on a text (with a tokenizer), T token ids, or T vectors (`{ vectors }`).
   * `positions` default to 0, 1, …, and for a scheme that reads a grid to the cells of the smallest
   * square that holds the text, row by row; the mask uses indices. `surgery` runs the text through
   * a reconfigured model with ablations, and does not change this model; in a list, later surgeries
   * override earlier ones. `ablate` and `patch` replace outputs of heads, or the residual stream,
   * while the text is read. Returns copies. Errors: `invalid_argument` for an id outside the
   * vocabulary, `out_of_memory`.
   *
   * In a model with an encoder (T5, BART, Marian), the encoder reads the input, and all results are
   * of the decoder, which reads `decoderTokens`: its maps, its logits, and in `cross` its attention
   * to the input.
   */
  run<const Names extends readonly ModelRecordName[] = readonly []>(
    input: ModelInput,
    options?: RunOptions & { record?: Names },
  ): ModelResult & Recorded<ModelResult, Names>;
  /**
   * Runs the encoder of a model that has one on a text: its maps, and with "hidden" its states.
   * Errors: `unsupported` for other models; use their `run`.
   */
  encode<const Names extends readonly ModelRecordName[] = readonly []>(
    input: ModelInput,
    options?: Omit<RunOptions, "surgery" | "decoderTokens"> & { record?: Names },
  ): ModelResult & Recorded<ModelResult, Names>;
  /**
   * Runs a model of pictures (ViT, DINOv2 and v3, CLIP, SigLIP; see docs/families.md) on a picture,
   * which is resized, cropped and normalised as the folder's preprocessor_config.json says. The
   * tokens are those that `grid.special` names and then the patches, row by row; results are those
   * of `run`. Transparent pixels are over white. Errors: `unsupported` for other models,
   * `invalid_argument`.
   */
  look<const Names extends readonly ModelRecordName[] = readonly []>(
    picture: Picture,
    options?: LookOptions & { record?: Names },
  ): ModelResult & Seen & Recorded<ModelResult, Names>;
  /**
   * Cross-entropy, in nats, of predicting each id from those before it: the mean, and `perToken`
   * `[T-1]`. Divide by ln 2 for bits. Positions are those of all ids; that of the last one, which
   * is only predicted, is not used. `surgery`, `ablate` and `patch` as for `run`: call twice for
   * the loss with and without them. With an encoder, which reads `ids`, it is the loss of `labels`,
   * a number for each of them.
   */
  loss(ids: TokenIds, options?: LossOptions): { mean: number; perToken: Float32Array };
  /**
   * The model with other positions, as an object for repeated runs and losses, by surgery. Errors:
   * `unsupported` if no layer has a rotary scheme.
   */
  bend(bend: Bend): BentModel;
  /**
   * The vector of a text, or those of a list of texts, as in sentence-transformers: the states of
   * its tokens after the last norm (of the encoder, if the model has one), pooled, and then passed
   * through the folder's dense layers and norms (see `pooling`). A folder without such settings
   * gives the mean. Errors: `unsupported` for unknown modules (CNN, LSTM, …) and for GGUF's
   * rerankers, `malformed_file` for a module whose files are missing, unless `pooling` is given.
   */
  embed<const Input extends EmbedText | readonly EmbedText[]>(
    input: Input,
    options?: EmbedOptions,
  ): Embedded<Input>;
  /**
   * Measures what each head does with a text, or with several: how much of its attention goes to
   * the previous token, the first, the one that followed this token before, how far back it looks,
   * and how much of that position decides. Needs no memory for maps, so texts may be long. Errors:
   * `invalid_argument`, `out_of_memory`, `unsupported` for a model with an encoder and a decoder.
   */
  heads(input: HeadTexts, options?: HeadsOptions): HeadsResult;
  /**
   * Reads logits of the next token off the residual stream, `[…,E]` of any layer (`run` with
   * `record: ["residual"]`): the final norm and the output head, `[…,V]` (nostalgebraist 2020, the
   * logit lens). A `Float32Array` has rows of E numbers. Of the stream after the last layer these
   * are `vocabularyLogits`. Errors: `invalid_argument`, `unsupported` for a model without an output
   * head.
   */
  logitLens(residual: TensorLike | Float32Array): Tensor;
  /**
   * Continues a prompt of at least one token, one token at a time, with a KV cache; with an
   * encoder, generates the decoder's text for the prompt. Yields every token once, in order; join
   * their texts without separators. Ends after `maxTokens`, at one of the model's `endTokens`, or
   * at `stopId` or `stop`. Reads the prompt in steps, and yields to the event loop between them and
   * between tokens. The model keeps the text's keys and values until it is disposed of: of a prompt
   * that begins like the last text, only the rest is read. Errors: `unsupported` for a model that
   * is not causal, `aborted`, `out_of_memory`; arguments are checked at the call.
   */
  generate(
    prompt: string | TokenIds,
    options?: GenerateOptions,
  ): AsyncGenerator<GeneratedToken, Generation, void>;
  /**
   * A text that is read once and continued, as a chat needs it. Errors: `unsupported` for a model
   * that is not causal, and for one with an encoder.
   */
  session(options?: SessionOptions): Session;
  /**
   * The weights as safetensors bytes, with Llama's names; "f32" (default) is exact. Errors:
   * `unsupported` for a model of another dtype than "f32", whose weights may have been rounded, and
   * for one with an encoder.
   */
  save(options?: { dtype?: "f32" | "f16" }): Uint8Array;
  dispose(): void;
  [Symbol.dispose](): void;
}
