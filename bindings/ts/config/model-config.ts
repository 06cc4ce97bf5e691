/** Checks and completes the sizes of a model. */

import type { SchemeDescription } from "../types/index.js";
import {
  boolean,
  checkObject,
  checkOptions,
  integer,
  number,
  refuse,
  seedOf,
} from "../wire/arguments.js";
import { type ArchitectureArguments, architectureArguments } from "./architecture.js";
import { type Layers, layerArguments } from "./layer-config.js";

const names = [
  "vocabSize",
  "hiddenSize",
  "numLayers",
  "numHeads",
  "numKvHeads",
  "headDim",
  "intermediateSize",
  "rmsNormEps",
  "isCausal",
  "initializerRange",
  "softcap",
  "finalSoftcap",
  "sinks",
  "architecture",
  "scheme",
  "slidingWindow",
  "chunkSize",
  "queryKeyNorm",
  "layerTypes",
  "layers",
  "seed",
];

const maxSoftcap = 1e9;

export interface ModelArguments extends Layers {
  vocabSize: number;
  hiddenSize: number;
  numLayers: number;
  numHeads: number;
  numKvHeads: number;
  headDim: number;
  intermediateSize: number;
  rmsNormEps: number;
  isCausal: boolean;
  initializerRange: number;
  softcap: number;
  finalSoftcap: number;
  sinks: boolean;
  /** Undefined for Llama's blocks. */
  architecture: ArchitectureArguments | undefined;
  seed: number;
}

/** Checks and completes a config. */
export function modelArguments(
  schemes: readonly SchemeDescription[],
  config: unknown,
): ModelArguments {
  checkOptions("config", config, names);
  checkObject("config", config);
  const hiddenSize = integer("hiddenSize", config["hiddenSize"], 1, 2 ** 14);
  const numHeads = integer("numHeads", config["numHeads"], 1, 256);
  const numKvHeads = integer("numKvHeads", config["numKvHeads"] ?? numHeads, 1, 256);
  if (numHeads % numKvHeads) refuse("numKvHeads", numKvHeads, `a divisor of numHeads, ${numHeads}`);
  if (config["headDim"] === undefined && hiddenSize % numHeads) {
    refuse("numHeads", numHeads, `a divisor of hiddenSize, ${hiddenSize}, if headDim is not given`);
  }
  const numLayers = integer("numLayers", config["numLayers"], 1, 256);
  return {
    vocabSize: integer("vocabSize", config["vocabSize"], 1, 2 ** 20),
    hiddenSize,
    numLayers,
    numHeads,
    numKvHeads,
    headDim: integer("headDim", config["headDim"] ?? hiddenSize / numHeads, 1, 1024),
    intermediateSize: integer("intermediateSize", config["intermediateSize"], 1, 2 ** 16),
    rmsNormEps: number("rmsNormEps", config["rmsNormEps"] ?? 1e-5, Number.MIN_VALUE, 1),
    isCausal: boolean("isCausal", config["isCausal"] ?? true),
    initializerRange: number(
      "initializerRange",
      config["initializerRange"] ?? 0.02,
      Number.MIN_VALUE,
      1,
    ),
    softcap: number("softcap", config["softcap"] ?? 0, 0, maxSoftcap),
    finalSoftcap: number("finalSoftcap", config["finalSoftcap"] ?? 0, 0, maxSoftcap),
    sinks: boolean("sinks", config["sinks"] ?? false),
    architecture: architectureArguments(config["architecture"]),
    seed: seedOf(config["seed"]),
    ...layerArguments(schemes, config, numLayers),
  };
}
