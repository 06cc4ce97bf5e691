/** A part of a picture that is put together from several. */
import { roundUp } from "../drawing/axes.js";
import type { Palette } from "../drawing/colour.js";
import type { Grid, Mark, TextMark } from "../drawing/scene.js";

export interface Place {
  x: number;
  y: number;
  width: number;
}

export interface Block {
  marks: Mark[];
  grids: Grid[];
  /** Lower edge. */
  bottom: number;
}

/** Height of the picture in a card. */
export const thumbHeight = 96;

/** Symmetric limit of a signed map: a round number not below its largest value. */
export function limitOf(values: ArrayLike<number>): number {
  let most = 0;
  for (let index = 0; index < values.length; index++)
    most = Math.max(most, Math.abs(values[index]!));
  return roundUp(most || 1);
}

export const caption = (
  palette: Palette,
  x: number,
  y: number,
  text: string,
  align: "left" | "center" | "right" = "left",
): TextMark => ({ kind: "text", x, y, text, fill: palette.soft, size: 12, align });
