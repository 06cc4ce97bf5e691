/** Tables of positions for grids of another size, as PyTorch interpolates them. */

import { antialiased, kernels, type Taps } from "./resize.js";

/** Keys 1981, with PyTorch's a = -3/4; four taps, indices beyond the edge are those of the edge. */
function bicubic(from: number, to: number): Taps[] {
  const a = -0.75;
  const near = (x: number) => ((a + 2) * x - (a + 3)) * x * x + 1;
  const far = (x: number) => ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return Array.from({ length: to }, (_, i) => {
    const at = ((i + 0.5) * from) / to - 0.5;
    const first = Math.floor(at);
    const t = at - first;
    const weights = [far(t + 1), near(t), near(1 - t), far(2 - t)];
    const clamped = new Array<number>(from).fill(0);
    weights.forEach((weight, j) => {
      clamped[Math.min(from - 1, Math.max(0, first - 1 + j))]! += weight;
    });
    return { first: 0, weights: clamped };
  });
}

/** `count` blocks of `length` rows of `width` numbers; each block becomes one of taps.length. */
function along(
  source: Float64Array,
  taps: readonly Taps[],
  { count, length, width }: { count: number; length: number; width: number },
): Float64Array {
  const result = new Float64Array(count * taps.length * width);
  for (let block = 0; block < count; block++)
    taps.forEach(({ first, weights }, i) => {
      const to = (block * taps.length + i) * width;
      weights.forEach((weight, j) => {
        const from = (block * length + first + j) * width;
        if (weight) for (let e = 0; e < width; e++) result[to + e]! += weight * source[from + e]!;
      });
    });
  return result;
}

/**
 * The rows `[rows·columns,E]` of a table for a square of `side` by `side`. `antialiasing`: Pillow's
 * number of the filter; 0: bicubic, without antialiasing.
 */
export function interpolated(
  table: Float32Array,
  side: number,
  { rows, columns }: { rows: number; columns: number },
  antialiasing: number,
): Float32Array {
  const width = table.length / (side * side);
  const tapsOf = (to: number) =>
    antialiasing ? antialiased(side, to, kernels[antialiasing]!) : bicubic(side, to);
  const wide = along(Float64Array.from(table), tapsOf(columns), {
    count: side,
    length: side,
    width,
  });
  return Float32Array.from(
    along(wide, tapsOf(rows), { count: 1, length: side, width: columns * width }),
  );
}
