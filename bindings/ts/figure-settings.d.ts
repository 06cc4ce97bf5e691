/** What each figure may be given, by its tag. */

import type { FigureSettings } from "./generated/figure-properties.js";

export type * from "./generated/figure-properties.js";

/** What the figures about one text and one head of trained models have in common. */
export type ReadingSettings = FigureSettings["wf-real-heads"];

/** What the elements about rotary pairs have in common. */
export type RopeSettings = FigureSettings["wf-frequency-chart"];

/**
 * One head [T, S], several [H, T, S], layers of them [L, H, T, S], with a batch of one anywhere
 * before them; or with a shape. A string is read as JSON. What is masked is null, not a number, or
 * minus infinity.
 */
export type MapNumbers =
  | { data: ArrayLike<number | null>; shape: readonly number[] }
  | MapRow
  | readonly MapRow[]
  | readonly (readonly MapRow[])[]
  | readonly (readonly (readonly MapRow[])[])[]
  | readonly (readonly (readonly (readonly MapRow[])[])[])[];

type MapRow = ArrayLike<number | null>;

/** Texts or ids of tokens as a list, as JSON, or as words with spaces between them. */
export type GivenTokens = string | ArrayLike<string | number>;

/** Numbers by a place on the axis: lists, lists by name, or the axis with lines; null is a gap. */
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

/** What a model's cache keeps: as numbers a token and layer, or by what they are counted from. */
export interface GivenCache {
  name: string;
  layers?: number;
  numbers?: number;
  kvHeads?: number;
  headDim?: number;
  rank?: number;
  slice?: number;
}
