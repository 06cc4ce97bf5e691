/**
 * Charts of loss against the length of the test: curves through means, bands over seeds, the
 * training length.
 */
import { type Frame, heightOf, rule } from "../../../drawing/axes.js";
import type { Palette } from "../../../drawing/colour.js";
import { type Look, lineColour, lineStyle } from "../../../drawing/curve.js";
import type { Grid, Mark, PathMark } from "../../../drawing/scene.js";
import type { Spread } from "../../../engine/page/length-results.js";
import { caption } from "./captions.js";
import type { LineEnd } from "./end-labels.js";

/** Loss at each multiple of the training length; `undefined` if the scheme is not defined there. */
export type Tested = readonly (Spread | undefined)[];

/** Bands overlap, so each is translucent. */
export const bandOpacity = 0.14;

const fixed = (value: number): string => value.toFixed(1);

/** Returns a curve through points, with gaps at undefined ones. */
export function pathThrough(points: readonly (readonly [number, number] | undefined)[]): string {
  let isOpen = false;
  return points
    .map((point) => {
      const step = point ? `${isOpen ? "L" : "M"}${fixed(point[0])} ${fixed(point[1])}` : "";
      isOpen = point !== undefined;
      return step;
    })
    .join("");
}

export const lineMark = (d: string, look: Look, palette: Palette, width?: number): PathMark => {
  const style = lineStyle(look);
  const stroke = lineColour(look, palette);
  return { kind: "path", d, stroke, width: width ?? style.width, dash: style.dash };
};

export function ringPath(x: number, y: number, radius: number): string {
  const arc = `a${radius} ${radius} 0 1 0`;
  return `M${fixed(x - radius)} ${fixed(y)}${arc} ${2 * radius} 0${arc} ${-2 * radius} 0`;
}

export const columnX = (frame: Frame, column: number): number =>
  frame.left + (column / frame.maxX) * frame.width;

/** Draws a curve through the means, and a dot at each. */
export function meanMarks(tested: Tested, look: Look, frame: Frame, palette: Palette): Mark[] {
  const points = tested.map((one, column) =>
    one ? ([columnX(frame, column), heightOf(frame, one.mean)] as const) : undefined,
  );
  const colour = lineColour(look, palette);
  const dots = points.flatMap((point): Mark[] =>
    point
      ? [{ kind: "path", d: ringPath(...point, 2.5), stroke: colour, width: 1, fill: colour }]
      : [],
  );
  return [lineMark(pathThrough(points), look, palette), ...dots];
}

export function bandOf(tested: Tested, look: Look, frame: Frame, palette: Palette): Mark[] {
  const known = tested.flatMap((one, column) =>
    one && one.count > 1 ? [{ ...one, x: columnX(frame, column) }] : [],
  );
  if (known.length < 2) return [];
  const edge = (list: typeof known, key: "min" | "max") =>
    list.map((one) => `${fixed(one.x)} ${fixed(heightOf(frame, one[key]))}`).join("L");
  const d = `M${edge(known, "max")}L${edge([...known].reverse(), "min")}Z`;
  const fill = lineColour(look, palette);
  return [{ kind: "path", d, stroke: fill, width: 0, fill, fillOpacity: bandOpacity }];
}

/** Draws the training length, as a dashed line with its name. */
export function trainedMarks(frame: Frame, column: number, name: string, palette: Palette): Mark[] {
  const x = columnX(frame, column);
  const line = rule(x, frame.top, x, frame.top + frame.height, palette.soft);
  return [{ ...line, dash: [4, 4] }, caption(palette, x + 7, frame.top + 13, name)];
}

/** Returns the ends of curves with their names; that of a curve which ends early has a note. */
export const endsOf = (
  lines: readonly { name: string; tested: Tested; look: Look }[],
  frame: Frame,
  notDefined: (name: string) => string,
): LineEnd[] =>
  lines.flatMap(({ name, tested, look }): LineEnd[] => {
    if (!tested.length) return [];
    const last = tested.at(-1);
    if (!last) return [{ look, name: notDefined(name), y: undefined }];
    return [{ look, name, y: heightOf(frame, last.mean) }];
  });

/** Returns the chart as a grid: a row for each curve, a column around each length. */
export function chartGrid(
  { left, top, width, height }: Frame,
  { rows, columns }: { rows: number; columns: number },
  what: Pick<Grid, "id" | "label" | "describe">,
): Grid {
  const pitch = width / Math.max(1, columns - 1);
  return {
    ...what,
    x: left - pitch / 2,
    y: top,
    cellWidth: pitch,
    cellHeight: height / Math.max(1, rows),
    rows,
    columns,
  };
}
