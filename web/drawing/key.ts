/** The key of a chart: names, each with a sample, in rows that wrap. */
import type { Palette } from "./colour.js";
import type { Mark, Measure } from "./scene.js";

export interface KeyEntry {
  name: string;
  /** Draws the sample at the beginning of the row's baseline. */
  sample: (x: number, y: number) => Mark | readonly Mark[];
}

export interface KeyPosition {
  left?: number;
  top?: number;
  width: number;
  /** Space from a sample to its name, and from a name to the next sample. */
  indent?: number;
  gap?: number;
}

const size = 13;
export const keyRowHeight = 20;

/** Returns the marks, and the baseline of the last row. */
export function keyMarks(
  entries: readonly KeyEntry[],
  { left = 0, top = 0, width, indent = 33, gap = 19 }: KeyPosition,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; rows: number; baseline: number } {
  let [x, rows] = [left, 1];
  const yOf = (row: number) => top + 12 + (row - 1) * keyRowHeight;
  const marks = entries.flatMap(({ name, sample }): Mark[] => {
    const wide = indent + measure(name, size);
    if (x > left && x + wide > left + width) [x, rows] = [left, rows + 1];
    const at = x;
    x += wide + gap;
    const y = yOf(rows);
    return [
      ...[sample(at, y)].flat(),
      { kind: "text", x: at + indent, y, text: name, fill: palette.ink, size },
    ];
  });
  return { marks, rows, baseline: yOf(rows) };
}
