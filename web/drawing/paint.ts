/** Puts a picture on a 2-D canvas. */
import type { CellsMark, Mark, Measure, Picture, RectMark, TextMark } from "./scene.js";

/** Fonts of a picture that sets none. */
export const systemFaces = 'system-ui, "PingFang SC", "Noto Sans CJK SC", sans-serif';

const fontOf = (faces: string, size: number, weight = 400): string =>
  `${weight} ${size}px ${faces}`;

/** Current font and colour of the context: setting a font costs more than drawing most texts. */
interface Pen {
  faces: string;
  font: string;
}

function paintText(context: CanvasRenderingContext2D, mark: TextMark, pen: Pen): void {
  const font = fontOf(pen.faces, mark.size, mark.weight);
  if (font !== pen.font) context.font = pen.font = font;
  context.textAlign = mark.align ?? "left";
  context.fillStyle = mark.fill;
  if (!mark.rotation) {
    context.fillText(mark.text, mark.x, mark.y);
    return;
  }
  context.save();
  context.translate(mark.x, mark.y);
  context.rotate(mark.rotation);
  context.fillText(mark.text, 0, 0);
  context.restore();
}

function paintHatch(context: CanvasRenderingContext2D, mark: RectMark): void {
  const step = 5;
  context.save();
  context.beginPath();
  context.rect(mark.x, mark.y, mark.width, mark.height);
  context.clip();
  context.beginPath();
  for (let offset = -mark.height; offset < mark.width; offset += step) {
    context.moveTo(mark.x + offset, mark.y + mark.height);
    context.lineTo(mark.x + offset + mark.height, mark.y);
    if (!mark.isCrossed) continue;
    context.moveTo(mark.x + offset, mark.y);
    context.lineTo(mark.x + offset + mark.height, mark.y + mark.height);
  }
  context.strokeStyle = mark.hatch!;
  context.lineWidth = 1;
  context.stroke();
  context.restore();
}

function paintRect(context: CanvasRenderingContext2D, mark: RectMark): void {
  if (mark.fill) {
    context.fillStyle = mark.fill;
    context.fillRect(mark.x, mark.y, mark.width, mark.height);
  }
  if (mark.hatch) paintHatch(context, mark);
  if (mark.stroke) {
    context.strokeStyle = mark.stroke;
    context.lineWidth = mark.lineWidth ?? 1;
    context.strokeRect(mark.x, mark.y, mark.width, mark.height);
  }
}

/** A canvas of pixels, and the first row of a mark's pixels. */
type Pixels = readonly [sheet: HTMLCanvasElement, top: number];

/** Cells as pixels, cached as long as their list of colours exists. */
const bitmaps = new WeakMap<CellsMark["colours"], Pixels>();

/** Writes the cells of these marks as pixels, one mark below the other. */
function writeSheet(marks: readonly CellsMark[]): void {
  const sheet = document.createElement("canvas");
  const width = Math.max(...marks.map(({ columns }) => columns));
  const height = marks.reduce((sum, { rows }) => sum + rows, 0);
  sheet.width = width;
  sheet.height = height;
  const context = sheet.getContext("2d");
  if (!context) return;
  const image = context.createImageData(width, height);
  const pixels = new DataView(image.data.buffer);
  // Colours come from ramps: a few hundred in thousands of cells.
  const known = new Map<string, number>();
  let top = 0;
  for (const { rows, columns, colours } of marks) {
    for (let at = 0; at < rows * columns; at++) {
      const colour = colours[at];
      if (!colour) continue;
      let pixel = known.get(colour);
      if (pixel === undefined) {
        // #rrggbb and an opaque alpha.
        pixel = Number.parseInt(colour.slice(1), 16) * 256 + 255;
        known.set(colour, pixel);
      }
      const column = at % columns;
      pixels.setUint32(4 * ((top + (at - column) / columns) * width + column), pixel);
    }
    bitmaps.set(colours, [sheet, top]);
    top += rows;
  }
  context.putImageData(image, 0, 0);
}

/** Maximum size of cells that are painted as pixels; larger cells are few. */
const largestPixel = 12;
/** Maximum marks on a canvas of pixels, within the limits of all browsers. */
const maxOnSheet = 64;

/**
 * Makes the missing pixels of all small cells. A canvas costs more than the cells of a thumbnail,
 * so marks that are not smoothed share one.
 */
function writeSheets(marks: readonly Mark[]): void {
  const isNew = (mark: Mark): mark is CellsMark =>
    mark.kind === "cells" &&
    !mark.gap &&
    mark.cell <= largestPixel &&
    mark.colours.length > 0 &&
    !bitmaps.has(mark.colours);
  const unpainted = marks.filter(isNew);
  const shared = unpainted.filter(({ cell }) => cell >= 1);
  for (let at = 0; at < shared.length; at += maxOnSheet)
    writeSheet(shared.slice(at, at + maxOnSheet));
  for (const mark of unpainted) if (mark.cell < 1) writeSheet([mark]);
}

