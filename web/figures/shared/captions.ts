/** Texts inside pictures: captions in soft ink, headings, and long ones broken into lines. */
import type { Palette } from "../../drawing/colour.js";
import type { Measure, TextMark } from "../../drawing/scene.js";

export const caption = (
  palette: Palette,
  x: number,
  y: number,
  text: string,
  align: "left" | "center" | "right" = "left",
): TextMark => ({ kind: "text", x, y, text, fill: palette.soft, size: 12, align });

export const headingSize = 14;

/** What stands above a part of a picture, in bold; it is wider than `Measure` says. */
export const heading = (palette: Palette, x: number, y: number, text: string): TextMark => ({
  kind: "text",
  x,
  y,
  text,
  fill: palette.ink,
  size: headingSize,
  weight: 600,
});

/** The lines of a heading no wider than `width`. */
export const headingLines = (text: string, width: number, measure: Measure): string[] =>
  linesOf(text, width / 1.1, measure, headingSize);

/**
 * Where a line may end: after a space, and on either side of a Chinese character, but not behind
 * what opens.
 */
const wordPattern =
  /[（《“]?(?:[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*)|\s+/g;
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
