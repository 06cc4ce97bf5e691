/** Resizes pictures with antialiasing: bytes as Pillow does, number for number, and floats. */

/** Red, green and blue, row by row. */
export interface Raster<Numbers> {
  data: Numbers;
  height: number;
  width: number;
}
export type Bytes8 = Raster<Uint8Array>;

interface Kernel {
  support: number;
  at(x: number): number;
}

/** Keys 1981, with a = -1/2. */
function cubic(x: number): number {
  const a = -0.5;
  const distance = Math.abs(x);
  if (distance < 1) return ((a + 2) * distance - (a + 3)) * distance * distance + 1;
  if (distance < 2) return (((distance - 5) * distance + 8) * distance - 4) * a;
  return 0;
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI));

/** Pillow's filters by its numbers: `PIL.Image.Resampling`. */
export const kernels: Readonly<Record<number, Kernel>> = {
  1: { support: 3, at: (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
  2: { support: 1, at: (x) => Math.max(0, 1 - Math.abs(x)) },
  3: { support: 2, at: cubic },
};

/** The weights of the numbers from `first` on, which make one number of the result. */
export interface Taps {
  first: number;
  weights: number[];
}

/** The taps of each of `to` numbers from `from` ones, wider if there are fewer than before. */
export function antialiased(from: number, to: number, { support, at }: Kernel): Taps[] {
  const scale = from / to;
  const stretch = Math.max(scale, 1);
  const reach = support * stretch;
  return Array.from({ length: to }, (_, i) => {
    const center = (i + 0.5) * scale;
    const first = Math.max(0, Math.trunc(center - reach + 0.5));
    const end = Math.min(from, Math.trunc(center + reach + 0.5));
    const weights = Array.from({ length: end - first }, (_, j) =>
      at((j + first - center + 0.5) / stretch),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { first, weights: sum ? weights.map((weight) => weight / sum) : weights };
  });
}

/** Bits of a weight after the point. */
const precision = 22;

/** Weights as integers, rounded away from zero at a half. */
const fixed = ({ first, weights }: Taps): Taps => ({
  first,
  weights: weights.map((weight) => Math.trunc(weight * 2 ** precision + (weight < 0 ? -0.5 : 0.5))),
});

/** What the sum of numbers times their weights becomes. */
type Finish = (sum: number) => number;
const byteOf: Finish = (sum) =>
  Math.min(255, Math.max(0, Math.floor((sum + 2 ** (precision - 1)) / 2 ** precision)));

/**
 * Applies taps along one axis: `count` lines, whose numbers are `step` apart and which begin at
 * `start`.
 */
function along<Numbers extends Uint8Array | Float32Array>(
  source: Numbers,
  taps: readonly Taps[],
  result: Numbers,
  finish: Finish,
  { count, step, from, to }: { count: number; step: number; from: Starts; to: Starts },
): void {
  for (let line = 0; line < count; line++) {
    const begin = from(line);
    const end = to(line);
    taps.forEach(({ first, weights }, i) => {
      let sum = 0;
      for (let j = 0; j < weights.length; j++)
        sum += source[begin + (first + j) * step]! * weights[j]!;
      result[end + i * step] = finish(sum);
    });
  }
}

/** The index of a line's first number. */
type Starts = (line: number) => number;

const channels = 3;

/**
 * Bytes as `PIL.Image.resize((width, height), resample)`; floats with the same weights, without
 * rounding, as PyTorch's `interpolate(…, antialias=True)`.
 */
export function resized<Numbers extends Uint8Array | Float32Array>(
  picture: Raster<Numbers>,
  height: number,
  width: number,
  resample: number,
): Raster<Numbers> {
  const kernel = kernels[resample]!;
  let { data } = picture;
  const isBytes = data.BYTES_PER_ELEMENT === 1;
  const tapsOf = (from: number, to: number) => {
    const taps = antialiased(from, to, kernel);
    return isBytes ? taps.map(fixed) : taps;
  };
  const empty = (count: number) =>
    (isBytes ? new Uint8Array(count) : new Float32Array(count)) as Numbers;
  const finish: Finish = isBytes ? byteOf : (sum) => sum;
  if (width !== picture.width) {
    const result = empty(picture.height * width * channels);
    along(data, tapsOf(picture.width, width), result, finish, {
      count: picture.height * channels,
      step: channels,
      from: (line) => Math.floor(line / channels) * picture.width * channels + (line % channels),
      to: (line) => Math.floor(line / channels) * width * channels + (line % channels),
    });
    data = result;
  }
  if (height !== picture.height) {
    const result = empty(height * width * channels);
    along(data, tapsOf(picture.height, height), result, finish, {
      count: width * channels,
      step: width * channels,
      from: (line) => line,
      to: (line) => line,
    });
    data = result;
  }
  return { data, height, width };
}
