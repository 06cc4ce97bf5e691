/** The numbers of zoomed maps as objects that stay the same while their numbers do. */
import type { MapParts } from "../../../drawing/map-parts.js";
import type { MapSource } from "../../../drawing/map-pyramid.js";
import type { Cell } from "../../../drawing/scene.js";
import type { HeadNumbers } from "../data/numbers.js";
import { sameParts } from "../figure/memo.js";

/** Caches sources, because a map reads all numbers again when its source is another object. */
export class MapSources {
  #known = new Map<string, { of: readonly unknown[]; source: MapSource }>();

  /** `of` lists the inputs; `make` is called if one has changed. */
  of(id: string, of: readonly unknown[], make: () => MapSource): MapSource {
    const known = this.#known.get(id);
    if (known && sameParts(known.of, of)) return known.source;
    const source = make();
    this.#known.set(id, { of, source });
    return source;
  }
}

/** Returns one head's map, less the map that is subtracted from it. */
export function headSource(
  { rows, columns, values, minus }: HeadNumbers & { minus?: Float32Array | undefined },
  head: number,
  hidesFirst: boolean,
): MapSource {
  const part = (list: Float32Array) =>
    list.subarray(head * rows * columns, (head + 1) * rows * columns);
  return { rows, columns, hidesFirst, values: part(values), ...(minus && { minus: part(minus) }) };
}

/** Returns the map whose numbers arrive in parts. */
export const sourceOfParts = (parts: MapParts): MapSource => ({
  rows: parts.rows,
  columns: parts.columns,
  // Memory for all cells is taken when a cell is read.
  get values() {
    return parts.values;
  },
  parts,
});

/** Returns the number of a cell; NaN if it is masked. */
export function valueIn({ columns, values, minus }: MapSource, { row, column }: Cell): number {
  const at = row * columns + column;
  return minus ? values[at]! - minus[at]! : values[at]!;
}

export const hasCell = ({ rows, columns }: MapSource, cell: Cell | undefined): cell is Cell =>
  cell !== undefined && cell.row < rows && cell.column < columns;
