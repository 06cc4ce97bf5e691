/** Schemes: what they say of themselves, their options, what they compute. */
import type { SchemeId, SchemeOptions } from "../generated/schemes.js";
import type { Operand, Out, Positions, Tensor, TensorLike } from "./tensor.js";

/**
 * The name of a scheme. A literal must be one of the known ones; a `string`, whose value only the
 * running program knows, is checked by the call.
 */
export type SchemeName<Id extends string> = Id & (string extends Id ? unknown : SchemeId);
/** What may be given to a scheme of that name: of a `string`, options of any. */
export type SchemeOptionsOf<Id extends string> = Id extends SchemeId
  ? SchemeOptions[Id]
  : Readonly<Record<string, unknown>>;

export type OptionValue = boolean | number | string | number[];
/** Options of a scheme, completed by defaults. A group of options is an object of its own. */
export type OptionValues = Record<string, OptionValue | Record<string, OptionValue>>;

export interface SchemeOption {
  /**
   * camelCase key, as in `wf.scheme(id, { key })`; "group.key" where it is `{ group: { key } }`.
   */
  key: string;
  /**
   * The key of Hugging Face's config.json that means the same ("group.key" where it is nested), or
   * "" where there is none.
   */
  configKey: string;
  /** `list`: of numbers, empty by default. */
  kind: "boolean" | "integer" | "number" | "choice" | "list";
  default: OptionValue;
  /** Of each number of a list. */
  minimum?: number;
  maximum?: number;
  choices?: string[];
}

export interface SchemeDescription {
  id: SchemeId;
  /** none, absolute, relative, rotary, latent, grid */
  family: string;
  /** Citation, e.g. "Su et al. 2021, arXiv 2104.09864". Empty where no paper introduced it. */
  paper: string;
  year: number;
  options: SchemeOption[];
  claims: {
    /** Logits depend on positions through their differences alone. */
    shiftInvariant: boolean;
    /** Defined and in range at every distance. */
    extrapolatesByConstruction: boolean;
    bidirectional: boolean;
    /** Works with a KV cache. */
    decodes: boolean;
  };
  /**
   * What it does with `isCross`: nothing, what it does elsewhere with the positions of both sides,
   * or it is refused as not defined.
   */
  crossAttention: "none" | "positions" | "refused";
  /** Which hooks the scheme implements, computed from its class. */
  hooks: string[];
  /** Names of the terms it adds to a logit, beside `content`. */
  terms: string[];
  /**
   * Axes of the positions it reads: 1 for a text, 2 for a grid (row, column), 3 for a video (time,
   * row, column), where a text's one axis stands for all three; 0 for any.
   */
  positionAxes: number;
  /**
   * Families of Hugging Face's config.json that have it, as rules
   * `model_type?condition&condition:option=value` separated by spaces.
   */
  selects: string;
}

export interface SchemeShape {
  /** Query heads H. */
  numHeads: number;
  /** Channels of a head D. */
  headDim: number;
  /** Key/value heads; default numHeads. */
  numKvHeads?: number;
  /** E, of the token vectors; default numHeads · headDim. */
  hiddenSize?: number;
  /**
   * What the scheme trains: tensors by name, those left out initialised; or the seed of initial
   * ones, as the first layer of a model of this seed begins with. Default: seed 0.
   */
  parameters?: number | Readonly<Record<string, TensorLike>>;
}

/** What a scheme adds to a model. */
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

/** A configured scheme. Methods that its hooks do not offer throw `unsupported`. */
export interface Scheme {
  readonly description: SchemeDescription;
  readonly options: OptionValues;
  /** Copies of what it trains, by name; none for a scheme that trains nothing. */
  parameters(): Record<string, Tensor>;
  /**
   * Rotary schemes: x `[H,T,D]` turned by its positions. Result `[H,T,D]`. Scalings that follow the
   * length take it to be one more than the largest position.
   */
  rotate(x: Operand, positions?: Positions, options?: { out?: Out }): Tensor;
  /**
   * Schemes that add to the token vectors: `[T,E]`, what they add at these positions, with the
   * scheme's own parameters or, where a seed is given, with initial ones. Errors:
   * `invalid_argument` past a table's end.
   */
  embeddings(positions: Positions, options?: { seed?: number; out?: Out }): Tensor;
  /** Schemes whose bias needs no content: `[H,T,S]`, added to the scaled logits. */
  bias(queryPositions: Positions, keyPositions: Positions, options?: { out?: Out }): Tensor;
  /**
   * Rotary schemes: radians that each pair of channels turns by for one unit of position, `[D/2]`
   * or fewer, and the factor on cosine and sine, for sequences of this length (default 1; it
   * matters to scalings that depend on it). Errors: `unsupported` without such pairs.
   */
  frequencies(sequenceLength?: number): {
    inverseFrequencies: Float32Array;
    attentionFactor: number;
  };
  /**
   * What the scheme costs in a forward pass of `queries` tokens (default 1) against `keys` (default
   * as many), in a model of this width (default numHeads · headDim).
   */
  cost(sizes?: { queries?: number; keys?: number; width?: number }): SchemeCost;
  /** Frees its memory now; again does nothing. Attention made with it goes on. */
  dispose(): void;
  [Symbol.dispose](): void;
}
