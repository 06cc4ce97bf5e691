/**
 * Token labels along a zoomed map: all of them if there is space, otherwise every second, fifth,
 * tenth … with its position in the text, so that they can be read at every zoom.
 */
import type { Palette } from "./colour.js";
import { type Box, cellSide, type Viewport } from "./map-viewport.js";
import type { Cell, Mark, Measure, TextMark } from "./scene.js";

const size = 13;
const han = /[\u2e80-\u9fff\uf900-\uffef]/;
const maxSigns = 12;

const shortened = (token: string): string => {
  const signs = [...token];
  return signs.length > maxSigns ? `${signs.slice(0, maxSigns - 1).join("")}…` : token;
};

/** Returns the first of 1, 2, 5, 10, 20 … that keeps labels this many pixels apart. */
export function labelStep(cell: number, apart: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of [1, 2, 5]) if (step * power * cell >= apart) return step * power;
}

export interface MapAxes {
  /** Texts of rows and columns. */
  rows: readonly string[];
  columns: readonly string[];
  view: Viewport;
  box: Box;
  /** Top left corner of the map. */
  x: number;
  y: number;
  active: Cell | undefined;
}

/** Whether labels count from 0, and so are positions themselves, as for positions and channels. */
const isCounted = (texts: readonly string[]): boolean =>
  texts[0] === "0" && texts.at(-1) === String(texts.length - 1);

/**
 * Returns the indices with a label, and whether labels need their position; includes the marked
 * index, without others close to it.
 */
function standing(
  texts: readonly string[],
  from: number,
  to: number,
  cell: number,
  apart: number,
  active: number | undefined,
): { indices: number[]; isSparse: boolean } {
  const step = labelStep(cell, apart);
  const indices: number[] = [];
  // Positions count from 1, or from 0 as the labels do; those with a label are round numbers.
  const first = isCounted(texts) ? 0 : 1;
  const last = Math.min(texts.length, Math.ceil(to)) - 1 + first;
  const begin = Math.max(first, Math.ceil((from - 0.5 + first) / step) * step);
  for (let position = begin; position <= last; position += step) indices.push(position - first);
  if (step > 1 && from < 0.5) indices.unshift(0);
  const isSeen = active !== undefined && active + 0.5 >= from && active + 0.5 <= to;
  const free = isSeen
    ? indices.filter((index) => Math.abs(index - active) * cell >= apart)
    : indices;
  const apartFromFirst =
    free[0] === 0 && free.length > 1 && free[1]! * cell < apart ? free.slice(1) : free;
  return { indices: isSeen ? [...apartFromFirst, active] : apartFromFirst, isSparse: step > 1 };
}

const nameOf = (tokens: readonly string[], index: number, isSparse: boolean): string => {
  const token = shortened(tokens[index] ?? "");
  return isSparse && !isCounted(tokens)
    ? `${index + 1} ${token}`.trimEnd()
    : token || String(index + 1);
};

function rowMarks({ rows, view, box, x, y, active }: MapAxes, palette: Palette): Mark[] {
  const cell = cellSide(view, box);
  const down = box.height / cell;
  const { indices, isSparse } = standing(
    rows,
    view.top,
    view.top + down,
    cell,
    size + 1,
    active?.row,
  );
  return indices.map((index): TextMark => {
    const middle = (index + 0.5 - view.top) * cell;
    return {
      kind: "text",
      x: x - 7,
      y: y + middle + size * 0.34,
      text: nameOf(rows, index, isSparse),
      fill: isCounted(rows) ? palette.soft : palette.query,
      size,
      align: "right",
      weight: index === active?.row ? 700 : 400,
    };
  });
}

function columnMarks(axes: MapAxes, palette: Palette, measure: Measure): Mark[] {
  const { columns, view, box, x, y, active } = axes;
  const cell = cellSide(view, box);
  const isHan = columns.some((token) => han.test(token));
  const first = labelStep(cell, size + 2);
  // A position above a stack of characters is horizontal, and needs more space.
  const isLevelled = isCounted(columns);
  const apart = (first > 1 && isHan) || isLevelled ? 34 : size + 2;
  const { indices, isSparse } = standing(
    columns,
    view.left,
    view.left + view.across,
    cell,
    apart,
    active?.column,
  );
  const isVertical = (token: string) =>
    han.test(token) || ([...token].length === 1 && (isHan || !isSparse));
  // All in one direction: a single horizontal word among upright ones would look like a mistake.
  const isLevel =
    isLevelled ||
    (!isSparse &&
      indices.every((index) => {
        const name = nameOf(columns, index, isSparse);
        return isVertical(name) || measure(name, size) <= cell - 4;
      }));
  return indices.flatMap((index): Mark[] => {
    const middle = x + (index + 0.5 - view.left) * cell;
    const weight = index === active?.column ? 700 : 400;
    const fill = isLevelled ? palette.soft : palette.key;
    const base = { kind: "text", fill, size, weight } as const;
    const token = shortened(columns[index] ?? "");
    const signs = [...token];
    if (isVertical(token)) {
      const marks = signs.map((sign, at): Mark => {
        const above = (signs.length - 1 - at) * size * 1.05;
        return { ...base, x: middle, y: y - 7 - above, text: sign, align: "center" };
      });
      const end = { x: middle, y: y - 7 - signs.length * size * 1.05, align: "center" } as const;
      return isSparse && !isLevelled
        ? [...marks, { ...base, ...end, text: String(index + 1) }]
        : marks;
    }
    const name = nameOf(columns, index, isSparse);
    if (isLevel) return [{ ...base, x: middle, y: y - 7, text: name, align: "center" }];
    return [{ ...base, x: middle + size * 0.34, y: y - 6, text: name, rotation: -Math.PI / 2 }];
  });
}

/** Returns the space left of the map and above it, for whichever part is in view. */
export function axesRoom(
  rows: readonly string[],
  columns: readonly string[],
  measure: Measure,
): { left: number; above: number } {
  const number = (tokens: readonly string[]) =>
    tokens.length > 24 && !isCounted(tokens) ? `${tokens.length} ` : "";
  const widest = (tokens: readonly string[]) => {
    // The labels with the most characters are about the widest; measuring all would take long.
    const longest = [...new Set(tokens)].sort((a, b) => b.length - a.length).slice(0, 24);
    return Math.max(0, ...longest.map((token) => measure(number(tokens) + shortened(token), size)));
  };
  const tallest = Math.max(
    0,
    ...columns.map((token) => (han.test(token) ? [...shortened(token)].length + 1 : 0)),
  );
  const heights = isCounted(columns) ? [0] : [widest(columns), tallest * size * 1.05];
  return {
    left: Math.ceil(Math.min(110, Math.max(22, widest(rows) * 1.08 + 12))),
    above: Math.ceil(Math.min(118, Math.max(24, Math.max(...heights) * 1.08 + 12))),
  };
}

/** Returns all labels of the part in view. */
export const axesMarks = (axes: MapAxes, palette: Palette, measure: Measure): Mark[] => [
  ...rowMarks(axes, palette),
  ...columnMarks(axes, palette, measure),
];
