/** Settings of each figure, by its tag. */

import type { FigureSettings } from "./generated/figure-properties.js";

export type * from "./generated/figure-properties.js";

/** Settings that the figures about one text and one head of trained models share. */
export type ReadingSettings = FigureSettings["wf-real-heads"];

/** Settings that the elements about rotary pairs share. */
export type RopeSettings = FigureSettings["wf-frequency-chart"];

/**
 * One head [T, S], several [H, T, S], layers of them [L, H, T, S], optionally with a batch of one
 * before them; or with a shape. A string is read as JSON. Null, NaN and minus infinity are masked
 * cells.
 */
export type MapNumbers =
  | { data: ArrayLike<number | null>; shape: readonly number[] }
  | MapRow
  | readonly MapRow[]
  | readonly (readonly MapRow[])[]
  | readonly (readonly (readonly MapRow[])[])[]
  | readonly (readonly (readonly (readonly MapRow[])[])[])[];

type MapRow = ArrayLike<number | null>;

/** One head of maps on demand. */
export interface HeadOnDemand {
  /** Layer and head, from 0. */
  layer: number;
  head: number;
  /** The number for a block of cells: that farthest from zero, or the mean of those not masked. */
  reduce: "max" | "mean";
  /** The first column counts as masked. */
  hideFirst: boolean;
}

/**
 * Maps that are too large to be there as a whole: `shape` as of `MapNumbers`, and functions that
 * the element calls for what is in view. A block is `side` × `side` cells, at the edges fewer;
 * `side` is a power of two. A block of masked cells alone is NaN.
 */
export interface MapsOnDemand {
  shape: readonly number[];
  /** The whole of one head in a few hundred rows, and facts about all of its cells. */
  head(asked: HeadOnDemand): Promise<{
    side: number;
    /** A number for each block, row by row. */
    values: ArrayLike<number>;
    /** For means: how many cells of each block are not masked. */
    counts?: ArrayLike<number>;
    min: number;
    max: number;
    /** The cell farthest from zero. */
    peak?: { row: number; column: number } | undefined;
    /** Whether a cell is masked. */
    hasGaps: boolean;
  }>;
  /** A rectangle of blocks; `top`, `left`, `rows` and `columns` count blocks. */
  part(
    asked: HeadOnDemand & {
      side: number;
      top: number;
      left: number;
      rows: number;
      columns: number;
    },
  ): Promise<ArrayLike<number>>;
  /** Small maps of all heads of a layer, [heads, rows, columns]: in each block the largest. */
  heads(asked: {
    layer: number;
  }): Promise<{ rows: number; columns: number; values: ArrayLike<number> }>;
}

/** Texts or ids of tokens as a list, as JSON, or as words separated by spaces. */
export type GivenTokens = string | ArrayLike<string | number>;

/** Numbers of all heads, with a shape, [L] or [L, H]; null is a gap. */
interface HeadNumbers {
  data: ArrayLike<number | null>;
  shape: readonly number[];
}

/**
 * Numbers of all heads by name: lists of layers, a list with a number for each layer, or with a
 * shape; or the `measures` of a result of `model.heads`.
 */
export type GivenMeasures = Readonly<
  Record<
    string,
    | ArrayLike<number | null>
    | readonly ArrayLike<number | null>[]
    | HeadNumbers
    | { mean: HeadNumbers }
  >
>;

/**
 * Numbers by position on the axis: lists, lists by name, or the axis with curves; null is a gap.
 */
export type GivenCurves =
  | ArrayLike<number | null>
  | readonly ArrayLike<number | null>[]
  | Readonly<Record<string, ArrayLike<number | null>>>
  | {
      x?: ArrayLike<number | null>;
      lines: readonly {
        name?: string;
        values: ArrayLike<number | null>;
        low?: ArrayLike<number | null>;
        high?: ArrayLike<number | null>;
      }[];
    };

/** The cache of a model: numbers for each token and layer, or the sizes that determine them. */
export interface GivenCache {
  name: string;
  layers?: number;
  numbers?: number;
  kvHeads?: number;
  headDim?: number;
  rank?: number;
  slice?: number;
}
