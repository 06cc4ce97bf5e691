/** What the figures measure on the engine's results. Pure functions; they run in the worker. */

/** Largest absolute difference of two lists of equal length. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let index = 0; index < a.length; index++) {
    largest = Math.max(largest, Math.abs(a[index]! - b[index]!));
  }
  return largest;
}

/**
 * A map [n,n] of sentence B, rows and columns put back in A's order; `order[i]` is where A's token
 * i stands in B.
 */
export function putBack(map: ArrayLike<number>, order: readonly number[]): Float32Array {
  const n = order.length;
  return Float32Array.from({ length: n * n }, (_, index) => {
    const row = order[Math.floor(index / n)]!;
    return map[row * n + order[index % n]!]!;
  });
}

/** Element by element, a − b. */
export const subtract = (a: ArrayLike<number>, b: ArrayLike<number>): Float32Array =>
  Float32Array.from({ length: a.length }, (_, index) => a[index]! - b[index]!);

/** Mean over tokens of hidden states [tokens, width]. */
export function meanOfTokens(hidden: ArrayLike<number>, tokens: number): Float64Array {
  const width = hidden.length / tokens;
  const mean = new Float64Array(width);
  for (let index = 0; index < hidden.length; index++)
    mean[index % width]! += hidden[index]! / tokens;
  return mean;
}

/** Root mean square: the size of a vector's typical entry, to hold a difference against. */
export function rootMeanSquare(values: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index]! ** 2;
  return Math.sqrt(sum / Math.max(1, values.length));
}

/**
 * A mean over fewer rows than this is chance; longer distances are left out (short texts show what
 * they have).
 */
const fewestRows = 4;

/**
 * Mean attention weight at each distance, 0, 1, 2 … tokens back, of a causal map [n,n]: at distance
 * d the mean is over the rows that have a key that far back. Row 0 sees only itself, so it is left
 * out where n > 1.
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
 * Share of attention that stays within `reach` tokens back, the mean over rows 1 … n−1 of a causal
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

/** Mean distance a causal map [n,n] looks back, in tokens, over rows 1 … n−1. */
export function meanDistance(map: ArrayLike<number>, n: number): number {
  let sum = 0;
  for (let row = 1; row < n; row++) {
    for (let column = 0; column <= row; column++) sum += map[row * n + column]! * (row - column);
  }
  return n > 1 ? sum / (n - 1) : 0;
}

/**
 * The strongest cell between two different words, off column 0 (where idle heads rest); the last
 * two tokens when there is none.
 */
export function strongestCell(
  map: ArrayLike<number>,
  n: number,
  isWord: (index: number) => boolean,
): [number, number] {
  let best: [number, number] = [n - 1, Math.max(0, n - 2)];
  let strongest = -1;
  // In the first rows every share is large, because there are few to share with.
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
 * A map [rows, columns] in which nobody looks at the first token, each row's rest shared out anew:
 * many heads of large models leave there what they have no use for, and next to that all else looks
 * empty.
 */
export function withoutFirstToken(map: Float32Array, columns: number): Float32Array {
  const rest = map.slice();
  for (let at = 0; at < map.length; at += columns) {
    const cells = rest.subarray(at, at + columns);
    cells[0] = 0;
    const sum = cells.reduce((total, value) => total + value, 0);
    // What is left of a row that had nothing else is rounding.
    if (sum > 1e-12) for (let i = 1; i < columns; i++) cells[i]! /= sum;
  }
  return rest;
}
