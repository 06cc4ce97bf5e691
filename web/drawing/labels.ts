/** Token labels along a map. Latin words turn when they must; Chinese never does, it stacks. */
import type { Palette } from "./colour.js";
import type { Mark, Measure } from "./scene.js";

/** What labels need to know of a map. */
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

/** Labels are set at this size where cells allow it. */
export const labelSize = (cell: number): number =>
  Math.max(8.5, Math.min(cell < 48 ? 12 : 14, cell * 0.86));

/** Where cells are narrower than this, only some rows and columns have a label. */
export const roomForLabel = 8.5;

/** Lines of text stand at least so far apart. */
const labelPitch = 10;

/** Whether a row or column has its label: each where there is room, else some, and its own. */
function isLabelled(index: number, cell: number, own: readonly (number | undefined)[]): boolean {
  if (cell >= roomForLabel || own.includes(index)) return true;
  const every = Math.ceil(labelPitch / cell);
  const isFree = own.every((one) => one === undefined || Math.abs(index - one) >= every);
  return index % every === 0 && isFree;
}

/** A token as labels show it. */
export const shorten = (token: string): string =>
  token.length > 12 ? `${token.slice(0, 11)}…` : token;

export type ColumnStyle = "level" | "stacked" | "turned";

const smallestLevel = 10.5;

/**
 * How column labels are set, and how large: level if each fits its cell, be it a little smaller;
 * else stacked (Chinese) or turned (Latin).
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
  return { style: isLatin ? "turned" : "stacked", size };
}

/** Height the column labels need above the map. */
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

/** Width the row labels need left of the map. */
export const rowLabelWidth = (tokens: readonly string[], cell: number, measure: Measure): number =>
  // Room for the bold of an active row.
  Math.max(0, ...tokens.map((token) => measure(shorten(token), labelSize(cell)))) * 1.08 + 8;

export function rowLabels(map: Labelled, palette: Palette): Mark[] {
  const size = labelSize(map.cell);
  const own = [map.active?.row, map.framedRow];
  return map.rows.flatMap((token, row): Mark[] => {
    const isActive = own.includes(row);
    if (!isLabelled(row, map.cell, own)) return [];
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
  const own = [map.active?.column];
  return map.columns.flatMap((token, column): Mark[] => {
    const isActive = own.includes(column);
    if (!isLabelled(column, map.cell, own)) return [];
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
      { ...base, x: middle + size * 0.34, y: map.y - 6, text: shorten(token), turn: -Math.PI / 2 },
    ];
  });
}

/**
 * The largest cell, from `most` down to `least`, whose map fits: labels shrink with cells, so it is
 * found by trying.
 */
export function fittingCell(
  most: number,
  least: number,
  width: number,
  needed: (cell: number) => number,
): number {
  let cell = most;
  while (cell > least && needed(cell) > width) cell -= 1;
  return cell;
}
