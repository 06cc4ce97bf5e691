/** Texts inside pictures: captions in soft ink, headings, and long texts broken into lines. */
import type { Palette } from "../../../drawing/colour.js";
import type { Measure, TextMark } from "../../../drawing/scene.js";

/** No text of a picture is smaller. */
export const captionSize = 13;

export const caption = (
  palette: Palette,
  x: number,
  y: number,
  text: string,
  align: "left" | "center" | "right" = "left",
): TextMark => ({ kind: "text", x, y, text, fill: palette.soft, size: captionSize, align });

export const headingSize = 14;

/** Returns the heading of a part of a picture, in bold; it is wider than `Measure` returns. */
export const heading = (palette: Palette, x: number, y: number, text: string): TextMark => ({
  kind: "text",
  x,
  y,
  text,
  fill: palette.ink,
  size: headingSize,
  weight: 600,
});

/** Returns the lines of a heading no wider than `width`. */
export const headingLines = (text: string, width: number, measure: Measure): string[] =>
  linesOf(text, width / 1.1, measure, headingSize);

const han = "[\\u3000-\\u9fff\\uff00-\\uffef]";
const latin = "[^ \\u00a0\\u3000-\\u9fff\\uff00-\\uffef]+";

/**
 * A line may end after a space, unless it is a no-break space, and on either side of a Chinese
 * character, but not after an opening bracket or quote.
 */
const wordPattern = new RegExp(
  `[（《“]?(?:${han}|${latin})(?:\\u00a0+(?:${han}|${latin}))* *|[ \\u00a0]+`,
  "g",
);
const isMark = (word: string): boolean => /^[，。、；：！？）》”]/.test(word);
/** A clause and the mark that ends it. */
const clausePattern = /.+?(?:[，；：。]|[,;:] +|$)/g;

/** Breaks words into lines, each as full as possible. */
function filled(words: readonly string[], width: number, fit: (line: string) => number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = (lines.at(-1) ?? "") + word;
    const fits = fit(longer.trimEnd()) <= width;
    if (lines.length && (fits || isMark(word))) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => line.trimEnd());
}

/**
 * Breaks text into as few lines as possible, no wider than `width`. Several lines end at pauses in
 * the text if possible, else they are as even as possible: a last line of one character looks like
 * a mistake.
 */
export function linesOf(
  text: string,
  width: number,
  measure: Measure,
  size = captionSize,
): string[] {
  const words = text.match(wordPattern) ?? [];
  const fit = (line: string) => measure(line, size);
  let lines = filled(words, width, fit);
  const { length } = lines;
  if (length < 2) return lines;
  const clauses = filled(text.match(clausePattern) ?? [], width, fit);
  if (clauses.length === length && clauses.every((line) => fit(line) <= width)) return clauses;
  for (let max = width * 0.95; max > width / 4; max -= width / 20) {
    const narrower = filled(words, max, fit);
    if (narrower.length > length) break;
    lines = narrower;
  }
  return lines;
}

/**
 * Draws the name of a row, left of `x` and centred at `y`; in two lines if it is wider than `room`.
 */
export const rowName = (
  palette: Palette,
  { x, y, room }: { x: number; y: number; room: number },
  name: string,
  measure: Measure,
): TextMark[] => {
  const size = measure(name, 13) <= room ? 13 : 12;
  const lines = linesOf(name, room, measure, size);
  return lines.map((line, index) => ({
    ...caption(palette, x, y + 4 + (index - (lines.length - 1) / 2) * 13, line, "right"),
    size,
    fill: palette.ink,
  }));
};

/** Returns the maximum width of rows' names, and the distance of rows with such names. */
export function roomForNames(
  names: readonly string[],
  { width, pitch }: { width: number; pitch: number },
  measure: Measure,
): { room: number; pitch: number } {
  const longest = Math.ceil(Math.max(0, ...names.map((name) => measure(name, 13))));
  // On a phone, names would otherwise take most of the width.
  const room = width < 480 ? Math.min(longest, Math.max(128, width * 0.34)) : longest;
  return { room, pitch: room < longest ? pitch + 5 : pitch };
}
