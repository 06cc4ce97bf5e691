/** Measures of the engine's results, as pure functions; they run in the worker. */

/** Returns the largest absolute difference of two lists of equal length. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let index = 0; index < a.length; index++) {
    largest = Math.max(largest, Math.abs(a[index]! - b[index]!));
  }
  return largest;
}

/**
 * Returns a map [n,n] of sentence B with rows and columns in A's order; `order[i]` is the index of
 * A's token i in B.
 */
export function putBack(map: ArrayLike<number>, order: readonly number[]): Float32Array {
  const n = order.length;
  return Float32Array.from({ length: n * n }, (_, index) => {
    const row = order[Math.floor(index / n)]!;
    return map[row * n + order[index % n]!]!;
  });
}

/** Returns a − b, element by element. */
export const subtract = (a: ArrayLike<number>, b: ArrayLike<number>): Float32Array =>
  Float32Array.from({ length: a.length }, (_, index) => a[index]! - b[index]!);

/** Returns the mean over tokens of hidden states [tokens, width]. */
export function meanOfTokens(hidden: ArrayLike<number>, tokens: number): Float64Array {
  const width = hidden.length / tokens;
  const mean = new Float64Array(width);
  for (let index = 0; index < hidden.length; index++)
    mean[index % width]! += hidden[index]! / tokens;
  return mean;
}

/** Returns the root mean square, the typical size of an entry, to compare a difference with. */
export function rootMeanSquare(values: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index]! ** 2;
  return Math.sqrt(sum / Math.max(1, values.length));
}

/**
 * Minimum rows for a mean; longer distances, with fewer rows, are left out as noise. Short texts
 * show all distances.
 */
const fewestRows = 4;

/**
 * Returns the mean attention weight at each distance, 0, 1, 2 … tokens back, of a causal map [n,n].
 * At distance d the mean is over the rows that have a key that far back. Row 0, in which only the
 * token itself is visible, is left out if n > 1.
 */
export function weightByDistance(map: ArrayLike<number>, n: number): Float32Array {
  return Float32Array.from(
    { length: n > 2 * fewestRows ? n - fewestRows + 1 : n },
    (_, distance) => {
      let sum = 0;
      let rows = 0;
      for (let row = Math.max(distance, n > 1 ? 1 : 0); row < n; row++) {
        sum += map[row * n + row - distance]!;
        rows++;
      }
      return rows ? sum / rows : 0;
    },
  );
}

/**
 * Returns the share of attention within `reach` tokens back: the mean over rows 1 … n−1 of a causal
 * map [n,n].
 */
export function shareWithin(map: ArrayLike<number>, n: number, reach: number): number {
  let sum = 0;
  for (let row = 1; row < n; row++) {
    for (let column = Math.max(0, row - reach); column <= row; column++)
      sum += map[row * n + column]!;
  }
  return n > 1 ? sum / (n - 1) : 1;
}

/** Returns the mean distance of attention in a causal map [n,n], in tokens, over rows 1 … n−1. */
export function meanDistance(map: ArrayLike<number>, n: number): number {
  let sum = 0;
  for (let row = 1; row < n; row++) {
    for (let column = 0; column <= row; column++) sum += map[row * n + column]! * (row - column);
  }
  return n > 1 ? sum / (n - 1) : 0;
}

/**
 * Returns the cell with the largest weight between two different words, without column 0, to which
 * heads without a match attend; the last two tokens if there is no such cell.
 */
export function strongestCell(
  map: ArrayLike<number>,
  n: number,
  isWord: (index: number) => boolean,
): [number, number] {
  let best: [number, number] = [n - 1, Math.max(0, n - 2)];
  let strongest = -1;
  // The first rows have few keys, so every weight in them is large.
  for (let row = Math.min(5, n - 2); row < n; row++) {
    for (let column = 1; column < row; column++) {
      const value = map[row * n + column]!;
      if (value > strongest && isWord(row) && isWord(column)) {
        strongest = value;
        best = [row, column];
      }
    }
  }
  return best;
}

/**
 * Returns a map [rows, columns] without attention to the first token, each row scaled to sum to 1.
 * Many heads of large models give the first token the weight that they use nowhere else, and next
 * to that weight all others look empty.
 */
export function withoutFirstToken(map: Float32Array, columns: number): Float32Array {
  const rest = map.slice();
  for (let at = 0; at < map.length; at += columns) {
    const cells = rest.subarray(at, at + columns);
    cells[0] = 0;
    const sum = cells.reduce((total, value) => total + value, 0);
    // A smaller remainder of a row is rounding error.
    if (sum > 1e-12) for (let i = 1; i < columns; i++) cells[i]! /= sum;
  }
  return rest;
}
