/** Caches of one's own: models with the sizes that their config.json has, or numbers. */
import { fetchJson, malformed } from "../shared/own/own-source.js";

/** One bar: numbers that are kept for a token in each layer. */
export interface Cache {
  name: string;
  numbers: number;
  layers: number;
}

/**
 * What is kept for a token and layer as `numbers`; or by keys and values of `kvHeads` heads of
 * `headDim`, or by `rank` of a latent vector and `slice` that turns.
 */
export interface GivenCache {
  name: string;
  layers?: number;
  numbers?: number;
  kvHeads?: number;
  headDim?: number;
  rank?: number;
  slice?: number;
}

const mostCaches = 24;

function cacheOf(given: GivenCache, at: number): Cache {
  if (typeof given !== "object" || given === null) throw malformed(`caches[${at}]: not an object`);
  const { name = "", layers = 1, numbers, kvHeads, headDim, rank, slice = 0 } = given;
  const kept = numbers ?? (rank === undefined ? 2 * kvHeads! * headDim! : rank + slice);
  const isCount = (value: unknown) => Number.isFinite(value) && (value as number) > 0;
  if (!isCount(kept) || !isCount(layers))
    throw malformed(
      `caches[${at}]: allowed are { name, numbers }, { name, kvHeads, headDim } or ` +
        "{ name, rank, slice }, with layers: numbers above 0",
    );
  return { name: String(name) || String(at + 1), numbers: kept, layers };
}

export function cachesOf(given: unknown): Cache[] {
  if (!Array.isArray(given) || !given.length || given.length > mostCaches)
    throw malformed(`caches: allowed is a list of 1 to ${mostCaches}`);
  return given.map(cacheOf);
}

export const cachesOfAddress = async (src: string, signal: AbortSignal): Promise<Cache[]> =>
  cachesOf(await fetchJson(src, signal));
