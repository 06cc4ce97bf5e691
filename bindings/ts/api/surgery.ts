/** Surgeries: changes to a trained model for one call, checked and converted for the engine. */

import { type LayerType, schemeList } from "../config/layer-config.js";
import type { ModelArguments } from "../config/model-config.js";
import { ablations, maxTerms } from "../generated/fields.js";
import type { SchemeDescription, Surgery } from "../types/index.js";
import { checkObject, checkOptions, listOf, refuse, show } from "../wire/arguments.js";
import { indices, integers } from "../wire/lists.js";

const names = ["layers", "heads", "zero", "dropPairs", "freezePairs", "scheme"];

/**
 * The terms of a layer type's logits, in the engine's order; "" if no scheme transforms q and k.
 */
function termsOf({ schemes }: LayerType): string[] {
  const transforms = ({ hooks }: SchemeDescription) => hooks.includes("transform");
  const list = schemes.map(({ description }) => description);
  return [
    "content",
    list.find(transforms)?.terms[0] ?? "",
    ...list.flatMap((scheme) => (transforms(scheme) ? scheme.terms.slice(1) : scheme.terms)),
  ];
}

/** The schemes of a layer type that change token vectors before the first layer. */
const embeddingsOf = ({ schemes }: LayerType): string =>
  JSON.stringify(
    schemes
      .filter(({ description }) => description.hooks.includes("embeddings"))
      .map(({ choice }) => choice),
  );

interface Part extends Omit<Surgery, "layers" | "heads"> {
  at: string;
  layers: number[];
  heads: number[];
}

function partOf(at: string, given: unknown, { numLayers, numHeads }: ModelArguments): Part {
  checkOptions(at, given, names);
  checkObject(at, given);
  const all = (count: number) => Array.from({ length: count }, (_, i) => i);
  const chosen = (name: string, count: number) => {
    const list = indices(`${at}.${name}`, given[name], count);
    return list.length ? [...list] : all(count);
  };
  if (given["scheme"] !== undefined && given["heads"] !== undefined)
    refuse(`${at}.heads`, given["heads"], "undefined with scheme, which replaces a whole layer's");
  return { ...given, at, layers: chosen("layers", numLayers), heads: chosen("heads", numHeads) };
}

/** The model's sizes, with the layers' new schemes. */
function withSchemes(
  schemes: readonly SchemeDescription[],
  original: ModelArguments,
  parts: readonly Part[],
): ModelArguments {
  const types = [...original.types];
  const typeOfLayer = [...original.typeOfLayer];
  for (const { at, layers, scheme } of parts) {
    if (scheme === undefined) continue;
    const list = schemeList(schemes, `${at}.scheme`, scheme, original.numHeads);
    const replaced = new Map<number, number>();
    for (const layer of layers) {
      const from = typeOfLayer[layer]!;
      if (!replaced.has(from))
        replaced.set(from, types.push({ ...types[from]!, schemes: list }) - 1);
      typeOfLayer[layer] = replaced.get(from)!;
    }
  }
  if (types.length === original.types.length) return original;
  const kinds = (of: number[]) => new Set(of.map((index) => embeddingsOf(types[index]!))).size;
  if (kinds(typeOfLayer) > kinds(original.typeOfLayer))
    refuse(
      "surgery.scheme",
      parts.find(({ scheme }) => scheme !== undefined)!.scheme,
      "a scheme for all layers, since it changes the token vectors before the first",
      "unsupported",
    );
  const used = [...new Set(typeOfLayer)].sort((a, b) => a - b);
  return {
    ...original,
    types: used.map((index) => types[index]!),
    typeOfLayer: typeOfLayer.map((index) => used.indexOf(index)),
    layerTypes: used.map(String),
  };
}

/** The ablations of each layer of a model; a list that is empty or absent ablates nothing. */
export type LayerAblations = readonly Uint8Array[];

function ablationsOf(
  { types, typeOfLayer, numHeads, headDim }: ModelArguments,
  parts: readonly Part[],
): LayerAblations {
  const pairs = headDim >> 1;
  const stride = maxTerms + pairs;
  const lists = typeOfLayer.map(() => new Uint8Array(0));
  for (const { at, layers, heads, zero = [], dropPairs = [], freezePairs = [] } of parts) {
    const ablate = (layer: number, slot: number, kind: number) => {
      if (!lists[layer]!.length) lists[layer] = new Uint8Array(numHeads * stride);
      for (const head of heads) lists[layer]![head * stride + slot] = kind;
    };
    const terms = layers.map((layer) => termsOf(types[typeOfLayer[layer]!]!));
    listOf(`${at}.zero`, zero, "a list of terms", (name, i) => {
      if (!name || !terms.some((list) => list.includes(name as string)))
        refuse(
          `${at}.zero[${i}]`,
          name,
          `one of ${[...new Set(terms.flat())].filter(Boolean).map(show).join(", ")}`,
        );
      layers.forEach((layer, l) => {
        terms[l]!.forEach((term, slot) => {
          if (term === name) ablate(layer, slot, ablations.removed);
        });
      });
    });
    const ablatePairs = (name: string, list: unknown, kind: number) => {
      for (const pair of integers(`${at}.${name}`, list, 0, pairs - 1))
        for (const layer of layers) ablate(layer, maxTerms + pair, kind);
    };
    ablatePairs("freezePairs", freezePairs, ablations.unrotated);
    ablatePairs("dropPairs", dropPairs, ablations.removed);
  }
  return lists.some(({ length }) => length) ? lists : [];
}

/** Checks a surgery; returns the sizes and schemes of the reconfigured model, and its ablations. */
export function operation(
  schemes: readonly SchemeDescription[],
  original: ModelArguments,
  given: unknown,
): { sizes: ModelArguments; ablations: LayerAblations } {
  if (given === undefined) return { sizes: original, ablations: [] };
  const parts = Array.isArray(given)
    ? listOf("surgery", given, "surgeries", (part, i) => partOf(`surgery[${i}]`, part, original))
    : [partOf("surgery", given, original)];
  const sizes = withSchemes(schemes, original, parts);
  return { sizes, ablations: ablationsOf(sizes, parts) };
}
