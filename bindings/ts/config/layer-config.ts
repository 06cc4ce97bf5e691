/** Settings that may differ between layers: schemes, windows, chunks. */

import { layerTypeFields, maxLayerTypes, maxSchemes } from "../generated/fields.js";
import type { CompletedLayer, LayerConfig, SchemeDescription } from "../types/index.js";
import { checkObject, checkOptions, listOf, refuse, windowSize } from "../wire/arguments.js";
import { indices } from "../wire/lists.js";
import { changedFields, readFields, type Values } from "./fields.js";
import { withOptions } from "./formula-options.js";
import {
  checkSchemeOptions,
  findScheme,
  readOptions,
  type SchemeChoice,
  schemeChoice,
} from "./scheme-options.js";

const specNames = ["scheme", ...Object.keys(layerTypeFields)];

/** A layer type: all that may differ between layers. */
export interface LayerType extends Values<typeof layerTypeFields> {
  schemes: { description: SchemeDescription; choice: SchemeChoice }[];
}

/** The layer types of a model. `typeOfLayer` has the index of each layer's type. */
export interface Layers {
  types: LayerType[];
  typeOfLayer: number[];
  /** Names of the layer types; empty if all layers have one type. */
  layerTypes: string[];
}

/** Checks a scheme, a list of them, or none. */
export function schemeList(
  schemes: readonly SchemeDescription[],
  at: string,
  value: unknown,
  numHeads: number,
): LayerType["schemes"] {
  const list: unknown = value === undefined ? [] : Array.isArray(value) ? value : [value];
  const form = `an id, { id, options }, or a list of at most ${maxSchemes}`;
  return listOf(at, list, form, (item, i) => {
    if (i === maxSchemes) refuse(at, value, form);
    const chosen: unknown = typeof item === "string" ? { id: item } : item;
    checkOptions(at, chosen, ["id", "options"]);
    checkObject(at, chosen);
    const description = findScheme(schemes, chosen["id"]);
    const options: unknown = chosen["options"] ?? {};
    checkSchemeOptions(`${at}.options`, description, options);
    return {
      description: withOptions(description, options),
      choice: schemeChoice(schemes, description, options, numHeads),
    };
  });
}

function layerTypeFrom(
  schemes: readonly SchemeDescription[],
  name: string,
  spec: unknown,
  numHeads: number,
): LayerType {
  checkObject(name || "config", spec);
  const at = name && `${name}.`;
  const slidingWindow = windowSize(`${at}slidingWindow`, spec["slidingWindow"]);
  return {
    schemes: schemeList(schemes, `${at}scheme`, spec["scheme"], numHeads),
    ...readFields(layerTypeFields, { ...spec, slidingWindow }, at),
  };
}

/** The layer types of a config, and the type of each layer. */
export function layerArguments(
  schemes: readonly SchemeDescription[],
  config: Record<string, unknown>,
  { numLayers, numHeads }: { numLayers: number; numHeads: number },
): Layers {
  const { layers, layerTypes } = config;
  if (layers === undefined && layerTypes === undefined) {
    const type = layerTypeFrom(schemes, "", config, numHeads);
    return { types: [type], typeOfLayer: Array(numLayers).fill(0), layerTypes: [] };
  }
  checkObject("layers", layers);
  for (const key of specNames) {
    const value = config[key];
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) refuse(key, value, "undefined, since layers sets it");
  }
  const types = Object.keys(layers);
  if (types.length === 0 || types.length > maxLayerTypes)
    refuse("layers", types, `1 to ${maxLayerTypes} layer types`);
  const form = `a list of ${numLayers} names, one for each layer`;
  const typeOfLayer = listOf("layerTypes", layerTypes, form, (type, i) => {
    const at = types.indexOf(type as string);
    return at < 0
      ? refuse(`layerTypes[${i}]`, type, `one of ${types.map((t) => `"${t}"`).join(", ")}`)
      : at;
  });
  if (typeOfLayer.length !== numLayers) refuse("layerTypes", layerTypes, form);
  types.forEach((type, i) => {
    if (!typeOfLayer.includes(i)) refuse("layers", type, "only types that layerTypes names");
    checkOptions(`layers.${type}`, layers[type], specNames);
  });
  return {
    types: types.map((type) => layerTypeFrom(schemes, `layers.${type}`, layers[type], numHeads)),
    typeOfLayer: typeOfLayer,
    layerTypes: types,
  };
}

type ModelLayers = LayerConfig & { numLayers: number };

/** The given layers, which must have something, or all that have it; empty for all of the model. */
function layersWith(
  at: string,
  given: unknown,
  config: ModelLayers,
  has: (layer: CompletedLayer) => boolean,
  what: string,
): Int32Array {
  const { numLayers, layerTypes, layers = {} } = config;
  const list = indices(at, given, numLayers);
  const all = Array.from({ length: numLayers }, (_, i) => i).filter((i) =>
    has(layerTypes ? layers[layerTypes[i]!]! : config),
  );
  if (all.length === numLayers) return list;
  for (const layer of list)
    if (!all.includes(layer)) refuse(at, layer, `${what}: ${all.join(", ")}`, "unsupported");
  return list.length ? list : Int32Array.from(all);
}

/**
 * The given layers, of which something of attention is read; empty for all layers of the model, if
 * none are given and all have attention. Errors: unsupported for a layer without attention.
 */
export const attentionLayers = (at: string, given: unknown, config: ModelLayers): Int32Array =>
  layersWith(
    at,
    given,
    config,
    (one) => !one.convolution && !one.deltaRule && !one.stateSpace,
    "layers with attention",
  );

/** As `attentionLayers`, for layers with the delta rule or Mamba-2. */
export const deltaLayers = (at: string, given: unknown, config: ModelLayers): Int32Array =>
  layersWith(
    at,
    given,
    config,
    (one) => one.deltaRule === true || one.stateSpace === true,
    "layers with the delta rule or Mamba-2",
  );

/** The numbers of one option of one scheme of one layer type. */
export type NumbersAt = (type: number, scheme: number, option: number) => Float64Array;

/** The public description of a model's layers, with the value of every option. */
export function readLayers(
  numbersAt: NumbersAt,
  { types, typeOfLayer, layerTypes }: Layers,
): LayerConfig {
  const completed = types.map(({ schemes, ...settings }, type) => ({
    scheme: Object.freeze(
      schemes.map(({ description }, scheme) => ({
        id: description.id,
        options: readOptions(description, (option) => numbersAt(type, scheme, option)),
      })),
    ),
    ...changedFields(layerTypeFields, settings),
  }));
  if (layerTypes.length === 0) return completed[0]!;
  return {
    scheme: [],
    layerTypes: typeOfLayer.map((index) => layerTypes[index]!),
    layers: Object.fromEntries(layerTypes.map((type, i) => [type, completed[i]!])),
  };
}
