/** Caches given by a page: sizes of models as in their config.json, or numbers. */

import { fetchJson } from "../../shared/data/data-source.js";
import { isObject, textIn } from "../../shared/given/kinds.js";
import { refused } from "../../shared/given/refused.js";

/** One bar: numbers that are kept for a token in each layer. */
export interface Cache {
  name: string;
  numbers: number;
  layers: number;
}

export const maxCaches = 24;

const isAbove = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value > 0;

/** Returns the numbers for a token and layer; NaN if a field is missing or invalid. */
function keptOf({ numbers, kvHeads, headDim, rank, slice = 0 }: Record<string, unknown>): number {
  if (numbers !== undefined) return isAbove(numbers) ? numbers : Number.NaN;
  if (rank === undefined)
    return isAbove(kvHeads) && isAbove(headDim) ? 2 * kvHeads * headDim : Number.NaN;
  return isAbove(rank) && (slice === 0 || isAbove(slice)) ? rank + slice : Number.NaN;
}

function cacheOf(given: unknown, at: number): Cache {
  const { name = "", layers = 1, ...sizes } = isObject(given) ? given : {};
  const [said, numbers] = [textIn(name), keptOf(sizes)];
  if (said === undefined || !isAbove(numbers) || !isAbove(layers))
    throw refused(`caches[${at}]`, given, { expected: "cache" });
  return { name: said || String(at + 1), numbers, layers };
}

export function cachesOf(given: unknown): Cache[] {
  if (!Array.isArray(given) || !given.length || given.length > maxCaches)
    throw refused("caches", given, { expected: "max", max: maxCaches });
  return given.map(cacheOf);
}

export const cachesOfAddress = async (src: string, signal: AbortSignal): Promise<Cache[]> =>
  cachesOf(await fetchJson(src, signal));
