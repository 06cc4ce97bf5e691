/** What the parts of the picture of "two hands in every pair" have in common. */
import type { Palette } from "../../drawing/colour.js";
import type { Grid, Mark } from "../../drawing/scene.js";

export interface Place {
  x: number;
  y: number;
  width: number;
}

export interface Panel {
  marks: Mark[];
  grids: Grid[];
  bottom: number;
}

/** From the top of the rows of pairs to the first of them, and from row to row. */
export const rowHead = 34;
export const rowPitch = 46;

/** What of a pair stands in its row beside the dial and the time of a turn. */
export interface Columns {
  angles: boolean;
  shares: boolean;
}

export const degrees = (radians: number): number => (radians * 180) / Math.PI;

/** Radians between two hands so far apart, within half a turn. */
export function between(radians: number): number {
  const angle = Math.abs(radians) % (2 * Math.PI);
  return Math.min(angle, 2 * Math.PI - angle);
}

/** The hand of the key is dashed and shorter: in grey print, too, it is told from the query's. */
export const keyHand = (d: string, palette: Palette, width = 3): Mark => ({
  ...{ kind: "path", d, stroke: palette.key, width, dash: [width + 1, 2] },
});
