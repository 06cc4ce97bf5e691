/**
 * A family of models: how its config.json gives sizes and arithmetic, and how tensors of a file map
 * to the model's. One file for each family, one line in list.ts, and its name in schemes-of.ts;
 * nothing else has its name.
 */

import type { ModelArguments } from "../config/model-config.js";
import type { planFlags } from "../generated/fields.js";
import type { Architecture, ModelConfig } from "../types/index.js";
import type { ConfigClass, ConfigReader } from "./config-reader.js";

/** A letter that the engine reads too, or a word that plan.ts alone reads. */
type Flag = (typeof planFlags)[keyof typeof planFlags] | "heads" | "gamma" | "exact";

/**
 * The source of tensors: this package's names, separated by spaces if the file has them in one
 * tensor; the file's name; flags. Both without ".weight" and ".bias", "#" for the number of a
 * layer, and "%" in the file's name for that of a head or an expert, if each has its own tensor.
 * Flags: "T" the file has the transpose, "L" it has a list of matrices, one for each expert,
 * "F" the file's tensor has more dimensions than ours, "1" one is added to the weight, "P" rotated
 * pairs are adjacent, "S" the halves of a head are exchanged, "heads" queries, keys and values are
 * interleaved by head, "gamma" older files have .gamma and .beta, "exact" the names are complete.
 */
export type TensorRule = readonly [
  ours: string,
  theirs: string,
  flags?: Flag | `${Flag} ${Flag}` | `${Flag} ${Flag} ${Flag}` | "",
  slice?: {
    /** The first row to read from the file's tensor, and the number of rows. */
    rows?: readonly [first: number, count: number];
    /** The first row, the rows of a piece, and the rows from one piece to the next. */
    every?: readonly [first: number, block: number, stride: number];
    /** Offset of the file's rows in our tensor. */
    into?: number;
  },
];

type Sizes = Pick<
  ModelConfig,
  | "vocabSize"
  | "hiddenSize"
  | "numLayers"
  | "numHeads"
  | "numKvHeads"
  | "headDim"
  | "intermediateSize"
  | "rmsNormEps"
  | "softcap"
  | "finalSoftcap"
  | "isCausal"
  | "sinks"
>;

/** A tensor of equal numbers, added to a model's files. */
export interface Constant {
  name: string;
  count: number;
  value: number;
}

/** Weights that a family has not: those of a norm, and of the biases of a part. */
export const ones = (count: number): Constant => ({ name: "whereformer.ones", count, value: 1 });
export const zeros = (count: number): Constant => ({ name: "whereformer.zeros", count, value: 0 });

/** The contents of a family's config.json, in this package's words. */
export interface FamilyConfig extends Sizes {
  architecture: Architecture;
  tensors: readonly TensorRule[];
  /** Optional prefix of all names in a file. */
  prefix: string;
  /** Tensors of a file to skip, separated by spaces; `*` at an end matches anything. */
  passes?: string;
  /** Pairs of complete names in a file: the first, if present, must hold the second's numbers. */
  copies?: readonly (readonly [string, string])[];
  /** The output head's name, or several possible ones separated by |. Default "lm_head". */
  head?: string;
  /** Values for layers that the file omits, with config.json's keys. */
  layers?: Record<string, unknown>;
  /** In a model with experts: for each layer, whether its feed-forward is dense. Default: none. */
  dense?: readonly boolean[];
  /** Tensors that a file lacks and `tensors` names: each has one number everywhere. */
  constants?: readonly Constant[];
  /** The encoder whose states the blocks read by cross-attention. */
  encoder?: FamilyConfig;
  /** With an encoder: the token that the decoder's texts begin with. */
  start?: number;
}

/** A config, checked, and the plan to read its model's tensors from files. */
export interface ConfigAndPlan {
  config: ModelArguments;
  /**
   * Writes the plan as src/model/tensor_plan.h has it, for a config that the engine has accepted;
   * empty if tensors have this package's names.
   */
  plan: () => string;
}

/** The result of reading a config.json. */
export interface ReadConfig extends ConfigAndPlan {
  /** Of an encoder-decoder, with the token that the decoder's texts begin with. */
  encoder?: ConfigAndPlan & { start: number };
  /** Tensors to add to the files. */
  constants?: readonly Constant[];
  /** Whether encoder and decoder share one embedding, which is then read once. */
  sharesEmbedding?: boolean;
  /** Sizes that the file omits, as text; empty if there are none. */
  leftOut?: string;
}

export interface Family extends ConfigClass {
  /** `model_type` in config.json. */
  id: string;
  read(file: ConfigReader): FamilyConfig;
  /** Keys that schemes and layers read, separated by spaces. */
  layerKeys?: string;
  /** Keys that change no result, beside those of every family. */
  harmless?: string;
  /** `quant_method` of the quantised files that the family reads. */
  packing?: "mxfp4";
}

/** Keys of rotary schemes. */
export const rotaryKeys =
  "rope_theta rope_scaling rope_parameters max_position_embeddings " +
  "original_max_position_embeddings";
export const windowKeys = "sliding_window layer_types";
