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

/** Texts or ids of tokens as a list, as JSON, or as words separated by spaces. */
export type GivenTokens = string | ArrayLike<string | number>;

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
