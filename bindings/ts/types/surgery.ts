/** Schemes as a config or a surgery names them, and what is cut of a trained model. */
import type { SchemeId, SchemeOptions } from "../generated/schemes.js";

/** Options of a scheme; a scheme without any takes none. */
type OptionsOf<Id extends SchemeId> = keyof SchemeOptions[Id] extends never
  ? Record<string, never>
  : SchemeOptions[Id];

export type SchemeSpec =
  | SchemeId
  | { [Id in SchemeId]: { id: Id; options?: OptionsOf<Id> } }[SchemeId];

/**
 * A change to a trained model, for one call: causes, where a map alone describes. Cuts take their
 * share out of the logits and change nothing else there: what is left is the sum of the other
 * terms, biases are computed as they were, and records say what was left (a term that is zeroed is
 * recorded as 0).
 */
export interface Surgery {
  /** Ascending; default all. */
  layers?: readonly number[];
  /** Query heads, ascending; default all. Not beside `scheme`. */
  heads?: readonly number[];
  /**
   * Terms of the logits that add nothing, by the names that `record: ["terms"]` gives: "content",
   * "rotation", "distance", …
   */
  zero?: readonly string[];
  /** Pairs of channels whose share of q·k is left out. Pair 0 turns fastest. */
  dropPairs?: readonly number[];
  /** Pairs of channels that are not turned: they stay as projected, as at position 0. */
  freezePairs?: readonly number[];
  /**
   * These schemes in the layers' own place: another one, none (`[]`), or the same with other
   * options (a rotary base, a slope). What they train is kept where it has the same name and shape,
   * else it begins anew. Errors: `unsupported` where the projections would begin anew, and in some
   * layers only where a scheme changes the token vectors before the first.
   */
  scheme?: SchemeSpec | readonly SchemeSpec[];
}
