// Equal inputs for all contenders.

/** Returns numbers between -1 and 1, determined by the seed (mulberry32). */
export function uniform(count, seed, scale = 1) {
  let state = (seed * 0x9e3779b9) >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return (((x ^ (x >>> 14)) >>> 0) / 2 ** 31 - 1) * scale;
  });
}

/** Returns the largest difference of two results, as a share of the largest number in the first. */
export function deviation(expected, found) {
  if (expected.length !== found.length) return Number.POSITIVE_INFINITY;
  let max = 0;
  let size = 1e-30;
  for (let i = 0; i < expected.length; i++) {
    // NaN counts as an infinite difference.
    const difference = Math.abs(expected[i] - found[i]);
    if (!(difference <= max))
      max = Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
    size = Math.max(size, Math.abs(expected[i]));
  }
  return max / size;
}

/** Converts [H,T,D] to [T,H,D], or back with the sizes exchanged. */
export function exchangeAxes(data, outer, inner, width) {
  const result = new Float32Array(data.length);
  for (let i = 0; i < outer; i++)
    for (let j = 0; j < inner; j++)
      result.set(
        data.subarray((i * inner + j) * width, (i * inner + j + 1) * width),
        (j * outer + i) * width,
      );
  return result;
}

/** Converts [rows,columns] to [columns,rows]. */
export const transposed = (data, rows, columns) => exchangeAxes(data, rows, columns, 1);
