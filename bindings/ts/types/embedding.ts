/** The public types of texts' vectors. */

import type { AttentionMask } from "./model-options.js";
import type { TokenIds } from "./tokenizer.js";

/**
 * How the states of a text's tokens become one vector, in sentence-transformers' terms
 * (`pooling_mode`): their mean; the first or the last one; the maximum of each channel; the mean in
 * which the t-th token has weight t; their sum divided by the square root of their number.
 */
export type PoolingMode =
  | "mean"
  | "cls"
  | "lasttoken"
  | "max"
  | "weightedmean"
  | "mean_sqrt_len_tokens";

/** A layer applied to a vector: activation(W x + b), plus x if it has a residual. */
export interface DenseLayer {
  readonly inFeatures: number;
  readonly outFeatures: number;
  readonly bias: boolean;
  /** PyTorch's name: "Tanh", "Identity", … */
  readonly activation: string;
  readonly residual: boolean;
}

/** How `embed` computes a text's vector unless its options differ. */
export interface Pooling {
  /**
   * Source of these settings: modules.json and the files that it names; a GGUF file's
   * `pooling_type`; or "default", the mean and nothing else.
   */
  readonly from: "modules.json" | "GGUF" | "default";
  /** The vectors of several modes are concatenated. */
  readonly mode: PoolingMode | readonly PoolingMode[];
  /** In order, after the pooling. */
  readonly dense: readonly DenseLayer[];
  /** Whether the vector is normalised to unit length at the end. */
  readonly normalize: boolean;
  /** Whether the tokens of a prompt are pooled with the text's. */
  readonly includePrompt: boolean;
  /** Length of the vector. */
  readonly dimensions: number;
  /** Prompts for texts, by name: `embed(text, { prompt: pooling.prompts.query })`. */
  readonly prompts: Readonly<Record<string, string>>;
  /** Name of the prompt that is used if `prompt` is not given. */
  readonly defaultPrompt?: string;
  /** Maximum tokens of a text, special tokens included; longer texts are truncated. */
  readonly maxTokens?: number;
  /** Whether texts are converted to lower case. */
  readonly lowerCase: boolean;
}

/** Options of `embed`. */
export interface EmbedOptions {
  /** Replaces the folder's pooling; its dense layers stay. */
  pooling?: PoolingMode | readonly PoolingMode[];
  /** Whether the vector is normalised to unit length at the end. Default: the folder's setting. */
  normalize?: boolean;
  /** Text before each input, for texts. Default: that of `defaultPrompt`, if there is one. */
  prompt?: string | undefined;
  /**
   * For texts given as ids: number of tokens at the beginning that are a prompt, which a folder may
   * leave out of the pooling (`includePrompt`). Default 0.
   */
  promptTokens?: number;
  /** Mask of a text given as ids; for several, one for each. Padding is not pooled. */
  attentionMask?: AttentionMask | readonly AttentionMask[];
}

/** A text, or its token ids. */
export type EmbedText = string | TokenIds;

/** A vector `[dimensions]` for a text, a list of them for a list of texts. */
export type Embedded<Input> = Input extends EmbedText ? Float32Array : Float32Array[];
