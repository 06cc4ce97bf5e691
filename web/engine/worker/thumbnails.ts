/** Small copies of maps. */

/** Maximum cells on a side: a thumbnail has no more pixels than that. */
const maxCells = 32;

/** Returns the rows and columns of a map's thumbnail, in the map's proportions. */
export function thumbnailSize(rows: number, columns: number): { rows: number; columns: number } {
  const share = Math.min(1, maxCells / Math.max(rows, columns));
  return { rows: Math.ceil(rows * share), columns: Math.ceil(columns * share) };
}

/** Returns the number with the largest absolute value in each block of cells; NaN is ignored. */
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

/** Returns the largest weight of each block of cells, so that a single sharp cell stays visible. */
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
