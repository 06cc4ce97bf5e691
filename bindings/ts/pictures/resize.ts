/** Resizes pictures as Pillow does, number for number: with antialiasing, in 8 bits. */

/** Red, green and blue, a byte each, row by row. */
export interface Bytes8 {
  data: Uint8Array;
  height: number;
  width: number;
}

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

/**
 * Applies taps along one axis: `count` lines, whose numbers are `step` apart and which begin at
 * `start`.
 */
function along(
  source: Uint8Array,
  taps: readonly Taps[],
  result: Uint8Array,
  { count, step, from, to }: { count: number; step: number; from: Starts; to: Starts },
): void {
  for (let line = 0; line < count; line++) {
    const begin = from(line);
    const end = to(line);
    taps.forEach(({ first, weights }, i) => {
      let sum = 2 ** (precision - 1);
      for (let j = 0; j < weights.length; j++)
        sum += source[begin + (first + j) * step]! * weights[j]!;
      result[end + i * step] = Math.min(255, Math.max(0, Math.floor(sum / 2 ** precision)));
    });
  }
}

/** The index of a line's first number. */
type Starts = (line: number) => number;

const channels = 3;

/** As `PIL.Image.resize((width, height), resample)`. */
export function resized(picture: Bytes8, height: number, width: number, resample: number): Bytes8 {
  const kernel = kernels[resample]!;
  let { data } = picture;
  if (width !== picture.width) {
    const result = new Uint8Array(picture.height * width * channels);
    along(data, antialiased(picture.width, width, kernel).map(fixed), result, {
      count: picture.height * channels,
      step: channels,
      from: (line) => Math.floor(line / channels) * picture.width * channels + (line % channels),
      to: (line) => Math.floor(line / channels) * width * channels + (line % channels),
    });
    data = result;
  }
  if (height !== picture.height) {
    const result = new Uint8Array(height * width * channels);
    along(data, antialiased(picture.height, height, kernel).map(fixed), result, {
      count: width * channels,
      step: width * channels,
      from: (line) => line,
      to: (line) => line,
    });
    data = result;
  }
  return { data, height, width };
}
