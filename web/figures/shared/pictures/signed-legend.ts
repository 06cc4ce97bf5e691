/** The scale of a signed map: its limit, and the caption with its colours. */
import { roundUp } from "../../../drawing/axes.js";
import { type Palette, signedColour } from "../../../drawing/colour.js";
import type { Mark, Measure } from "../../../drawing/scene.js";
import { stripMarks } from "../../../drawing/strip.js";
import { plain } from "../../../text/numbers.js";
import { caption, linesOf } from "./captions.js";

export interface Area {
  x: number;
  y: number;
  width: number;
}

/**
 * Returns the symmetric limit of a signed map: a round number not below its largest absolute value.
 */
export function limitOf(values: ArrayLike<number>): number {
  let max = 0;
  for (let index = 0; index < values.length; index++) max = Math.max(max, Math.abs(values[index]!));
  return roundUp(max || 1);
}

const lineHeight = 17;
const stripWidth = 96;

/** Draws a caption in as many lines as it needs, with the colours of a signed map below it. */
export function signedLegend(
  text: string,
  limit: number,
  { x, y, width }: Area,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; bottom: number } {
  const lines = text ? linesOf(text, width, measure) : [];
  const top = y + lines.length * lineHeight + 2;
  const [low, high] = [plain(-limit), plain(limit)];
  const left = x + measure(low, 13) + 8;
  const strip = { x: left, y: top, width: stripWidth, height: 10, parts: 48 };
  const marks: Mark[] = [
    ...lines.map((line, index) => caption(palette, x, y + 10 + index * lineHeight, line)),
    ...stripMarks(strip, (share) => signedColour(palette, share * 2 - 1, 1), palette),
    caption(palette, x, top + 9, low),
    caption(palette, left + stripWidth + 8, top + 9, high),
  ];
  return { marks, bottom: top + 14 };
}
