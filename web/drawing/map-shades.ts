/** Numbers of a map as colours of its scale, looked up in a table. */
import { type Palette, signedColour, weightColour } from "./colour.js";

export interface MapScale {
  /** From -limit to limit, with zero as the background; otherwise from 0 to limit. */
  signed: boolean;
  limit: number;
  /** Logarithmic over `logDecades`; not for signed numbers. */
  log: boolean;
}

/** A logarithmic scale begins at the limit divided by this power of ten. */
export const logDecades = 4;

/**
 * Returns the scale of a map whose numbers are between `min` and `max`, which set the limit if
 * none is given.
 */
export function scaleOf(
  { min, max }: { min: number; max: number },
  { limit, signed, log }: { limit: number | undefined; signed: boolean; log: boolean },
): MapScale {
  const largest = Math.max(Math.abs(min), Math.abs(max));
  const end = Number.isFinite(largest) && largest > 0 ? largest : 1;
  return { signed, limit: limit ?? end, log: log && !signed };
}

const shades = 255;

/** Returns the position of a number on its scale, 0 to 1. */
export function shareOf(value: number, { signed, limit, log }: MapScale): number {
  if (signed) return Math.min(1, Math.max(0, (value / limit + 1) / 2));
  if (!log) return Math.min(1, Math.max(0, value / limit));
  return value > 0 ? Math.min(1, Math.max(0, 1 + Math.log10(value / limit) / logDecades)) : 0;
}

/** Returns the colour of a number, in CSS form. */
export const shadeOf = (palette: Palette, value: number, scale: MapScale): string => {
  const share = shareOf(value, scale);
  return scale.signed ? signedColour(palette, share * 2 - 1, 1) : weightColour(palette, share, 1);
};

const tables = new WeakMap<Palette, Map<boolean, Uint32Array>>();

/** Returns the colours of a scale as opaque pixels, with red first in memory. */
function tableOf(palette: Palette, signed: boolean): Uint32Array {
  const known = tables.get(palette) ?? new Map<boolean, Uint32Array>();
  tables.set(palette, known);
  const found = known.get(signed);
  if (found) return found;
  const bytes = new Uint8Array(4 * (shades + 1));
  for (let index = 0; index <= shades; index++) {
    const share = index / shades;
    const hex = signed ? signedColour(palette, share * 2 - 1, 1) : weightColour(palette, share, 1);
    for (let channel = 0; channel < 3; channel++)
      bytes[4 * index + channel] = Number.parseInt(hex.slice(1 + 2 * channel, 3 + 2 * channel), 16);
    bytes[4 * index + 3] = 255;
  }
  const table = new Uint32Array(bytes.buffer);
  known.set(signed, table);
  return table;
}

/** Fills `pixels`, a rectangle of a level of the map; masked cells stay transparent. */
export function shade(
  pixels: Uint32Array,
  level: { columns: number; values: ArrayLike<number> },
  part: { row: number; column: number; rows: number; columns: number },
  palette: Palette,
  scale: MapScale,
): void {
  const table = tableOf(palette, scale.signed);
  for (let row = 0; row < part.rows; row++) {
    const from = (part.row + row) * level.columns + part.column;
    for (let column = 0; column < part.columns; column++) {
      const value = level.values[from + column]!;
      pixels[row * part.columns + column] = !Number.isNaN(value)
        ? table[Math.round(shareOf(value, scale) * shades)]!
        : 0;
    }
  }
}
