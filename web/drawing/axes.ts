/** Ticks and rules shared by the line chart and the bars. */
import type { Palette } from "./colour.js";
import type { Mark, PathMark } from "./scene.js";

/** Returns round numbers from 0 to at least `max`, about `wanted` of them. */
export function ticks(max: number, wanted: number): number[] {
  if (!(max > 0)) return [0];
  const rough = max / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10);
  const count = Math.ceil(max / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/**
 * Returns the smallest round number that is not below `value`: 1, 1.5, 2, 2.5, 3 to 9 times a power
 * of ten.
 */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9, 10];
  return Number(
    ((steps.find((step) => step * power >= value * (1 - 1e-9)) ?? 10) * power).toPrecision(12),
  );
}

export const rule = (
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  stroke: string,
  width = 1,
): PathMark => ({
  kind: "path",
  d: `M${x1} ${y1}L${x2} ${y2}`,
  stroke,
  width,
});

export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
  maxX: number;
  maxY: number;
  /** Lower end of the axis; default 0. */
  minY?: number;
  /** Top of the curves' names above the chart; default 0. */
  keyTop?: number;
}

/** Returns the y of a value in the frame. */
export const heightOf = (frame: Frame, value: number): number => {
  const min = frame.minY ?? 0;
  return frame.top + frame.height * (1 - (value - min) / (frame.maxY - min || 1));
};

/** Returns round numbers between the ends of the vertical axis, with zero if it is inside. */
function rowTicks({ maxY, minY = 0 }: Frame): number[] {
  if (minY > 0)
    return ticks(maxY - minY, 4).flatMap((tick) =>
      tick > (maxY - minY) * 1.001 ? [] : Number((minY + tick).toPrecision(12)),
    );
  const steps = ticks(Math.max(maxY, -minY), minY < 0 && maxY > 0 ? 3 : 4);
  const below = steps.slice(1).map((tick) => -tick);
  return [...below, ...steps].filter(
    (tick) => tick <= maxY * 1.001 && tick >= minY - 0.001 * Math.abs(minY),
  );
}

/**
 * Returns horizontal hairlines with numbers on the left, numbers or other columns below, and a name
 * for each axis.
 */
export function axisMarks(
  frame: Frame,
  palette: Palette,
  names: {
    x: string;
    y: string;
    /** Left edge of the vertical axis's name; default 0. */
    left?: number;
    /** Space between the vertical axis and its numbers; default 7. */
    gap?: number;
    columns?: readonly { at: number; text: string }[];
    /** Numbers of the vertical axis; by default round ones between its ends. */
    rows?: readonly number[];
  },
): Mark[] {
  const size = 13;
  const text = (x: number, y: number, value: string, align: "left" | "center" | "right"): Mark => ({
    kind: "text",
    x,
    y,
    text: value,
    fill: palette.soft,
    size,
    align,
  });
  const bottom = frame.top + frame.height;
  const rows = names.rows ?? rowTicks(frame);
  const numbers = ticks(frame.maxX, frame.width > 460 ? 8 : 4)
    .filter((tick) => tick <= frame.maxX)
    .map((tick) => ({ at: tick, text: String(tick) }));
  const columns = names.columns ?? numbers;
  return [
    ...rows.flatMap((tick) => {
      const y = heightOf(frame, tick);
      return [
        rule(frame.left, y, frame.left + frame.width, y, tick === 0 ? palette.soft : palette.hair),
        text(frame.left - (names.gap ?? 7), y + 4, String(tick).replace("-", "−"), "right"),
      ];
    }),
    ...columns.map(({ at, text: name }) =>
      text(
        frame.left + (frame.maxX ? at / frame.maxX : 0) * frame.width,
        bottom + 18,
        name,
        "center",
      ),
    ),
    text(frame.left + frame.width, bottom + 36, names.x, "right"),
    text(names.left ?? 0, frame.top - 14, names.y, "left"),
  ];
}
