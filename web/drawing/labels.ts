/**
 * Token labels along a map. Latin words are rotated if the cells are narrow; Chinese characters are
 * stacked.
 */
import type { Palette } from "./colour.js";
import type { Mark, Measure } from "./scene.js";

/** Facts of a map that its labels need. */
export interface Labelled {
  x: number;
  y: number;
  cell: number;
  rows: readonly string[];
  columns: readonly string[];
  /** Cell to mark, with its row and column labels. */
  active?: { row: number; column: number } | undefined;
  /** Row to frame. */
  framedRow?: number | undefined;
}

const han = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** Returns the size of labels, if cells allow it. */
export const labelSize = (cell: number): number =>
  Math.max(8.5, Math.min(cell < 48 ? 12 : 14, cell * 0.86));

/** Minimum size of cells for a label on every row and column; smaller cells have fewer labels. */
export const roomForLabel = 8.5;

/** Minimum distance of lines of text. */
const labelPitch = 10;

/**
 * Whether a row or column has a label: all of them if there is space, otherwise some, and the
 * marked one.
 */
function isLabelled(index: number, cell: number, marked: readonly (number | undefined)[]): boolean {
  if (cell >= roomForLabel || marked.includes(index)) return true;
  const every = Math.ceil(labelPitch / cell);
  const isFree = marked.every((one) => one === undefined || Math.abs(index - one) >= every);
  return index % every === 0 && isFree;
}

/** Shortens a token for its label. */
export const shorten = (token: string): string =>
  token.length > 12 ? `${token.slice(0, 11)}…` : token;

export type ColumnStyle = "level" | "vertical" | "rotated";

const smallestLevel = 10.5;

/**
 * Returns the direction and the size of column labels: horizontal if each fits its cell, even at a
 * slightly smaller size; else stacked (Chinese) or rotated (Latin).
 */
export function columnStyle(
  tokens: readonly string[],
  cell: number,
  measure: Measure,
): { style: ColumnStyle; size: number } {
  const size = labelSize(cell);
  for (let level = size; level >= Math.min(size, smallestLevel); level -= 0.5) {
    const fits = tokens.every((token) => measure(shorten(token), level) <= cell - 2);
    if (fits) return { style: "level", size: level };
  }
  const isLatin = tokens.some((token) => [...token].length > 1 && !han.test(token));
  return { style: isLatin ? "rotated" : "vertical", size };
}

/** Returns the height that column labels need above the map. */
export function columnLabelHeight(
  tokens: readonly string[],
  cell: number,
  measure: Measure,
): number {
  const { style, size } = columnStyle(tokens, cell, measure);
  if (style === "level") return size + 8;
  return (
    Math.max(
      ...tokens.map((token) =>
        han.test(token) ? [...token].length * size * 1.05 : measure(shorten(token), size),
      ),
    ) + 10
  );
}

/** Returns the width that row labels need left of the map. */
export const rowLabelWidth = (tokens: readonly string[], cell: number, measure: Measure): number =>
  // Includes the bold label of an active row.
  Math.max(0, ...tokens.map((token) => measure(shorten(token), labelSize(cell)))) * 1.08 + 8;

export function rowLabels(map: Labelled, palette: Palette): Mark[] {
  const size = labelSize(map.cell);
  const marked = [map.active?.row, map.framedRow];
  return map.rows.flatMap((token, row): Mark[] => {
    const isActive = marked.includes(row);
    if (!isLabelled(row, map.cell, marked)) return [];
    return [
      {
        kind: "text",
        x: map.x - 7,
        y: map.y + (row + 0.5) * map.cell + size * 0.34,
        text: shorten(token),
        fill: palette.query,
        size,
        align: "right",
        weight: isActive ? 700 : 400,
      },
    ];
  });
}

export function columnLabels(map: Labelled, palette: Palette, measure: Measure): Mark[] {
  const { style, size } = columnStyle(map.columns, map.cell, measure);
  const marked = [map.active?.column];
  return map.columns.flatMap((token, column): Mark[] => {
    const isActive = marked.includes(column);
    if (!isLabelled(column, map.cell, marked)) return [];
    const middle = map.x + (column + 0.5) * map.cell;
    const base = { kind: "text", fill: palette.key, size, weight: isActive ? 700 : 400 } as const;
    if (style === "level") {
      return [{ ...base, x: middle, y: map.y - 7, text: shorten(token), align: "center" }];
    }
    if (han.test(token) || [...token].length === 1) {
      const signs = [...token];
      return signs.map(
        (sign, index): Mark => ({
          ...base,
          x: middle,
          y: map.y - 7 - (signs.length - 1 - index) * size * 1.05,
          text: sign,
          align: "center",
        }),
      );
    }
    return [
      {
        ...base,
        x: middle + size * 0.34,
        y: map.y - 6,
        text: shorten(token),
        rotation: -Math.PI / 2,
      },
    ];
  });
}

/**
 * Returns the largest cell, from `max` down to `min`, with which the map fits. Found by trying,
 * because labels shrink with the cells.
 */
export function fittingCell(
  max: number,
  min: number,
  width: number,
  needed: (cell: number) => number,
): number {
  let cell = max;
  while (cell > min && needed(cell) > width) cell -= 1;
  return cell;
}
