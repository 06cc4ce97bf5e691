/** Checks and completes the sizes of a model. */

import { layerTypeFields, modelFields } from "../generated/fields.js";
import type { Model, SchemeDescription } from "../types/index.js";
import { checkObject, checkOptions, refuse, seedOf } from "../wire/arguments.js";
import {
  type ArchitectureArguments,
  architectureArguments,
  changedArchitecture,
} from "./architecture.js";
import { readFields, type Values } from "./fields.js";
import { checkKvHeads } from "./head-sizes.js";
import { type Layers, layerArguments, type NumbersAt, readLayers } from "./layer-config.js";

const names = [
  ...Object.keys({ ...modelFields, ...layerTypeFields }),
  ...["architecture", "scheme", "layerTypes", "layers", "seed"],
];

export interface ModelArguments extends Values<typeof modelFields>, Layers {
  architecture: ArchitectureArguments;
  seed: number;
}

/** Checks and completes the sizes. */
function sizesOf(config: Record<string, unknown>): Values<typeof modelFields> {
  const { hiddenSize, numHeads } = readFields(
    { hiddenSize: modelFields.hiddenSize, numHeads: modelFields.numHeads },
    config,
  );
  const { numKvHeads = numHeads, headDim } = config;
  if (headDim === undefined && hiddenSize % numHeads)
    refuse("numHeads", numHeads, `a divisor of hiddenSize, ${hiddenSize}, if headDim is not given`);
  const sizes = readFields(modelFields, {
    ...config,
    hiddenSize,
    numHeads,
    numKvHeads,
    headDim: headDim ?? hiddenSize / numHeads,
  });
  checkKvHeads(sizes);
  return sizes;
}

/** Checks and completes a config. */
export function modelArguments(
  schemes: readonly SchemeDescription[],
  config: unknown,
): ModelArguments {
  checkOptions("config", config, names);
  checkObject("config", config);
  const sizes = sizesOf(config);
  return {
    ...sizes,
    architecture: architectureArguments(config["architecture"]),
    seed: seedOf(config["seed"]),
    ...layerArguments(schemes, config, sizes),
  };
}

/** The public config of a model, with the value of every option. */
export function completedConfig(sizes: ModelArguments, numbersAt: NumbersAt): Model["config"] {
  const { seed: _s, types: _l, typeOfLayer: _o, layerTypes: _t, architecture, ...config } = sizes;
  const changed = changedArchitecture(architecture);
  return Object.freeze({
    ...config,
    ...(changed && { architecture: Object.freeze(changed) }),
    ...readLayers(numbersAt, sizes),
  });
}
