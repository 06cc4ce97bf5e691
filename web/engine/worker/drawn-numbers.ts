/**
 * Returns numbers drawn from a seed, identical on every device: mulberry32, then the normal
 * distribution of Box and Muller.
 */

export function normals(seed: number, count: number, deviation = 1): Float32Array {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  return Float32Array.from(
    { length: count },
    () => deviation * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
  );
}
