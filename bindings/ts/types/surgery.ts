/** Specifications of schemes in a config or a surgery, and surgeries of a trained model. */
import type { SchemeId, SchemeOptions } from "../generated/schemes.js";
import type { TensorLike } from "./tensor.js";

/** Options of a scheme; none for a scheme without options. */
type OptionsOf<Id extends SchemeId> = keyof SchemeOptions[Id] extends never
  ? Record<string, never>
  : SchemeOptions[Id];

export type SchemeSpec =
  | SchemeId
  | { [Id in SchemeId]: { id: Id; options?: OptionsOf<Id> } }[SchemeId];

/**
 * A change to a trained model, for one call: shows causes, while a map alone describes. Ablations
 * remove a contribution from the logits and change nothing else there: the rest is the sum of the
 * other terms, biases are computed as before, and records show the result (a term that is zeroed is
 * recorded as 0).
 */
export interface Surgery {
  /** Layers to change, ascending; default all. */
  layers?: readonly number[];
  /** Query heads, ascending; default all. Not together with `scheme`. */
  heads?: readonly number[];
  /**
   * Terms to remove from the logits, by their names in `record: ["terms"]`: "content", "rotation",
   * "distance", …
   */
  zero?: readonly string[];
  /** Pairs of channels whose contribution to q·k is removed. Pair 0 rotates fastest. */
  dropPairs?: readonly number[];
  /** Pairs of channels that are not rotated: they stay as projected, as at position 0. */
  freezePairs?: readonly number[];
  /**
   * Schemes that replace the layers' own: another one, none (`[]`), or the same with other options
   * (a rotary base, a slope). Trained parameters are kept if name and shape are the same, otherwise
   * initialised. Errors: `unsupported` if the projections would be initialised, and, for only some
   * of the layers, if a scheme changes the token vectors before the first layer.
   */
  scheme?: SchemeSpec | readonly SchemeSpec[];
}

/**
 * Replaces the output of attention heads, before the output projection, for one call. Only
 * self-attention; in a model with an encoder, that of the decoder.
 */
export interface HeadAblation {
  /** Layers, ascending; default all. */
  layers?: readonly number[];
  /** Query heads, ascending; default all. */
  heads?: readonly number[];
  /** Zero, or the mean of the head's output over the tokens of the text that are not padding. */
  with: "zero" | "mean";
}

/**
 * Replaces numbers inside a model for one call, for example by those of another run (activation
 * patching). In a model with an encoder, those of the decoder.
 */
export interface Patch {
  /**
   * The layer whose head, or whose residual stream after the layer, is replaced; -1: the stream
   * before the first layer.
   */
  layer: number;
  /** The head whose output (`headOutputs`) is replaced. Default: the stream (`residual`) is. */
  head?: number;
  /** Tokens to replace, ascending indices. Default: all. */
  rows?: readonly number[];
  /** A row of numbers for each of these tokens: `[T',Dv]` of a head, `[T',E]` of the stream. */
  values: TensorLike | Float32Array | readonly number[];
}
