/** Maps of one head as rows of a table, without masked cells. */

export interface NamedMap {
  scheme: string;
  /** [queries, keys] */
  map: ArrayLike<number>;
}

/**
 * Returns a header and one row per visible cell; layers, heads, rows and columns count from 1.
 * `keys`: labels of the columns, if they belong to another text.
 */
export function mapTable(
  labels: readonly string[],
  maps: readonly NamedMap[],
  { layer, head }: { layer: number; head: number },
  isCausal = true,
  keys: readonly string[] = labels,
): (string | number)[][] {
  const [rows, columns] = [labels.length, keys.length];
  const table: (string | number)[][] = [
    ["scheme", "layer", "head", "row", "query", "column", "key", "weight"],
  ];
  for (const { scheme, map } of maps) {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < (isCausal ? row + 1 : columns); column++) {
        const cell = [row + 1, labels[row]!, column + 1, keys[column]!];
        table.push([scheme, layer + 1, head + 1, ...cell, map[row * columns + column]!]);
      }
    }
  }
  return table;
}
