/**
 * A causal map as a triangle: its base is the text, and a point above it represents two tokens,
 * halfway between them, at a height proportional to their distance. Equal distances are level
 * lines.
 */
import { type Palette, weightColour } from "./colour.js";
import type { Mark } from "./scene.js";

export interface Triangle {
  /** Rows of 1, 2, 3 … numbers. */
  values: ArrayLike<number>;
  /** Tokens that are shown, from the first. */
  tokens: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

type Cells = Pick<Triangle, "values" | "tokens">;

/** Returns the two tokens of a point; undefined outside the triangle. */
export function pairAt(
  { tokens, x, y, width, height }: Omit<Triangle, "values">,
  pointX: number,
  pointY: number,
): { row: number; column: number } | undefined {
  const middle = ((pointX - x) / width) * tokens;
  const half = ((y + height - pointY) / height) * (tokens / 2);
  const row = Math.floor(middle + half);
  const column = Math.floor(middle - half);
  return half >= 0 && row < tokens && column >= 0 && column <= row ? { row, column } : undefined;
}

/** Returns the point of two tokens. */
export function pointOf(
  { tokens, x, y, width, height }: Omit<Triangle, "values">,
  { row, column }: { row: number; column: number },
): { x: number; y: number } {
  return {
    x: x + ((row + column + 1) / 2 / tokens) * width,
    y: y + height - ((row - column) / tokens) * height,
  };
}

/** A logarithmic scale begins at the limit divided by this power of ten. */
export const triangleDecades = 3;

/** Writes the largest number of the tokens in each pixel, of which there are several. */
function scatter({ values, tokens }: Cells, columns: number, rows: number): Float32Array {
  const largest = new Float32Array(columns * rows).fill(-1);
  const [across, up] = [columns / tokens / 2, rows / tokens];
  for (let row = 0, at = 0; row < tokens; row++)
    for (let column = 0; column <= row; column++, at++) {
      const x = ((row + column + 1) * across) | 0;
      const y = (rows - 1 - (row - column) * up) | 0;
      const pixel = y * columns + x;
      if (values[at]! > largest[pixel]!) largest[pixel] = values[at]!;
    }
  return largest;
}

/** Looks up the number at the middle of each pixel, of which a cell has several. */
function gather({ values, tokens }: Cells, columns: number, rows: number): Float32Array {
  const largest = new Float32Array(columns * rows).fill(-1);
  for (let y = 0; y < rows; y++) {
    const half = ((rows - y - 0.5) / rows) * (tokens / 2);
    for (let x = 0; x < columns; x++) {
      const middle = ((x + 0.5) / columns) * tokens;
      const row = Math.floor(middle + half);
      const column = Math.floor(middle - half);
      if (row >= tokens || column < 0) continue;
      largest[y * columns + x] = values[(row * (row + 1)) / 2 + column]!;
    }
  }
  return largest;
}

/**
 * Returns the largest number in each pixel, from the top left, as a share of a logarithmic scale in
 * 0…255; −1 outside the triangle.
 */
export function shadesOf(cells: Cells, columns: number, rows: number, limit: number): Int16Array {
  const isSmall = cells.tokens > columns && cells.tokens > rows;
  const largest = (isSmall ? scatter : gather)(cells, columns, rows);
  const floor = limit / 10 ** triangleDecades;
  const scale = 255 / (triangleDecades * Math.LN10);
  return Int16Array.from(largest, (value) => {
    if (value < 0) return -1;
    return value <= floor ? 0 : Math.min(255, Math.round(Math.log(value / floor) * scale));
  });
}

const pixelsOf = (canvas: HTMLCanvasElement, shades: Int16Array, palette: Palette): void => {
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(canvas.width, canvas.height);
  const table = Array.from({ length: 256 }, (_, shade) => {
    const colour = weightColour(palette, shade / 255, 1);
    return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  });
  for (const [at, shade] of shades.entries()) {
    if (shade < 0) continue;
    image.data.set(table[shade]!, 4 * at);
    image.data[4 * at + 3] = 255;
  }
  context.putImageData(image, 0, 0);
};

/** Returns the triangle's cells as one mark, in pixels of the screen where there is one. */
export function triangleMark(triangle: Triangle, limit: number, palette: Palette): Mark {
  const { x, y, width, height } = triangle;
  const canvas = document.createElement("canvas");
  const hasScreen = canvas.getContext("2d") !== null;
  const side = hasScreen ? 1 / Math.min(2, devicePixelRatio || 1) : 2;
  const [columns, rows] = [Math.floor(width / side), Math.floor(height / side)];
  const shades = shadesOf(triangle, columns, rows, limit);
  if (!hasScreen) {
    const colours = Array.from(shades, (shade) =>
      shade < 0 ? undefined : weightColour(palette, Math.round(shade / 4) / 64, 1),
    );
    return { kind: "cells", x, y, cell: side, gap: 0, rows, columns, colours };
  }
  Object.assign(canvas, { width: columns, height: rows });
  pixelsOf(canvas, shades, palette);
  return { kind: "image", x, y, width, height, image: canvas };
}
