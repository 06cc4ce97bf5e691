/** Reads a model's config.json, Hugging Face's or this package's, or one scheme of it. */

import { modelArguments } from "../config/model-config.js";
import type { LayerSpec, SchemeDescription, SchemeId, SchemeSpec } from "../types/index.js";
import { checkObject, checkOptions, integer, refuse, text } from "../wire/arguments.js";
import type { ReadConfig } from "./family.js";
import { layersFromFile } from "./layers.js";
import { at, isObject, missing, sizesIn } from "./schemes.js";

/** Refuses values that need a family, in a config.json without one, so that it is not misread. */
function refuseOtherModels(file: Record<string, unknown>): void {
  const expect = (key: string, allowed: readonly unknown[]) => {
    const value = file[key] ?? undefined;
    if (value !== undefined && !allowed.includes(value)) {
      refuse(
        `config.${key}`,
        value,
        allowed.map((item) => JSON.stringify(item)).join(" or ") || "no such key",
        "unsupported",
      );
    }
  };
  expect("tie_word_embeddings", [true]);
  expect("hidden_act", ["silu", "swish"]);
  expect("attention_bias", [false]);
  expect("mlp_bias", [false]);
  // Granite's factors. The one of attention replaces 1/√D, so 1 is a change too.
  expect("embedding_multiplier", [1]);
  expect("residual_multiplier", [1]);
  expect("logits_scaling", [1]);
  expect("attention_multiplier", []);
}

/** Whether an object is a config.json, or a config of this package (camelCase). */
export const isConfigJson = (config: Record<string, unknown>): boolean =>
  "vocab_size" in config || "model_type" in config;

/** Whether a config.json names a family, which families.js reads. */
export const hasFamily = (file: Record<string, unknown>): boolean =>
  (file["model_type"] ?? "whereformer") !== "whereformer";

/** Reads this package's config.json. */
export function readPlainConfig(
  schemes: readonly SchemeDescription[],
  file: Record<string, unknown>,
): ReadConfig {
  refuseOtherModels(file);
  const optional = <T>(key: string, name: string): Record<string, T> =>
    (file[key] ?? undefined) === undefined ? {} : { [name]: file[key] as T };
  const required = (key: string): number => {
    if ((file[key] ?? undefined) === undefined) throw missing(key);
    return file[key] as number;
  };
  const config = {
    vocabSize: required("vocab_size"),
    hiddenSize: required("hidden_size"),
    numLayers: required("num_hidden_layers"),
    numHeads: required("num_attention_heads"),
    intermediateSize: required("intermediate_size"),
    ...optional<number>("num_key_value_heads", "numKvHeads"),
    ...optional<number>("head_dim", "headDim"),
    ...optional<number>("rms_norm_eps", "rmsNormEps"),
    ...optional<boolean>("is_causal", "isCausal"),
    ...optional<number>("initializer_range", "initializerRange"),
    ...optional<number>("attn_logit_softcapping", "softcap"),
    ...optional<number>("final_logit_softcapping", "finalSoftcap"),
    ...optional<boolean>("attention_sinks", "sinks"),
    ...layersFromFile(schemes, file),
  };
  return { config: modelArguments(schemes, config), plan: () => "" };
}

/** Values that JSON cannot hold, such as a list that contains itself, equal nothing. */
function areAlike(values: readonly unknown[]): boolean {
  try {
    return new Set(values.map((value) => JSON.stringify(value))).size === 1;
  } catch {
    return false;
  }
}

/** The schemes of one layer; the layer may be omitted if all have the same. */
function schemesOfLayer(
  { scheme, layerTypes, layers = {} }: ReturnType<typeof layersFromFile>,
  layer: unknown,
): readonly SchemeSpec[] {
  const list = (value: LayerSpec["scheme"]) => (Array.isArray(value) ? value : [value]);
  if (layer !== undefined) integer("layer", layer, 0, layerTypes && layerTypes.length - 1);
  if (layerTypes === undefined) return list(scheme);
  const lists = layerTypes.map((type) => list(layers[type]?.scheme));
  if (layer === undefined && !areAlike(lists))
    refuse(
      "layer",
      layer,
      `an integer from 0 to ${lists.length - 1}, since the layers' schemes differ`,
    );
  return lists[(layer as number) ?? 0]!;
}

/** Sizes and options of the single scheme that a config.json, or one of its layers, describes. */
export function schemeInFile(
  schemes: readonly SchemeDescription[],
  given: unknown,
  options: unknown = {},
): { id: SchemeId; options: Record<string, unknown> } {
  checkObject("config", given);
  checkOptions("options", options, ["layer"]);
  // Multimodal models nest the language model's config.
  const inner = at(given, "text_config");
  const file = isObject(inner) && given["schemes"] === undefined ? inner : given;
  const layer = (options as { layer?: unknown }).layer;
  const list = schemesOfLayer(layersFromFile(schemes, file), layer);
  if (list.length !== 1) refuse("config.schemes", list, "a list of one scheme", "unsupported");
  const spec: unknown = list[0];
  if (typeof spec !== "string") checkObject("config.schemes[0]", spec);
  const { id, options: schemeOptions = {} } = typeof spec === "string" ? { id: spec } : spec;
  const { num_attention_heads, head_dim, hidden_size } = sizesIn(file);
  const kvHeads = file["num_key_value_heads"] ?? undefined;
  checkObject("config.schemes[0].options", schemeOptions);
  return {
    id: text("config scheme id", id) as SchemeId,
    options: {
      numHeads: num_attention_heads,
      headDim: head_dim,
      ...(hidden_size === undefined ? {} : { hiddenSize: hidden_size }),
      ...(kvHeads === undefined ? {} : { numKvHeads: kvHeads }),
      ...schemeOptions,
    },
  };
}
