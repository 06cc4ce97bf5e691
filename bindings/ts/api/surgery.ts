/** Surgeries: changes to a trained model for one call, checked and converted for the engine. */

import { type Stack, schemeList } from "../config/layer-config.js";
import type { ModelArguments } from "../config/model-config.js";
import { ablations, maxTerms } from "../generated/fields.js";
import type { SchemeDescription, Surgery } from "../types/index.js";
import { checkObject, checkOptions, listOf, refuse, show } from "../wire/arguments.js";
import { indices, integers } from "../wire/lists.js";

const names = ["layers", "heads", "zero", "dropPairs", "freezePairs", "scheme"];

/**
 * The terms of a layer type's logits, in the engine's order; "" if no scheme transforms q and k.
 */
function termsOf({ schemes }: Stack): string[] {
  const transforms = ({ hooks }: SchemeDescription) => hooks.includes("transform");
  const list = schemes.map(({ description }) => description);
  return [
    "content",
    list.find(transforms)?.terms[0] ?? "",
    ...list.flatMap((scheme) => (transforms(scheme) ? scheme.terms.slice(1) : scheme.terms)),
  ];
}

/** The schemes of a layer type that change token vectors before the first layer. */
const embeddingsOf = ({ schemes }: Stack): string =>
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
  own: ModelArguments,
  parts: readonly Part[],
): ModelArguments {
  const stacks = [...own.stacks];
  const stackOf = [...own.stackOf];
  for (const { at, layers, scheme } of parts) {
    if (scheme === undefined) continue;
    const list = schemeList(schemes, `${at}.scheme`, scheme);
    const replaced = new Map<number, number>();
    for (const layer of layers) {
      const from = stackOf[layer]!;
      if (!replaced.has(from))
        replaced.set(from, stacks.push({ ...stacks[from]!, schemes: list }) - 1);
      stackOf[layer] = replaced.get(from)!;
    }
  }
  if (stacks.length === own.stacks.length) return own;
  const kinds = (of: number[]) => new Set(of.map((index) => embeddingsOf(stacks[index]!))).size;
  if (kinds(stackOf) > kinds(own.stackOf))
    refuse(
      "surgery.scheme",
      parts.find(({ scheme }) => scheme !== undefined)!.scheme,
      "a scheme for all layers, since it changes the token vectors before the first",
      "unsupported",
    );
  const used = [...new Set(stackOf)].sort((a, b) => a - b);
  return {
    ...own,
    stacks: used.map((index) => stacks[index]!),
    stackOf: stackOf.map((index) => used.indexOf(index)),
    layerTypes: used.map(String),
  };
}

/** The ablations of each layer of a model; a list that is empty or absent ablates nothing. */
export type LayerCuts = readonly Uint8Array[];

function cutsOf(
  { stacks, stackOf, numHeads, headDim }: ModelArguments,
  parts: readonly Part[],
): LayerCuts {
  const pairs = headDim >> 1;
  const stride = maxTerms + pairs;
  const cuts = stackOf.map(() => new Uint8Array(0));
  for (const { at, layers, heads, zero = [], dropPairs = [], freezePairs = [] } of parts) {
    const cut = (layer: number, place: number, kind: number) => {
      if (!cuts[layer]!.length) cuts[layer] = new Uint8Array(numHeads * stride);
      for (const head of heads) cuts[layer]![head * stride + place] = kind;
    };
    const terms = layers.map((layer) => termsOf(stacks[stackOf[layer]!]!));
    listOf(`${at}.zero`, zero, "a list of terms", (name, i) => {
      if (!name || !terms.some((list) => list.includes(name as string)))
        refuse(
          `${at}.zero[${i}]`,
          name,
          `one of ${[...new Set(terms.flat())].filter(Boolean).map(show).join(", ")}`,
        );
      layers.forEach((layer, l) => {
        terms[l]!.forEach((term, slot) => {
          if (term === name) cut(layer, slot, ablations.removed);
        });
      });
    });
    const cutPairs = (name: string, list: unknown, kind: number) => {
      for (const pair of integers(`${at}.${name}`, list, 0, pairs - 1))
        for (const layer of layers) cut(layer, maxTerms + pair, kind);
    };
    cutPairs("freezePairs", freezePairs, ablations.unrotated);
    cutPairs("dropPairs", dropPairs, ablations.removed);
  }
  return cuts.some(({ length }) => length) ? cuts : [];
}

/** Checks a surgery; returns the sizes and schemes of the reconfigured model, and its ablations. */
export function operation(
  schemes: readonly SchemeDescription[],
  own: ModelArguments,
  given: unknown,
): { sizes: ModelArguments; cuts: LayerCuts } {
  if (given === undefined) return { sizes: own, cuts: [] };
  const parts = Array.isArray(given)
    ? listOf("surgery", given, "surgeries", (part, i) => partOf(`surgery[${i}]`, part, own))
    : [partOf("surgery", given, own)];
  const sizes = withSchemes(schemes, own, parts);
  return { sizes, cuts: cutsOf(sizes, parts) };
}
