/**
 * Reads a config.json of any family with the family's own file. This file and all that only it
 * imports are fetched when the first config.json of a family is read.
 */

import { layersFromFile } from "../config/layer-file.js";
import { aboutPresence, isAboutPresence } from "../config/scheme-file.js";
import type { SchemeDescription } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { WhereformerError } from "../wire/error.js";
import { ConfigReader } from "./config-reader.js";
import type { ConfigRead, Family, FamilyReading } from "./family.js";
import { families } from "./list.js";
import { embeddingOf, planOf } from "./plan.js";

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

export function readFamily(
  schemes: readonly SchemeDescription[],
  given: Record<string, unknown>,
): ConfigRead & { reading: FamilyReading } {
  const id = given["model_type"];
  const family = families.find((one) => one.id === id);
  if (!family) {
    const known = families.map((one) => one.id).sort();
    return refuse("config.model_type", id, `one of ${known.join(", ")}`, "unsupported");
  }
  const reader = new ConfigReader(given, family);
  try {
    return readWith(schemes, family, reader);
  } catch (cause) {
    throw withLeftOut(cause, reader.leftOut());
  }
}

function readWith(
  schemes: readonly SchemeDescription[],
  family: Family,
  reader: ConfigReader,
): ReturnType<typeof readFamily> {
  const { file } = reader;
  reader.only("quantization_config");
  const reading = family.read(reader);
  const layerKeys = (family.layerKeys ?? "").split(" ");
  reader.numbers(layerKeys);
  if (layerKeys.includes("rope_scaling")) reader.rotaryNumbers();
  reader.refuseRest(family.id, `${family.layerKeys ?? ""} ${family.harmless ?? ""}`);
  const { encoder, start = 0 } = reading;
  const leftOut = reader.leftOut();
  if (!encoder) return { ...configOf(schemes, file, reading), reading, leftOut };
  const names = embeddingOf(reading);
  const sharesEmbedding = embeddingOf(encoder) === names;
  // The decoder skips the tensors that the encoder has read.
  const passes = `${reading.passes} ${names.split("|").join(".weight ")}.weight`;
  return {
    ...configOf(schemes, file, sharesEmbedding ? { ...reading, passes } : reading),
    encoder: { ...configOf(schemes, file, encoder), start },
    sharesEmbedding,
    reading,
    leftOut,
  };
}

function configOf(
  schemes: readonly SchemeDescription[],
  file: Record<string, unknown>,
  reading: FamilyReading,
): ConfigRead {
  const { tensors: _t, prefix: _p, passes: _s, head: _h, layers, ...rest } = reading;
  const { copies: _c, encoder: _e, start: _b, ...sizes } = rest;
  // The family's values for layers override the file's.
  const read = layersFromFile(schemes, { ...file, ...layers });
  for (const [type, { slidingWindow }] of Object.entries(read.layers ?? {}))
    if (type.startsWith("sliding_attention") && slidingWindow === undefined)
      refuse("config.sliding_window", null, "a number, since layer_types has layers with a window");
  return {
    config: { ...sizes, ...read },
    planFor: (made) => planOf(reading, made),
  };
}
