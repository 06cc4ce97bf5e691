// Draws many small cells as one bitmap: thousands of rectangles need a hundred times the bytes.

import { crc32, deflateSync } from "node:zlib";

const manyCells = 16;

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

const bytesOf = (colour) => Buffer.from(colour ? `${colour.slice(1)}ff` : "00000000", "hex");

/** Rows of pixels in PNG's format, each after its filter byte: none. */
function linesOf(pixels, rows) {
  const line = pixels.length / rows;
  return Buffer.concat(
    Array.from({ length: rows }, (_, row) => [
      Buffer.alloc(1),
      pixels.subarray(row * line, (row + 1) * line),
    ]).flat(),
  );
}

/** Uses a palette if there are few enough colours. */
function indexed(colours) {
  const palette = [...new Set(colours)];
  if (palette.length > 256) return undefined;
  const indices = new Map(palette.map((colour, index) => [colour, index]));
  const known = palette.map(bytesOf);
  return {
    kind: 3,
    pixels: Buffer.from(colours.map((colour) => indices.get(colour))),
    chunks: [
      chunk("PLTE", Buffer.concat(known.map((colour) => colour.subarray(0, 3)))),
      chunk("tRNS", Buffer.from(known.map((colour) => colour[3]))),
    ],
  };
}

/** A PNG with a colour for each pixel, row by row; `undefined` is transparent. */
export function toPng(colours, columns, rows) {
  const whole = () => ({ kind: 6, pixels: Buffer.concat(colours.map(bytesOf)), chunks: [] });
  const { kind, pixels, chunks } = indexed(colours) ?? whole();
  const header = Buffer.alloc(13);
  header.writeUInt32BE(columns);
  header.writeUInt32BE(rows, 4);
  header.set([8, kind], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    ...chunks,
    chunk("IDAT", deflateSync(linesOf(pixels, rows), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns a mark unchanged, or as an image if it has many cells without gaps. */
export function withPixels(mark) {
  if (mark.kind !== "cells" || mark.gap || mark.colours.length < manyCells) return mark;
  const { x, y, cell, rows, columns, colours } = mark;
  const png = toPng(Array.from(colours), columns, rows);
  const image = { toDataURL: () => `data:image/png;base64,${png.toString("base64")}` };
  return { kind: "image", x, y, width: columns * cell, height: rows * cell, image };
}
