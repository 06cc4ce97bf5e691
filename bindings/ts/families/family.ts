/**
 * What a family of models is: how its config.json says sizes and arithmetic, and which tensors of a
 * file are which. One file for each family, and one line in list.ts; nothing else spells its name,
 * but for the schemes' own rules.
 */

import type { ModelArguments } from "../config/model-config.js";
import type { Architecture, ModelConfig } from "../types/index.js";
import type { ConfigClass, ConfigReader } from "./config-reader.js";

/**
 * Where tensors come from: this package's names, with spaces between those that the file holds in
 * one; the file's name; flags. Both without ".weight" and ".bias", "#" for the number of a layer,
 * and "%" in the file's name for that of a head, of which each has a tensor of its own.
 * Flags: "T" the file holds the transpose, "F" the file's tensor has more dimensions than ours, "1"
 * one is added to the weight, "P" rotated pairs lie side by side, "heads" queries, keys
 * and values lie head by head, "gamma" older files say .gamma and .beta, "exact" the names are
 * whole.
 */
export type TensorRule = readonly [
  ours: string,
  theirs: string,
  flags?: string,
  place?: {
    /** The first row of the file's that is ours, and how many are. */
    rows?: readonly [first: number, count: number];
    /** Where the file's numbers begin in our vector. */
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
>;

/** What a config.json says, in this package's words. */
export interface FamilyReading extends Sizes {
  architecture: Architecture;
  tensors: readonly TensorRule[];
  /** What all names of a file may begin with. */
  prefix: string;
  /** Tensors of a file that say nothing, with spaces between: `*` at an end stands for anything. */
  passes?: string;
  /** Pairs of a file's names, whole: the first must hold the second's numbers, if it is there. */
  copies?: readonly (readonly [string, string])[];
  /** The head's name, or those it may have with | between. Default "lm_head". */
  head?: string;
  /** What the file leaves unsaid about layers, in config.json's words. */
  layers?: Record<string, unknown>;
  /** What reads a text for the blocks of this reading, which read it by cross-attention. */
  encoder?: FamilyReading;
  /** With an encoder: the token that the decoder's texts begin with. */
  start?: number;
}

/** A config.json, read. */
export interface ConfigRead {
  /** Not checked yet. */
  config: unknown;
  /** By which plan the family's files are read; none where tensors have their own names. */
  planFor?: (sizes: ModelArguments) => string;
  /** Of a model of two: the other one, and the token that the decoder's texts begin with. */
  encoder?: ConfigRead & { start: number };
  /** Sizes that the file leaves out, in words; empty if there are none. */
  leftOut?: string;
  /** Whether both have one embedding, which is read once. */
  sharesEmbedding?: boolean;
}

export interface Family extends ConfigClass {
  /** `model_type` in config.json. */
  id: string;
  read(file: ConfigReader): FamilyReading;
  /** Keys that schemes and layers read, with spaces between. */
  layerKeys?: string;
  /** Keys that change nothing here, beside those of every family. */
  harmless?: string;
}

/** Keys of rotary schemes. */
export const rotaryKeys =
  "rope_theta rope_scaling rope_parameters max_position_embeddings " +
  "original_max_position_embeddings";
export const windowKeys = "sliding_window layer_types";
