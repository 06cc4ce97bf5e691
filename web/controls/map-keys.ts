/** Texts and keys of a map. */
import type { Reduce } from "../drawing/map-pyramid.js";

/** Texts of a map, in the language of its surroundings. */
export interface MapWords {
  closer: string;
  farther: string;
  whole: string;
  zoom: string;
  /** Keys that move through the map, for a screen reader. */
  keys: string;
  cells: (rows: number, columns: number) => string;
  stands: (reduce: Reduce, side: number) => string;
}

/** With Shift, arrows move the part in view by a share of its size. */
export const shifts: Record<string, readonly [number, number]> = {
  ArrowLeft: [0.25, 0],
  ArrowRight: [-0.25, 0],
  ArrowUp: [0, 0.25],
  ArrowDown: [0, -0.25],
};
export const zooms: Record<string, number> = { "+": 1.5, "=": 1.5, "-": 1 / 1.5, _: 1 / 1.5 };
