/**
 * A config.json of any family, read by the family's own file. This and all that only it imports is
 * fetched when the first config.json of a family is read.
 */

import { layersFromFile } from "../config/layer-file.js";
import type { SchemeDescription } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { ConfigReader } from "./config-reader.js";
import type { ConfigRead, FamilyReading } from "./family.js";
import { families } from "./list.js";
import { embeddingOf, planOf } from "./plan.js";

export function readFamily(
  schemes: readonly SchemeDescription[],
  file: Record<string, unknown>,
): ConfigRead & { reading: FamilyReading } {
  const id = file["model_type"];
  const family = families.find((one) => one.id === id);
  if (!family) {
    const known = families.map((one) => one.id).sort();
    return refuse("config.model_type", id, `one of ${known.join(", ")}`, "unsupported");
  }
  const reader = new ConfigReader(file);
  reader.only("quantization_config");
  const reading = family.read(reader);
  reader.refuseRest(family.id, `${family.layerKeys ?? ""} ${family.harmless ?? ""}`);
  const { encoder, start = 0 } = reading;
  if (!encoder) return { ...configOf(schemes, file, reading), reading };
  const names = embeddingOf(reading);
  const sharesEmbedding = embeddingOf(encoder) === names;
  // The decoder passes over what the encoder has read.
  const passes = `${reading.passes} ${names.split("|").join(".weight ")}.weight`;
  return {
    ...configOf(schemes, file, sharesEmbedding ? { ...reading, passes } : reading),
    encoder: { ...configOf(schemes, file, encoder), start },
    sharesEmbedding,
    reading,
  };
}

function configOf(
  schemes: readonly SchemeDescription[],
  file: Record<string, unknown>,
  reading: FamilyReading,
): ConfigRead {
  const { tensors: _t, prefix: _p, passes: _s, head: _h, layers, ...rest } = reading;
  const { copies: _c, encoder: _e, start: _b, ...sizes } = rest;
  // What the family says of layers stands in place of what the file says.
  return {
    config: { ...sizes, ...layersFromFile(schemes, { ...file, ...layers }) },
    planFor: (made) => planOf(reading, made),
  };
}
