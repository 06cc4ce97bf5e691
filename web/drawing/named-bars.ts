/** Bars below one another, each with its name and its number above it. */
import { rule } from "./axes.js";
import type { Palette } from "./colour.js";
import type { Grid, Mark } from "./scene.js";

export interface NamedBar {
  name: string;
  value: number;
  /** The value in words. */
  text: string;
  /** A short explanation of the bar, in soft ink after the name. */
  how?: string;
  colour: string;
}

export interface BarField {
  x: number;
  y: number;
  width: number;
  bars: readonly NamedBar[];
  /** End of the common scale. */
  max: number;
}

export const namedBarPitch = 46;

export function namedBarMarks(
  { x, y, width, bars, max }: BarField,
  palette: Palette,
  measure: (text: string, size: number) => number,
): Mark[] {
  const bottom = y + bars.length * namedBarPitch;
  const marks: Mark[] = [rule(x, y, x, bottom - 8, palette.soft)];
  bars.forEach(({ name, value, text, how, colour }, index) => {
    const top = y + index * namedBarPitch;
    const line = { kind: "text", y: top + 14, size: 13 } as const;
    const length = Math.max(1.5, (value / max) * width);
    // A name that would overlap the number is set slightly smaller.
    const share = (width - 18 - measure(text, 13)) / (measure(name, 13) * 1.08);
    const size = 13 * Math.min(1, Math.max(0.8, share));
    marks.push(
      { ...line, x: x + 6, text: name, size, fill: palette.ink, weight: 600 },
      { ...line, x: x + width, text, fill: palette.ink, align: "right" },
      { kind: "rect", x, y: top + 20, width: length, height: 14, fill: colour },
    );
    const left = x + 14 + measure(name, 13) * 1.08;
    const room = x + width - measure(text, 13) - 12 - left;
    if (how && measure(how, 12) <= room)
      marks.push({ ...line, x: left, text: how, fill: palette.soft, size: 13 });
  });
  return marks;
}

export const namedBarGrid = (
  { x, y, width, bars }: BarField,
  what: Pick<Grid, "id" | "label" | "describe">,
): Grid => ({
  ...what,
  x,
  y,
  cellWidth: width,
  cellHeight: namedBarPitch,
  rows: bars.length,
  columns: 1,
});
