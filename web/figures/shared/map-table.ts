/** Maps of one head as rows of a table, the masked half of causal ones left out. */

export interface NamedMap {
  scheme: string;
  /** [n,n] */
  map: ArrayLike<number>;
}

/** Header and one row per visible cell; layers, heads, rows and columns count from 1. */
export function mapTable(
  labels: readonly string[],
  maps: readonly NamedMap[],
  { layer, head }: { layer: number; head: number },
  isCausal = true,
): (string | number)[][] {
  const n = labels.length;
  const table: (string | number)[][] = [
    ["scheme", "layer", "head", "row", "query", "column", "key", "weight"],
  ];
  for (const { scheme, map } of maps) {
    for (let row = 0; row < n; row++) {
      for (let column = 0; column < (isCausal ? row + 1 : n); column++) {
        const place = [row + 1, labels[row]!, column + 1, labels[column]!];
        table.push([scheme, layer + 1, head + 1, ...place, map[row * n + column]!]);
      }
    }
  }
  return table;
}
