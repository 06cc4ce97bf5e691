/** The number of attention heads and their width. */
import { attentionFields } from "../generated/fields.js";
import { refuse } from "../wire/arguments.js";
import { readFields } from "./fields.js";

const { numHeads, numKvHeads, headDim } = attentionFields;
export const maxHeads = numHeads.max;

/** Sizes a scheme was made for. `numKvHeads` is undefined if it was not given. */
export interface MadeFor {
  numHeads: number;
  headDim: number;
  numKvHeads: number | undefined;
}

/** Reads numHeads, headDim and, if given, numKvHeads from an options object. */
export function headSizes(options: Record<string, unknown>): MadeFor {
  const sizes = readFields({ numHeads, headDim }, options);
  if (options["numKvHeads"] === undefined) return { ...sizes, numKvHeads: undefined };
  const all = { ...sizes, ...readFields({ numKvHeads }, options) };
  checkKvHeads(all);
  return all;
}

/** Refuses a number of key heads that does not divide that of the query heads. */
export function checkKvHeads(sizes: { numHeads: number; numKvHeads: number }): void {
  if (sizes.numHeads % sizes.numKvHeads)
    refuse("numKvHeads", sizes.numKvHeads, `a divisor of numHeads, ${sizes.numHeads}`);
}
