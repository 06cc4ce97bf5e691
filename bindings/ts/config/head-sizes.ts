/** The number of attention heads and their width. */
import { maxHeadDim, maxHeads } from "../generated/schemes.js";
import { integer, refuse } from "../wire/arguments.js";

export { maxHeads };

/** Sizes a scheme was made for. `numKvHeads` is undefined if it was not given. */
export interface MadeFor {
  numHeads: number;
  headDim: number;
  numKvHeads: number | undefined;
}

/** Reads numHeads, headDim and, if given, numKvHeads from an options object. */
export function headSizes(options: Record<string, unknown>): MadeFor {
  const numHeads = integer("numHeads", options["numHeads"], 1, maxHeads);
  const headDim = integer("headDim", options["headDim"], 1, maxHeadDim);
  return { numHeads, headDim, numKvHeads: kvHeads(options["numKvHeads"], numHeads) };
}

export function kvHeads(value: unknown, numHeads: number): number | undefined {
  if (value === undefined) return undefined;
  const numKvHeads = integer("numKvHeads", value, 1, maxHeads);
  return numHeads % numKvHeads
    ? refuse("numKvHeads", value, `a divisor of numHeads, ${numHeads}`)
    : numKvHeads;
}
