// Weights as golden files store them, or computed from their names as in the generators
// (tests/golden/make_family_absences.py), and the selection of compared numbers.

/** Multiples of 1/512, by a hash of name and index. */
function madeWeights(name, shape) {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(name)) state = Math.imul(state ^ byte, 0x01000193);
  const count = shape.reduce((product, size) => product * size, 1);
  const data = Float32Array.from({ length: count }, (_, i) => {
    let x = (state + Math.imul(i, 0x9e3779b1)) >>> 0;
    x = Math.imul(x ^ (x >>> 15), 0x85ebca6b) >>> 0;
    x = (x ^ (x >>> 13)) >>> 0;
    return ((x & 255) - 128) / 512;
  });
  return { shape, data };
}

/** Returns the weights of a file with some tensors replaced or removed. */
export function changedWeights(weights, tensors) {
  const changed = { ...weights };
  for (const [pattern, shape, first = 0, last = 0] of tensors)
    for (let layer = first; layer <= last; layer++) {
      const name = pattern.replace("#", layer);
      if (shape) changed[name] = madeWeights(name, shape);
      else delete changed[name];
    }
  return changed;
}

/** Python rounds halves to even. */
const even = (x) => (x % 1 === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));

/** Returns some numbers of the last row, evenly spaced. */
export function someOf(data, width, count) {
  const row = data.slice(data.length - width);
  return Array.from({ length: count }, (_, i) => row[even((i * (width - 1)) / (count - 1))]);
}

/**
 * Returns the largest deviation, relative to the largest expected number, or to 1 if that is
 * larger.
 */
export function distanceOf(found, expected) {
  const unit = Math.max(1, ...expected.map(Math.abs));
  return Math.max(...expected.map((x, i) => Math.abs(x - found[i]))) / unit;
}

/** The weights of a golden file as numbers: it stores each as steps (int8, base64) of its unit. */
export const weightsIn = ({ weights, unit }) =>
  Object.fromEntries(
    Object.entries(weights).map(([tensor, { shape, data }]) => {
      const bytes = Buffer.from(data, "base64");
      const steps = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
      return [tensor, { shape, data: Float32Array.from(steps, (step) => step / unit) }];
    }),
  );
