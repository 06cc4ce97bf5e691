/**
 * Several curves over one axis, distinguished by dashes and by a name at their end, so that they
 * can be told apart in grey print.
 */
import { axisMarks, type Frame, heightOf, rule } from "./axes.js";
import type { Palette } from "./colour.js";
import { type CurveLook, lookColour } from "./family-colours.js";
import { type KeyEntry, keyMarks } from "./key.js";
import type { Mark, Measure } from "./scene.js";

export interface Line {
  name: string;
  /** Values at x = 0, 1, 2 … */
  values: ArrayLike<number>;
  /** Colour of the concept that the curve shows; by default ink. */
  colour?: string;
}

export const lineStyles = [
  { dash: [], width: 2 },
  { dash: [7, 4], width: 2 },
  { dash: [1.5, 3.5], width: 2.2 },
  { dash: [10, 3, 2, 3], width: 2 },
  { dash: [16, 5], width: 1.3 },
] as const;

/** A scheme's curve, or the index of one that is no scheme's. */
export type Look = CurveLook | number;

/**
 * Returns the colour of a curve among others, in charts without concepts of their own colour: that
 * of its family, or for curves that are no scheme's the concepts' distinct colours and then grey.
 */
export function lineColour(look: Look, palette: Palette): string {
  if (typeof look !== "number") return lookColour(look, palette);
  const { query, content, position, key, ink, soft } = palette;
  return [query, content, position, key, ink][look] ?? soft;
}

/** Returns width and dashes of a curve among others. */
export const lineStyle = (look: Look) =>
  lineStyles[(typeof look === "number" ? look : look.line) % lineStyles.length]!;

export const pathOf = (line: Line, frame: Frame): string =>
  Array.from(line.values, (value, index) => {
    const x = frame.left + (frame.maxX ? index / frame.maxX : 0) * frame.width;
    const y = heightOf(frame, value);
    return `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }).join("");

/**
 * Returns the entries of the key: each name with a sample of its curve, in ink unless `colourOf` is
 * given.
 */
export const lineKey = (
  names: readonly string[],
  palette: Palette,
  colourOf: (index: number, palette: Palette) => string = () => palette.ink,
): KeyEntry[] =>
  names.map((name, index) => {
    const { width, dash } = lineStyles[index % lineStyles.length]!;
    const sample = (x: number, y: number): Mark => ({
      ...rule(x, y - 4, x + 26, y - 4, colourOf(index, palette), width),
      dash,
    });
    return { name, sample };
  });

/** Draws the chart; `mark` marks one x with a vertical rule. */
export function curveMarks(
  lines: readonly Line[],
  frame: Frame,
  palette: Palette,
  measure: Measure,
  names: { x: string; y: string },
  mark?: { x: number; name: string },
): Mark[] {
  const entries = lineKey(
    lines.map(({ name }) => name),
    palette,
    (index, { ink }) => lines[index]?.colour ?? ink,
  );
  const { left, width, keyTop: top = 0 } = frame;
  const key = keyMarks(entries, { left, top, width }, palette, measure);
  const marks = [...key.marks, ...axisMarks(frame, palette, names)];
  if (mark && frame.maxX) {
    const x = frame.left + (mark.x / frame.maxX) * frame.width;
    const isRight = x > frame.left + frame.width / 2;
    marks.push(rule(x, frame.top, x, frame.top + frame.height, palette.position, 1), {
      kind: "text",
      x: x + (isRight ? -6 : 6),
      y: frame.top + 13,
      text: mark.name,
      fill: palette.position,
      size: 13,
      align: isRight ? "right" : "left",
    });
  }
  lines.forEach((line, index) => {
    const style = lineStyles[index % lineStyles.length]!;
    marks.push({
      kind: "path",
      d: pathOf(line, frame),
      stroke: line.colour ?? palette.ink,
      width: style.width,
      dash: style.dash,
    });
  });
  return marks;
}
