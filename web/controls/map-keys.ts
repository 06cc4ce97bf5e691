/** What a map says, and what its keys do. */
import type { Reduce } from "../drawing/map-pyramid.js";

/** What a map says, in the language of its place. */
export interface MapWords {
  closer: string;
  farther: string;
  whole: string;
  zoom: string;
  /** How it is walked, for a screen reader. */
  keys: string;
  cells: (rows: number, columns: number) => string;
  stands: (reduce: Reduce, side: number) => string;
}

/** With Shift, arrows move what is in view, by a part of it. */
export const shifts: Record<string, readonly [number, number]> = {
  ArrowLeft: [0.25, 0],
  ArrowRight: [-0.25, 0],
  ArrowUp: [0, 0.25],
  ArrowDown: [0, -0.25],
};
export const zooms: Record<string, number> = { "+": 1.5, "=": 1.5, "-": 1 / 1.5, _: 1 / 1.5 };
