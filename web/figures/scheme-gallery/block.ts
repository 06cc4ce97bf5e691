/** A part of the open scheme's picture. */
import type { Cell, Grid, Mark, Over } from "../../drawing/scene.js";

export { type Area, limitOf, signedLegend } from "../shared/pictures/signed-legend.js";

export interface Block {
  marks: Mark[];
  grids: Grid[];
  /** Lower edge of the part. */
  bottom: number;
  /** Returns the marks that depend on the marked cell. */
  over?: (active: Cell) => Over;
}

/** Height of the picture in a card. */
export const thumbHeight = 96;
