/** The heads of a model by one of their measures. */

import { headMeasures } from "../generated/fields.js";
import type { HeadMeasureName, HeadsResult, RankedHead } from "../types/index.js";
import { checkObject, choice, refuse } from "../wire/arguments.js";
import { typed } from "../wire/error.js";
import { checkCount } from "../wire/guard.js";

/**
 * The heads of a result of `model.heads`, those with the largest mean of the measure `by` first,
 * each with the means of all measures. Heads for which no text defines `by` are left out. Errors:
 * `invalid_argument`.
 */
export function rankHeads(found: HeadsResult, by: HeadMeasureName): RankedHead[];
export function rankHeads(...args: [HeadsResult, HeadMeasureName]): RankedHead[] {
  checkCount("rankHeads", args, 2);
  try {
    return ranked(...args);
  } catch (cause) {
    // A getter of the caller may throw anything.
    throw typed(cause);
  }
}

function ranked(found: HeadsResult, by: HeadMeasureName): RankedHead[] {
  checkObject("found", found);
  choice("by", by, headMeasures);
  const { layers, heads, measures } = found as HeadsResult;
  const areLists = Array.isArray(layers) && Array.isArray(heads);
  // Lists of other lengths are not read: they may be far longer than any model.
  if (!areLists || measures?.[by]?.mean?.data?.length !== layers.length * heads.length)
    refuse("found", found, "the result of model.heads");
  const rows = layers.flatMap((layer, row) =>
    heads.map((head, column) => {
      const cell = row * heads.length + column;
      const means = headMeasures.map((name) => [name, measures[name].mean.data[cell]!]);
      return { layer, head, ...(Object.fromEntries(means) as Record<HeadMeasureName, number>) };
    }),
  );
  return rows.filter((row) => !Number.isNaN(row[by])).sort((a, b) => b[by] - a[by]);
}
