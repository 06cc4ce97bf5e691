/** Changes to states of a model for one call: outputs of heads, and the stream between layers. */

import { headAblations } from "../generated/fields.js";
import type { HeadAblation, Patch } from "../types/index.js";
import { checkObject, checkOptions, choice, integer, listOf, refuse } from "../wire/arguments.js";
import { isFloats } from "../wire/arrays.js";
import { floats, indices, tensor } from "../wire/lists.js";
import type { LayerAblations } from "./surgery.js";

/** A checked patch; `head` -1 means the stream, empty `rows` all. */
export interface PatchNumbers {
  layer: number;
  head: number;
  rows: Int32Array;
  values: Float32Array;
}

export interface StateChanges {
  /** What replaces the output of each head, `[L,H]`; empty if nothing does. */
  heads: Uint8Array;
  patches: readonly PatchNumbers[];
}

/** All changes of a model for one call. */
export interface Changes {
  numLayers: number;
  /** Of the logits of each layer. */
  ablations: LayerAblations;
  states: StateChanges;
}

interface Sizes {
  numLayers: number;
  numHeads: number;
}

function ablate(at: string, given: unknown, sizes: Sizes, heads: Uint8Array): void {
  checkOptions(at, given, ["layers", "heads", "with"]);
  checkObject(at, given);
  const { numLayers, numHeads } = sizes;
  const replacement = headAblations[choice(`${at}.with`, given["with"], ["zero", "mean"])];
  const chosen = (name: string, count: number) => {
    const list = indices(`${at}.${name}`, given[name], count);
    return list.length ? list : Int32Array.from({ length: count }, (_, i) => i);
  };
  const columns = chosen("heads", numHeads);
  for (const layer of chosen("layers", numLayers))
    for (const head of columns) heads[layer * numHeads + head] = replacement;
}

function patchOf(at: string, given: unknown, sizes: Sizes, tokens: number): PatchNumbers {
  checkOptions(at, given, ["layer", "head", "rows", "values"]);
  checkObject(at, given);
  const head =
    given["head"] === undefined ? -1 : integer(`${at}.head`, given["head"], 0, sizes.numHeads - 1);
  const layer = integer(`${at}.layer`, given["layer"], head < 0 ? -1 : 0, sizes.numLayers - 1);
  const rows = indices(`${at}.rows`, given["rows"], tokens);
  const { values } = given;
  const numbers =
    isFloats(values) || Array.isArray(values)
      ? floats(`${at}.values`, values)
      : tensor(`${at}.values`, values).data;
  const count = rows.length || tokens;
  if (!numbers.length || numbers.length % count)
    refuse(`${at}.values.length`, numbers.length, `${count} rows of numbers`);
  return { layer, head, rows, values: numbers };
}

const entriesOf = <T>(name: string, given: unknown, one: (at: string, item: unknown) => T): T[] => {
  if (given === undefined) return [];
  return Array.isArray(given)
    ? listOf(name, given, "a list of objects", (item, i) => one(`${name}[${i}]`, item))
    : [one(name, given)];
};

/** Checks the options `ablate` and `patch` for a text of T tokens. */
export function stateChanges(
  sizes: Sizes,
  { ablate: ablated, patch }: { ablate?: unknown; patch?: unknown },
  tokens: number,
): StateChanges {
  const heads = new Uint8Array(ablated === undefined ? 0 : sizes.numLayers * sizes.numHeads);
  entriesOf("ablate", ablated as HeadAblation, (at, item) => ablate(at, item, sizes, heads));
  const patches = entriesOf("patch", patch as Patch, (at, item) =>
    patchOf(at, item, sizes, tokens),
  );
  return { heads, patches };
}
