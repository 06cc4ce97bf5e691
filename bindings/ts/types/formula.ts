/** The options of `wf.scheme("formula", …)`: a positional encoding that its user writes. */
import type { TensorLike } from "./tensor.js";

/**
 * A parameter of formulas, read by its name: `a`, `a[h]`, `t[h, bucket(r, 32, 128)]`. Indices count
 * from 0.
 */
export interface FormulaParameter {
  /**
   * Up to three sizes: numbers, or formulas of H, D and E such as "D/2". Default: one number, which
   * is read without an index.
   */
  shape?: readonly (number | string)[];
  /**
   * The values it begins with. A formula may name the index of the element: h if the size is H, k
   * if it is "D/2", c if it is D or E. A list has a number for each element, the last index
   * fastest; an ArrayBuffer holds float32. Default 0.
   */
  initial?: number | string | readonly number[] | Float32Array | Float64Array | ArrayBuffer;
  /** Whether training keeps it above 0. Default false. */
  positive?: boolean;
  /** False if training may not change it. Default true. */
  trained?: boolean;
}

/** A bias as a function of JavaScript: its value for a head and a distance, key − query. */
export type FormulaFunction = (at: { head: number; distance: number }) => number;

/**
 * A bias as numbers for each distance from −M to M, for all heads or for each: `[2·M+1]` or
 * `[H,2·M+1]`. An ArrayBuffer holds float32. `-Infinity` hides a key.
 */
export type FormulaNumbers =
  | TensorLike
  | readonly number[]
  | Float32Array
  | Float64Array
  | ArrayBuffer;

/** A bias by distance that is no formula. Larger distances are refused when they occur. */
export interface FormulaTable {
  /** A function is called once for each head and distance, and never after this call. */
  table: FormulaFunction | FormulaNumbers;
  /** M. Default: that of the numbers; 1024 for a function. */
  maxDistance?: number;
  /** Whether training changes the numbers. Default false. */
  trained?: boolean;
}

/** Options of the scheme "formula"; `docs/formulas.md` has the language. */
export interface FormulaOptions {
  /**
   * What is added to a logit, from i, j, r = j − i, h, layer, s (scale · q·k); on grids from i.x,
   * i.y and so on. A function or numbers become a table, see `FormulaTable`.
   */
  bias?: string | number | FormulaFunction | FormulaNumbers | FormulaTable;
  /** Named biases, at most three, `bias` included. */
  terms?: Readonly<Record<string, string | number>>;
  /** Radians by which pair k of a head's channels rotates at position i. */
  angle?: string | number;
  /** Instead of `angle`: radians for a step of one position. */
  frequency?: string | number;
  /** Channels of pair k: k and k + D/2, or 2k and 2k + 1. Default "halves". */
  pairing?: "halves" | "interleaved";
  /** What is added to channel c of a token's vector at position i, before the first layer. */
  add?: string | number;
  /** Factor on channel c of a query at position i, before the rotation. */
  queryScale?: string | number;
  /** Factor on channel c of a key at position j, before the rotation. */
  keyScale?: string | number;
  /** Replaces 1/√D. */
  logitScale?: string | number;
  /** Parameters by name; a number or a formula is the initial value of a single trained number. */
  parameters?: Readonly<Record<string, number | string | FormulaParameter>>;
}
