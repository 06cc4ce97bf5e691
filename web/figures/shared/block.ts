/** A part of a picture that is put together from several. */
import { roundUp } from "../../drawing/axes.js";
import { type Palette, signedColour } from "../../drawing/colour.js";
import type { Grid, Mark, Measure, TextMark } from "../../drawing/scene.js";
import { plain } from "../../text/numbers.js";

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

/** Where a line may end: after a space, and on either side of a Chinese character. */
const wordPattern = /[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+/g;
const isMark = (word: string): boolean => /^[，。、；：！？）》”]/.test(word);

/** The text in lines no wider than `width`. */
export function linesOf(text: string, width: number, measure: Measure, size = 12): string[] {
  const lines: string[] = [];
  for (const word of text.match(wordPattern) ?? []) {
    const longer = (lines.at(-1) ?? "") + word;
    const fits = measure(longer.trimEnd(), size) <= width;
    if (lines.length && (fits || isMark(word))) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => line.trimEnd());
}

const lineHeight = 17;
const stripWidth = 96;

/** A caption in as many lines as it needs, and the colours of a signed map under it. */
export function signedLegend(
  text: string,
  limit: number,
  { x, y, width }: Place,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; bottom: number } {
  const lines = text ? linesOf(text, width, measure) : [];
  const marks: Mark[] = lines.map((line, index) =>
    caption(palette, x, y + 10 + index * lineHeight, line),
  );
  const top = y + lines.length * lineHeight + 2;
  const [low, high] = [plain(-limit), plain(limit)];
  const left = x + measure(low, 12) + 8;
  const parts = 48;
  const step = stripWidth / parts;
  for (let part = 0; part < parts; part++) {
    const fill = signedColour(palette, (2 * part) / (parts - 1) - 1, 1);
    marks.push({
      kind: "rect",
      x: left + part * step,
      y: top,
      width: step + 0.5,
      height: 10,
      fill,
    });
  }
  marks.push(
    {
      kind: "rect",
      x: left + 0.5,
      y: top + 0.5,
      width: stripWidth - 1,
      height: 9,
      stroke: palette.hair,
    },
    caption(palette, x, top + 9, low),
    caption(palette, left + stripWidth + 8, top + 9, high),
  );
  return { marks, bottom: top + 14 };
}
