/** The cell to begin with. */

/** The strongest cell that looks at another token than itself and the first. */
export function standing(map: Float32Array, n: number): { row: number; column: number } {
  let found = { row: n - 1, column: 0 };
  let most = 0;
  for (let row = 2; row < n; row++)
    for (let column = 1; column < n; column++)
      if (column !== row && map[row * n + column]! > most) {
        most = map[row * n + column]!;
        found = { row, column };
      }
  return found;
}
