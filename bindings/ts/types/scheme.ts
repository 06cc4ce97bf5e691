/** Schemes: their descriptions, options and computations. */
import type { SchemeId, SchemeOptions } from "../generated/schemes.js";
import type { Operand, Out, Positions, Tensor, TensorLike } from "./tensor.js";

/**
 * The name of a scheme. A literal must be a known one; a `string`, whose value is known only at run
 * time, is checked by the call.
 */
export type SchemeName<Id extends string> = Id & (string extends Id ? unknown : SchemeId);
/** Options of the named scheme; for a `string`, options of any scheme. */
export type SchemeOptionsOf<Id extends string> = Id extends SchemeId
  ? SchemeOptions[Id]
  : Readonly<Record<string, unknown>>;

export type OptionValue = boolean | number | string | number[];
/**
 * Options of a scheme, completed with defaults. A group of options is a nested object. Of formulas,
 * those that are not empty: `terms` by name, `parameters` as they were declared.
 */
export type OptionValues = Record<string, OptionValue | Record<string, OptionValue>>;

export interface SchemeOption {
  /**
   * camelCase key, as in `wf.scheme(id, { key })`; "group.key" for a nested `{ group: { key } }`.
   */
  key: string;
  /**
   * The key of Hugging Face's config.json with the same meaning ("group.key" if it is nested), or
   * "" if there is none.
   */
  configKey: string;
  /** `list`: of numbers, empty by default; `text`: of a formula, "" by default. */
  kind: "boolean" | "integer" | "number" | "choice" | "list" | "text";
  default: OptionValue;
  /** For a list, the limit of each number. */
  minimum?: number;
  maximum?: number;
  choices?: string[];
}

export interface SchemeDescription {
  id: SchemeId;
  /** One of: none, absolute, relative, rotary, latent, grid. */
  family: string;
  /** Citation, e.g. "Su et al. 2021, arXiv 2104.09864". Empty if no paper introduced it. */
  paper: string;
  year: number;
  options: SchemeOption[];
  claims: {
    /** Whether logits depend on positions only through their differences. */
    shiftInvariant: boolean;
    /** Whether it is defined and in range at every distance. */
    extrapolatesByConstruction: boolean;
    bidirectional: boolean;
    /** Whether it works with a KV cache. */
    decodes: boolean;
  };
  /**
   * Its effect with `isCross`: none, its usual effect with the positions of both sides, or an error
   * since it is not defined.
   */
  crossAttention: "none" | "positions" | "refused";
  /** The hooks that the scheme implements, computed from its class. */
  hooks: string[];
  /** Names of the terms it adds to a logit, beside `content`. */
  terms: string[];
  /**
   * Axes of the positions it reads: 1 for a text, 2 for a grid (row, column), 3 for a video (time,
   * row, column), where positions of a text apply to all three axes; 0 for any.
   */
  positionAxes: number;
  /**
   * Families of Hugging Face's config.json that use it, each a `model_type`, separated by spaces;
   * "" if there are none.
   */
  selects: string;
}

/** The arguments of `wf.scheme`: formulas declare their parameters among their options. */
export type SchemeArguments<Id extends string> = Id extends "formula"
  ? Omit<SchemeShape, "parameters"> & SchemeOptionsOf<Id>
  : SchemeShape & SchemeOptionsOf<Id>;

export interface SchemeShape {
  /** Query heads H. */
  numHeads: number;
  /** D, channels of an attention head. */
  headDim: number;
  /** Key/value heads; default numHeads. */
  numKvHeads?: number;
  /** E, width of the token vectors; default numHeads · headDim. */
  hiddenSize?: number;
  /**
   * The scheme's trained parameters: tensors by name, with omitted ones initialised; or the seed of
   * initial ones, equal to those of a model's first layer with this seed. Default: seed 0.
   */
  parameters?: number | Readonly<Record<string, TensorLike>>;
}

/** The cost of a scheme in a model. */
export interface SchemeCost {
  /** Trained numbers that the whole model shares. */
  modelParameters: number;
  /** Trained numbers of each layer. */
  layerParameters: number;
  /**
   * Multiplications and additions before the first layer; a sine, a logarithm or a look-up counts
   * as one.
   */
  onceFlops: number;
  /** Multiplications and additions in each layer's attention, without a mask. */
  layerFlops: number;
  /** Numbers that a KV cache keeps for each token and layer. */
  cacheFloats: number;
}

/** A configured scheme. Methods that its hooks do not support throw `unsupported`. */
export interface Scheme {
  readonly description: SchemeDescription;
  readonly options: OptionValues;
  /** Copies of its trained parameters, by name; empty for a scheme without any. */
  parameters(): Record<string, Tensor>;
  /**
   * Rotary schemes: returns x `[H,T,D]` rotated by its positions, `[H,T,D]`. Scalings that depend
   * on the length assume it to be one more than the largest position.
   */
  rotate(x: Operand, positions?: Positions, options?: { out?: Out }): Tensor;
  /**
   * Schemes that add to the token vectors: `[T,E]`, the vectors they add at these positions, with
   * the scheme's own parameters or, if a seed is given, with initial ones. Errors:
   * `invalid_argument` past a table's end.
   */
  embeddings(positions: Positions, options?: { seed?: number; out?: Out }): Tensor;
  /** Schemes whose bias does not depend on content: `[H,T,S]`, added to the scaled logits. */
  bias(queryPositions: Positions, keyPositions: Positions, options?: { out?: Out }): Tensor;
  /**
   * Rotary schemes: the angle in radians by which each pair of channels rotates for one unit of
   * position, `[D/2]` or fewer, and the factor on cosine and sine, for sequences of this length
   * (default 1; it matters to scalings that depend on it). Errors: `unsupported` without such
   * pairs.
   */
  frequencies(sequenceLength?: number): {
    inverseFrequencies: Float32Array;
    attentionFactor: number;
  };
  /**
   * The scheme's cost in a forward pass of `queries` tokens (default 1) against `keys` (default as
   * many), in a model of this width (default numHeads · headDim).
   */
  cost(sizes?: { queries?: number; keys?: number; width?: number }): SchemeCost;
  /** Frees its memory now; calling it again does nothing. Attention made with it still works. */
  dispose(): void;
  [Symbol.dispose](): void;
}
