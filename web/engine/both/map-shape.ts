/** Sizes of maps from the shape of their numbers, as programs, files and frameworks give it. */
import { longestMapSide } from "./map-messages.js";

export interface MapSizes {
  layers: number;
  heads: number;
  rows: number;
  columns: number;
}

/**
 * [T, S], [H, T, S] or [L, H, T, S]. A batch of one is accepted: frameworks give [1, H, T, S], and
 * lists of that for layers. Returns undefined for any other shape.
 */
export function mapSizes(shape: readonly number[]): MapSizes | undefined {
  if (!shape.every((size) => Number.isInteger(size) && size > 0)) return undefined;
  const batch = shape.length === 5 ? [0, 1].find((at) => shape[at] === 1) : undefined;
  const sizes = shape.filter((_, at) => at !== batch);
  if (sizes.length < 2 || sizes.length > 4) return undefined;
  const [layers, heads, rows, columns] = [1, 1, ...sizes].slice(-4) as [
    number,
    number,
    number,
    number,
  ];
  return { layers, heads, rows, columns };
}

export const isTooLong = ({ rows, columns }: MapSizes): boolean =>
  rows > longestMapSide || columns > longestMapSide;

/**
 * Returns the number of a cell; undefined if the value is no number of a map. Minus infinity in
 * logits is a masked cell.
 */
export function cellOf(value: unknown): number | undefined {
  if (value === null || value === undefined || value === Number.NEGATIVE_INFINITY)
    return Number.NaN;
  if (typeof value !== "number" && typeof value !== "bigint") return undefined;
  const cell = Math.fround(Number(value));
  return Math.abs(cell) === Number.POSITIVE_INFINITY ? undefined : cell;
}