/** Paints small cells as one image in place of thousands of rectangles. */
function paintSmallCells(context: CanvasRenderingContext2D, mark: CellsMark): boolean {
  const { x, y, cell, rows, columns } = mark;
  if (mark.gap || cell > largestPixel) return false;
  const found = bitmaps.get(mark.colours);
  if (!found) return false;
  // Smoothed only if cells are smaller than a pixel.
  context.imageSmoothingEnabled = cell < 1;
  const [sheet, top] = found;
  context.drawImage(sheet, 0, top, columns, rows, x, y, columns * cell, rows * cell);
  return true;
}

function paintCells(context: CanvasRenderingContext2D, mark: CellsMark): void {
  if (paintSmallCells(context, mark)) return;
  const side = mark.cell - mark.gap;
  for (let row = 0; row < mark.rows; row++) {
    for (let column = 0; column < mark.columns; column++) {
      const colour = mark.colours[row * mark.columns + column];
      if (!colour) continue;
      context.fillStyle = colour;
      context.fillRect(mark.x + column * mark.cell, mark.y + row * mark.cell, side, side);
    }
  }
}

function paintMark(context: CanvasRenderingContext2D, mark: Mark, pen: Pen): void {
  switch (mark.kind) {
    case "text":
      paintText(context, mark, pen);
      break;
    case "rect":
      paintRect(context, mark);
      break;
    case "cells":
      paintCells(context, mark);
      break;
    case "image":
      context.imageSmoothingEnabled = false;
      context.drawImage(mark.image, mark.x, mark.y, mark.width, mark.height);
      break;
    case "path":
      context.strokeStyle = mark.stroke;
      context.lineWidth = mark.width;
      context.setLineDash(mark.dash ? [...mark.dash] : []);
      context.lineCap = mark.dash ? "butt" : "round";
      context.lineJoin = "round";
      if (mark.fill) {
        context.fillStyle = mark.fill;
        context.globalAlpha = mark.fillOpacity ?? 1;
        context.fill(new Path2D(mark.d));
        context.globalAlpha = 1;
      }
      if (mark.width) context.stroke(new Path2D(mark.d));
      context.setLineDash([]);
  }
}

/** Paints marks relative to the origin of the context. */
export function paintMarks(
  context: CanvasRenderingContext2D,
  marks: readonly Mark[],
  faces: string,
): void {
  writeSheets(marks);
  const pen: Pen = { faces, font: "" };
  context.textBaseline = "alphabetic";
  for (const mark of marks) paintMark(context, mark, pen);
}

/**
 * Sizes the canvas for `scale` device pixels per CSS pixel and paints. `paper` fills the
 * background.
 */
export function paint(
  canvas: HTMLCanvasElement,
  picture: Picture,
  scale: number,
  paper?: string,
): void {
  const width = Math.max(1, Math.round(picture.width * scale));
  const above = picture.above ?? 0;
  const height = Math.max(1, Math.round((above + picture.height) * scale));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(scale, 0, 0, scale, 0, above * scale);
  context.clearRect(0, -above, picture.width, above + picture.height);
  if (paper) {
    context.fillStyle = paper;
    context.fillRect(0, -above, picture.width, above + picture.height);
  }
  paintMarks(context, picture.marks, picture.faces ?? systemFaces);
}

let ruler: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

/** Returns a function for the widths of texts, as paint() draws them in these fonts. */
export const measureIn =
  (faces: string): Measure =>
  (text, size) => {
    const name = `${size} ${text}\u0000${faces}`;
    const known = widths.get(name);
    if (known !== undefined) return known;
    ruler ??= document.createElement("canvas").getContext("2d");
    if (!ruler) return text.length * size * 0.6;
    ruler.font = fontOf(faces, size);
    const { width } = ruler.measureText(text);
    // Layouts try many sizes; typed texts must not fill the memory.
    if (widths.size > 20_000) widths.clear();
    widths.set(name, width);
    return width;
  };

/**
 * Calls back when one of the fonts has loaded, which changes the widths of texts; until the signal
 * aborts.
 */
export function onFaces(readFaces: () => string, changed: () => void, signal: AbortSignal): void {
  const hear = (event: Event) => {
    const come = (event as FontFaceSetLoadEvent).fontfaces.map(({ family }) => family);
    const faces = readFaces();
    if (!come.some((family) => faces.includes(family.replaceAll('"', "")))) return;
    widths.clear();
    changed();
  };
  document.fonts.addEventListener("loadingdone", hear, { signal });
}
