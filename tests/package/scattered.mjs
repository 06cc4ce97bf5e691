// Numbers for tests of one engine.

/** Numbers without pattern, the same in every run. */
export function scattered(shape, seed = 1) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  };
  return { data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, next), shape };
}
