/** Common sizes and drawings of the parts of "two hands in every pair". */
import type { Palette } from "../../drawing/colour.js";
import type { Grid, Mark } from "../../drawing/scene.js";

export interface Area {
  x: number;
  y: number;
  width: number;
}

export interface Panel {
  marks: Mark[];
  grids: Grid[];
  bottom: number;
}

/** Height above the first row of pairs, and distance between rows. */
export const rowHead = 34;
export const rowPitch = 46;

/** Optional columns of a pair's row, beside the dial and the time of a rotation. */
export interface Columns {
  angles: boolean;
  shares: boolean;
}

export const degrees = (radians: number): number => (radians * 180) / Math.PI;

/** Returns the angle between two hands in radians, at most π. */
export function between(radians: number): number {
  const angle = Math.abs(radians) % (2 * Math.PI);
  return Math.min(angle, 2 * Math.PI - angle);
}

/** Returns the key's hand, dashed, to tell it from the query's in grey print. */
export const keyHand = (d: string, palette: Palette, width = 3): Mark => ({
  kind: "path",
  d,
  stroke: palette.key,
  width,
  dash: [width + 1, 2],
});
