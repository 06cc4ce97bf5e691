/** Maps made small. */

/** More cells a side than a thumbnail has pixels would be for nothing. */
const mostCells = 32;

/** Cells of a map's thumbnail, which are as square as the map's. */
export function thumbnailSize(rows: number, columns: number): { rows: number; columns: number } {
  const share = Math.min(1, mostCells / Math.max(rows, columns));
  return { rows: Math.ceil(rows * share), columns: Math.ceil(columns * share) };
}

/** The number of the largest size in each block of cells; what is not a number counts for none. */
export function sketch(map: Float32Array, rows: number, columns: number): Float32Array {
  const small = thumbnailSize(rows, columns);
  const into = new Float32Array(small.rows * small.columns).fill(Number.NaN);
  for (let row = 0; row < rows; row++) {
    const at = Math.floor((row * small.rows) / rows) * small.columns;
    for (let column = 0; column < columns; column++) {
      const cell = at + Math.floor((column * small.columns) / columns);
      const value = map[row * columns + column]!;
      if (Number.isNaN(value) || Math.abs(value) <= Math.abs(into[cell]!)) continue;
      into[cell] = value;
    }
  }
  return into;
}

/** The largest weight of each block of cells, so that one sharp cell stays visible. */
export function thumbnail(
  map: Float32Array,
  rows: number,
  columns: number,
  into: Float32Array,
): void {
  const small = thumbnailSize(rows, columns);
  for (let row = 0; row < rows; row++) {
    const at = Math.floor((row * small.rows) / rows) * small.columns;
    for (let column = 0; column < columns; column++) {
      const cell = at + Math.floor((column * small.columns) / columns);
      into[cell] = Math.max(into[cell]!, map[row * columns + column]!);
    }
  }
}
