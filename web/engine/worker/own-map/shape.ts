/** What every reader of a map checks: sizes before memory is taken, numbers before they show. */
import { longestMapSide, mostMapNumbers, type OwnMapAnswer } from "../../both/map-messages.js";

export const malformed = (message: string): Error =>
  Object.assign(new Error(message), { code: "malformed_map" });

export interface MapShape {
  heads: number;
  rows: number;
  columns: number;
}

/** [T,S] or [H,T,S] as sizes that a map may have. */
export function shapeOf(shape: readonly number[], what: string): MapShape {
  const written = `${what} has the shape [${shape.slice(0, 8).join(", ")}]`;
  if (shape.length !== 2 && shape.length !== 3)
    throw malformed(`${written}; a map has [T, S], heads of maps [H, T, S]`);
  const [heads, rows, columns] = shape.length === 2 ? [1, ...shape] : shape;
  const isSize = (size: number) => Number.isInteger(size) && size > 0;
  if (![heads, rows, columns].every((size) => isSize(size!)))
    throw malformed(`${written}; each size is a whole number from 1 on`);
  if (rows! > longestMapSide || columns! > longestMapSide)
    throw malformed(`${written}; a side has at most ${longestMapSide} cells`);
  if (heads! * rows! * columns! > mostMapNumbers)
    throw malformed(`${written}; a file has at most ${mostMapNumbers} numbers`);
  return { heads: heads!, rows: rows!, columns: columns! };
}

/** Refuses maps without any number; infinities are as far from a map as letters. */
export function checked(map: OwnMapAnswer): OwnMapAnswer {
  let seen = 0;
  for (const value of map.values) {
    if (value === Infinity || value === -Infinity)
      throw malformed("the file has infinite numbers; masked cells are NaN");
    if (!Number.isNaN(value)) seen++;
  }
  if (!seen) throw malformed("the file has no number that is not NaN");
  return map;
}

/** Labels of a side, as many as it has cells. */
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
