/** A bias that does not depend on the words: a map of one head, and every head by distance. */
import { type Frame, heightOf, roundUp, rule } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { curveMarks, type Line, lineStyles, pathOf } from "../../drawing/curve.js";
import { type HeatMap, heatMapMarks } from "../../drawing/heat-map.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { BiasPicture } from "../../engine/both/messages.js";
import { type Area, type Block, limitOf, signedLegend, thumbHeight } from "./block.js";
import type { GalleryTexts, GalleryWords } from "./words.js";

const blank = (length: number): string[] => Array.from({ length }, () => "");

interface Curves {
  heads: number;
  /** Returns a head's bias at each distance, 0, 1, 2 … tokens back. */
  of: (head: number) => Float32Array;
  min: number;
  max: number;
}

function curvesOf({ curves, positions }: BiasPicture): Curves {
  const heads = curves.length / positions;
  const low = Math.min(0, ...curves);
  const high = Math.max(0, ...curves);
  const isFlat = high - low < 1e-9;
  return {
    heads,
    of: (head) => curves.slice(head * positions, (head + 1) * positions).reverse(),
    min: low < 0 ? -roundUp(-low) : 0,
    max: high > 0 || isFlat ? roundUp(high || 1) : 0,
  };
}

function biasMap(picture: BiasPicture, head: number, area: Area, cell: number) {
  const n = picture.mapPositions;
  const cells = n * n;
  const values = picture.maps.subarray(head * cells, (head + 1) * cells);
  return {
    x: area.x,
    y: area.y,
    cell,
    rows: blank(n),
    columns: blank(n),
    values,
    limit: limitOf(picture.maps),
    signed: true,
    isCausal: true,
    labels: { rows: false, columns: false },
  };
}

export function biasBlock(
  picture: BiasPicture,
  head: number,
  area: Area,
  words: GalleryTexts,
  palette: Palette,
  measure: Measure,
): Block {
  const found = curvesOf(picture);
  const n = picture.mapPositions;
  const isWide = area.width >= 420;
  const cell = isWide ? 7 : Math.min(9, Math.floor(area.width / n));
  const map = biasMap(picture, head, area, cell);
  const marks = heatMapMarks(map, palette, measure);
  const mapBottom = area.y + n * cell;
  const under = { x: area.x, y: mapBottom + 6, width: isWide ? n * cell : area.width };
  const legend = signedLegend(words.gallery.biasMap(head + 1), map.limit, under, palette, measure);
  marks.push(...legend.marks);
  const beside = isWide
    ? { left: area.x + n * cell + 62, top: area.y + 44, height: n * cell - 44 }
    : { left: area.x + 44, top: legend.bottom + 54, height: 150 };
  const frame: Frame = {
    ...beside,
    width: area.x + area.width - beside.left - 8,
    maxX: picture.positions - 1,
    maxY: found.max,
    minY: found.min,
    keyTop: isWide ? area.y - 2 : legend.bottom + 8,
  };
  const lines = Array.from({ length: found.heads }, (_, index) => ({
    name: words.gallery.headName(index + 1),
    values: found.of(index),
  }));
  const axes = { x: words.shared.distance, y: "" };
  marks.push(...curveMarks(lines, frame, palette, measure, axes));
  return {
    marks,
    grids: [
      mapGrid(map, n, words.gallery),
      curvesGrid(lines, picture.positions, frame, words.gallery),
    ],
    bottom: Math.max(legend.bottom, frame.top + frame.height + 44),
  };
}

const mapGrid = ({ x, y, cell, values }: HeatMap, n: number, words: GalleryWords): Grid => ({
  id: "own",
  label: words.kinds.bias,
  x,
  y,
  cellWidth: cell,
  cellHeight: cell,
  rows: n,
  columns: n,
  describe: (row, column) =>
    column > row
      ? words.biasMasked(row, column)
      : words.biasCell(row, column, values[row * n + column]!),
});

const curvesGrid = (
  lines: readonly Line[],
  positions: number,
  frame: Frame,
  words: GalleryWords,
): Grid => ({
  id: "curve",
  label: words.curves,
  x: frame.left,
  y: frame.top,
  cellWidth: frame.width / positions,
  cellHeight: frame.height,
  rows: 1,
  columns: positions,
  describe: (_, distance) =>
    words.curvePoint(
      distance,
      lines.map(({ values }) => values[distance]!),
    ),
});

function curvesThumb(picture: BiasPicture, area: Area, palette: Palette): Mark[] {
  const found = curvesOf(picture);
  const frame: Frame = {
    left: area.x,
    top: area.y,
    width: area.width,
    height: thumbHeight,
    maxX: picture.positions - 1,
    maxY: found.max,
    minY: found.min,
  };
  const zero = heightOf(frame, 0);
  const marks: Mark[] = [rule(frame.left, zero, frame.left + frame.width, zero, palette.hair)];
  for (let head = 0; head < found.heads; head++) {
    const { dash } = lineStyles[head % lineStyles.length]!;
    const d = pathOf({ name: "", values: found.of(head) }, frame);
    marks.push({ kind: "path", d, stroke: palette.ink, width: 1.2, dash });
  }
  return marks;
}

/**
 * Returns the head with the largest bias: on one scale, those of other heads may be too pale to
 * see.
 */
function strongestHead({ maps, mapPositions }: BiasPicture): number {
  const sizes = Array.from(maps, (value) => (Number.isFinite(value) ? Math.abs(value) : 0));
  const largest = sizes.reduce((best, size, at) => (size > sizes[best]! ? at : best), 0);
  return Math.floor(largest / mapPositions ** 2);
}

export function biasThumb(
  picture: BiasPicture,
  width: number,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const cell = Math.floor(thumbHeight / picture.mapPositions);
  const side = cell * picture.mapPositions;
  const map = biasMap(picture, strongestHead(picture), { x: 0.5, y: 0.5, width }, cell);
  const marks = heatMapMarks(map, palette, measure);
  if (width < side + 60) return marks;
  const beside = { x: side + 14, y: 1, width: width - side - 16 };
  return [...marks, ...curvesThumb(picture, beside, palette)];
}
