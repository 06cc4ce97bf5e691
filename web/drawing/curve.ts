/** Several lines over one axis, told apart by dash and by a name at their end, so that grey print suffices. */
import { axisMarks, type Frame, heightOf, rule } from "./axes.js";
import type { Palette } from "./colour.js";
import type { Mark, Measure } from "./scene.js";

export interface Line {
  name: string;
  /** Value at x = 0, 1, 2 … */
  values: ArrayLike<number>;
}

export const lineStyles = [
  { dash: [], width: 2 },
  { dash: [7, 4], width: 2 },
  { dash: [1.5, 3.5], width: 2.2 },
  { dash: [10, 3, 2, 3], width: 2 },
  { dash: [16, 5], width: 1.3 },
] as const;

export const pathOf = (line: Line, frame: Frame): string =>
  Array.from(line.values, (value, index) => {
    const x = frame.left + (frame.mostX ? index / frame.mostX : 0) * frame.width;
    const y = heightOf(frame, value);
    return `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }).join("");

/** Names with a sample of their line, in a row above the chart, wrapping where they must. */
export function keyMarks(
  lines: readonly Pick<Line, "name">[],
  frame: Frame,
  palette: Palette,
  measure: Measure,
): Mark[] {
  let x = frame.left;
  let y = (frame.keyTop ?? 0) + 12;
  return lines.flatMap((line, index): Mark[] => {
    const style = lineStyles[index % lineStyles.length]!;
    const width = 34 + measure(line.name, 13);
    if (x > frame.left && x + width > frame.left + frame.width) {
      x = frame.left;
      y += 20;
    }
    const marks: Mark[] = [
      {
        kind: "path",
        d: `M${x} ${y - 4}L${x + 26} ${y - 4}`,
        stroke: palette.ink,
        width: style.width,
        dash: style.dash,
      },
      { kind: "text", x: x + 33, y, text: line.name, fill: palette.ink, size: 13 },
    ];
    x += width + 18;
    return marks;
  });
}

/** The chart; `mark` names one x with a vertical rule. */
export function curveMarks(
  lines: readonly Line[],
  frame: Frame,
  palette: Palette,
  measure: Measure,
  names: { x: string; y: string },
  mark?: { x: number; name: string },
): Mark[] {
  const marks = [...keyMarks(lines, frame, palette, measure), ...axisMarks(frame, palette, names)];
  if (mark && frame.mostX) {
    const x = frame.left + (mark.x / frame.mostX) * frame.width;
    const isRight = x > frame.left + frame.width / 2;
    marks.push(rule(x, frame.top, x, frame.top + frame.height, palette.position, 1), {
      kind: "text",
      x: x + (isRight ? -6 : 6),
      y: frame.top + 13,
      text: mark.name,
      fill: palette.position,
      size: 12,
      align: isRight ? "right" : "left",
    });
  }
  lines.forEach((line, index) => {
    const style = lineStyles[index % lineStyles.length]!;
    marks.push({
      kind: "path",
      d: pathOf(line, frame),
      stroke: palette.ink,
      width: style.width,
      dash: style.dash,
    });
  });
  return marks;
}
