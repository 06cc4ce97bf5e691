/** Maps made small. */

/** More cells a side than a thumbnail has pixels would be for nothing. */
const mostCells = 32;

export const thumbnailSide = (n: number): number => Math.min(n, mostCells);

/** The largest weight of each block of cells, so that one sharp cell stays visible. */
export function thumbnail(
  map: Float32Array,
  n: number,
  into: Float32Array,
  side = thumbnailSide(n),
): void {
  for (let row = 0; row < n; row++) {
    const at = Math.floor((row * side) / n) * side;
    for (let column = 0; column < n; column++) {
      const cell = at + Math.floor((column * side) / n);
      into[cell] = Math.max(into[cell]!, map[row * n + column]!);
    }
  }
}
