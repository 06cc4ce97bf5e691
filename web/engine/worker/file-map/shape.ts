/**
 * Checks for maps in every file format: sizes before memory is allocated, numbers before they are
 * shown.
 */
import { type FileMapAnswer, longestMapSide, maxMapNumbers } from "../../both/map-messages.js";
import { cellOf, isTooLong, type MapSizes, mapSizes } from "../../both/map-shape.js";

export const malformed = (message: string): Error =>
  Object.assign(new Error(message), { code: "malformed_map" });

/** Returns [T,S], [H,T,S] or [L,H,T,S] as allowed sizes of a map. */
export function shapeOf(shape: readonly number[], what: string): MapSizes {
  const written = `${what} has the shape [${shape.slice(0, 8).join(", ")}]`;
  const sizes = mapSizes(shape);
  if (!sizes)
    throw malformed(
      `${written}; a map has [T, S], heads [H, T, S], layers [L, H, T, S], from 1 on`,
    );
  if (isTooLong(sizes)) throw malformed(`${written}; a side has at most ${longestMapSide} cells`);
  if (shape.reduce((product, size) => product * size, 1) > maxMapNumbers)
    throw malformed(`${written}; a file has at most ${maxMapNumbers} numbers`);
  return sizes;
}

/** Rejects maps without a finite number, and maps with an infinite one. */
export function checked(map: FileMapAnswer): FileMapAnswer {
  let seen = 0;
  map.values.forEach((value, at) => {
    const cell = cellOf(value);
    if (cell === undefined)
      throw malformed("the file has infinite numbers; masked cells are NaN or minus infinity");
    map.values[at] = cell;
    if (!Number.isNaN(cell)) seen++;
  });
  if (!seen) throw malformed("the file has no number that is not NaN");
  return map;
}

/** Returns the labels of a side, one for each cell. */
export function tokensOf(list: unknown, count: number, what: string): string[] | undefined {
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list)) throw malformed(`"${what}" is not a list`);
  if (list.length !== count)
    throw malformed(`"${what}" has ${list.length} entries for ${count} cells`);
  return list.map((token) => {
    if (typeof token !== "string" && typeof token !== "number")
      throw malformed(`"${what}" holds something that is neither text nor number`);
    return String(token).slice(0, 200);
  });
}
