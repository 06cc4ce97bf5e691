/** The cell that is marked at first. */

/**
 * Returns the cell with the largest weight on a token other than the query's and the first, if both
 * tokens have text of their own (`isText`, of rows and of columns).
 */
export function standing(
  map: Float32Array,
  columns: number,
  isCross: boolean,
  isText: { row: (at: number) => boolean; column: (at: number) => boolean },
): { row: number; column: number } {
  const rows = map.length / columns;
  let found = { row: rows - 1, column: 0 };
  let max = 0;
  // In self-attention the first rows have no other keys.
  for (let row = isCross ? 0 : 2; row < rows; row++)
    for (let column = 1; column < columns; column++)
      if (
        (isCross || column !== row) &&
        map[row * columns + column]! > max &&
        isText.row(row) &&
        isText.column(column)
      ) {
        max = map[row * columns + column]!;
        found = { row, column };
      }
  return found;
}
