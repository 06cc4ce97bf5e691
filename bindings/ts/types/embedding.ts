/** The public types of texts' vectors, written by hand. */

import type { AttentionMask } from "./model-options.js";
import type { TokenIds } from "./tokenizer.js";

/**
 * How the states of a text's tokens become one vector, in sentence-transformers' words
 * (`pooling_mode`): their mean; the first or the last one; the largest of each number; the mean
 * where the t-th token counts t times; their sum divided by the root of how many they are.
 */
export type PoolingMode =
  | "mean"
  | "cls"
  | "lasttoken"
  | "max"
  | "weightedmean"
  | "mean_sqrt_len_tokens";

/** A layer that a vector goes through: activation(W x + b), plus x where it has a residual. */
export interface DenseLayer {
  readonly inFeatures: number;
  readonly outFeatures: number;
  readonly bias: boolean;
  /** PyTorch's name: "Tanh", "Identity", … */
  readonly activation: string;
  readonly residual: boolean;
}

/** How `embed` makes a text's vector where its options do not say otherwise. */
export interface Pooling {
  /**
   * Where it is said: in modules.json and the files that it names; in a GGUF file's `pooling_type`;
   * or nowhere, and then it is the mean and nothing else.
   */
  readonly from: "modules.json" | "GGUF" | "default";
  /** Several are laid one after the other. */
  readonly mode: PoolingMode | readonly PoolingMode[];
  /** In their order, after the pooling. */
  readonly dense: readonly DenseLayer[];
  /** Whether the vector is divided by its length at the end. */
  readonly normalize: boolean;
  /** Whether the tokens of a prompt are pooled with the text's. */
  readonly includePrompt: boolean;
  /** Numbers of a vector. */
  readonly dimensions: number;
  /** What may stand before a text, by name: `embed(text, { prompt: pooling.prompts.query })`. */
  readonly prompts: Readonly<Record<string, string>>;
  /** Which of them stands there where `prompt` is not given. */
  readonly defaultPrompt?: string;
  /** Tokens of a text, marks at its ends included, after which it is cut off. */
  readonly maxTokens?: number;
  /** Whether texts are read in lower case. */
  readonly lowerCase: boolean;
}

/** What `embed` takes beside texts. */
export interface EmbedOptions {
  /** In the place of the folder's; its dense layers stay. */
  pooling?: PoolingMode | readonly PoolingMode[];
  /** Whether the vector is divided by its length at the end. Default: as the folder says. */
  normalize?: boolean;
  /** What stands before each text, of texts. Default: that of `defaultPrompt`, if there is one. */
  prompt?: string | undefined;
  /**
   * Of texts given as ids: how many tokens from the first on are a prompt, which a folder may leave
   * out of the pooling (`includePrompt`). Default 0.
   */
  promptTokens?: number;
  /** Of a text given as ids; of several, one for each. Padding is not pooled. */
  attentionMask?: AttentionMask | readonly AttentionMask[];
}

/** A text, or its token ids. */
export type EmbedText = string | TokenIds;

/** A vector `[dimensions]` for a text, a list of them for a list of texts. */
export type Embedded<Input> = Input extends EmbedText ? Float32Array : Float32Array[];
