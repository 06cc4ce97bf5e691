/** Reads a config.json of any family with the family's own file. */

import { modelArguments } from "../config/model-config.js";
import type { SchemeDescription } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { WhereformerError } from "../wire/error.js";
import { ConfigReader, isPacked } from "./config-reader.js";
import type { ConfigAndPlan, Family, FamilyConfig, ReadConfig } from "./family.js";
import { layersFromFile, withDense } from "./layers.js";
import * as list from "./list.js";
import { isOfPictures, pictureTypes } from "./picture-types.js";
import { embeddingOf, planOf } from "./plan.js";
import { aboutPresence, isAboutPresence } from "./schemes.js";
import { besidePictures, outerTypes, textPartOf } from "./text-part.js";

const families: readonly Family[] = Object.values(list);

/**
 * An error of a config, or of files that do not fit it, extended with the sizes the config omits.
 */
export function withLeftOut(cause: unknown, leftOut: string | undefined): unknown {
  if (!leftOut || !(cause instanceof WhereformerError)) return cause;
  const { code, message, details } = cause;
  if (isAboutPresence(cause)) return cause;
  const extended = `${message}; the config omits ${leftOut}`;
  return aboutPresence(new WhereformerError(code, extended, details, cause));
}

/** `adapt` returns the family's config for files that have other names of tensors. */
export function readFamily(
  schemes: readonly SchemeDescription[],
  file: Record<string, unknown>,
  adapt = (config: FamilyConfig): FamilyConfig => config,
): ReadConfig {
  const text = textPartOf(file);
  if (text) return readFamily(schemes, text, (config) => adapt(besidePictures(config)));
  const id = file["model_type"];
  const family = families.find((one) => one.id === id);
  if (isOfPictures(file))
    refuse("config.model_type", id, "a folder with its weights, not a config alone", "unsupported");
  if (!family) {
    const known = [...families.map((one) => one.id), ...outerTypes, ...pictureTypes].sort();
    return refuse("config.model_type", id, `one of ${known.join(", ")}`, "unsupported");
  }
  return readOne(schemes, file, family, adapt);
}

/** Reads a config.json with one family's file. */
export function readOne(
  schemes: readonly SchemeDescription[],
  file: Record<string, unknown>,
  family: Family,
  adapt = (config: FamilyConfig): FamilyConfig => config,
): ReadConfig {
  const reader = new ConfigReader(file, family);
  try {
    const config = adapt(readKeys(family, reader));
    const { constants } = config;
    const plans = plansOf(schemes, reader.file, config);
    return { ...plans, ...(constants && { constants }), leftOut: reader.leftOut() };
  } catch (cause) {
    throw withLeftOut(cause, reader.leftOut());
  }
}

/** Reads every key of a config.json, and refuses unknown ones. */
function readKeys(family: Family, reader: ConfigReader): FamilyConfig {
  const { id, layerKeys = "", harmless = "", packing } = family;
  const quantised = reader.value("quantization_config");
  if (quantised !== undefined && !(packing && isPacked(reader.file, packing))) {
    const packed = packing ? `, or quant_method "${packing}"` : "";
    const allowed = `no such key: a model in floats of 32 or 16 bits, or a GGUF file${packed}`;
    reader.refuse("quantization_config", quantised, allowed, "unsupported");
  }
  const config = family.read(reader);
  const keys = layerKeys.split(" ");
  reader.numbers(keys);
  if (keys.includes("rope_scaling")) reader.rotaryNumbers();
  reader.refuseRest(id, `${layerKeys} ${harmless}`);
  return config;
}

/** The config and plan of a model, and those of its encoder. */
function plansOf(
  schemes: readonly SchemeDescription[],
  file: Record<string, unknown>,
  config: FamilyConfig,
): ReadConfig {
  const { encoder, start = 0 } = config;
  if (!encoder) return configAndPlan(schemes, file, config);
  const names = embeddingOf(config);
  const sharesEmbedding = embeddingOf(encoder) === names;
  // The decoder skips the tensors that the encoder has read.
  const passes = `${config.passes} ${names.split("|").join(".weight ")}.weight`;
  return {
    ...configAndPlan(schemes, file, sharesEmbedding ? { ...config, passes } : config),
    encoder: { ...configAndPlan(schemes, file, encoder), start },
    sharesEmbedding,
  };
}

function configAndPlan(
  schemes: readonly SchemeDescription[],
  file: Record<string, unknown>,
  family: FamilyConfig,
): ConfigAndPlan {
  const { tensors: _t, prefix: _p, passes: _s, head: _h, layers, dense, ...rest } = family;
  const { copies: _c, encoder: _e, start: _b, constants: _n, ...sizes } = rest;
  // The family's values for layers override the file's.
  const read = withDense(layersFromFile(schemes, { ...file, ...layers }), dense);
  for (const [type, { slidingWindow }] of Object.entries(read.layers ?? {}))
    if (type.startsWith("sliding_attention") && slidingWindow === undefined)
      refuse("config.sliding_window", null, "a number, since layer_types has layers with a window");
  const config = modelArguments(schemes, { ...sizes, ...read });
  return { config, plan: () => planOf(family, config) };
}
