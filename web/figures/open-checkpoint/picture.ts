/** Thumbnails of all heads, the map of one, and the terms of one of its logits. */
import type { Draw } from "../../controls/scene-view.js";
import { barPitch, signed, sumBarMarks, sumExtent } from "../../drawing/bars.js";
import { type Palette, weightColour } from "../../drawing/colour.js";
import { cellMarks, type HeatMap, labelMarks } from "../../drawing/heat-map.js";
import {
  columnLabelHeight,
  fittingCell,
  roomForLabel,
  rowLabelWidth,
} from "../../drawing/labels.js";
import type { Cell, Mark } from "../../drawing/scene.js";
import type { Text } from "../../text/index.js";
import { mapGrid } from "../shared/maps/map-grid.js";
import { caption, heading, headingLines } from "../shared/pictures/captions.js";
import type { OpenWords } from "./words.js";

/** Decades of the logarithmic scale: from a ten-thousandth to one. */
const decades = 4;
export const minShown = 10 ** -decades;

/** Returns the position of a share of attention on the scale, 0 to 1. */
export const shadeOf = (isLog: boolean) => (value: number) =>
  isLog ? (value > minShown ? 1 + Math.log10(value) / decades : 0) : value;

/** The thumbnails; undefined for layers that have not yet loaded. */
export interface Sheet {
  layers: number;
  heads: number;
  /** Rows and columns of a thumbnail. */
  cellRows: number;
  cellColumns: number;
  /** Shares of attention by layer, then by head. */
  maps: readonly (readonly Float32Array[] | undefined)[];
}

const narrowest = 22;
const widest = 56;

/** Layers across if thumbnails are then large enough for a finger; else down. */
function layOut({ layers, heads }: Sheet, width: number) {
  const room = width - 30;
  const isAcross = layers > heads && room / layers >= narrowest && width >= 680;
  const [columns, rows] = isAcross ? [layers, heads] : [heads, layers];
  const pitch = Math.max(narrowest, Math.min(widest, Math.floor(room / columns)));
  return { isAcross, columns, rows, pitch, left: 24, top: 58 };
}

const known = new WeakMap<Float32Array, { key: string; colours: (string | undefined)[] }>();

/** Returns the colours of a thumbnail, cached with its map because they are many. */
function coloursOf(map: Float32Array, isLog: boolean, palette: Palette) {
  const key = `${isLog} ${palette.dark} ${palette.weight.at(-1)}`;
  const found = known.get(map);
  if (found?.key === key) return found.colours;
  const shade = shadeOf(isLog);
  const colours = Array.from(map, (value) => {
    const share = shade(value);
    return share > 0.02 ? weightColour(palette, share, 1) : undefined;
  });
  known.set(map, { key, colours });
  return colours;
}

/** Labels all of a few numbers; of many, the first and every fifth. */
const numbered = (count: number, at: (index: number) => Mark): Mark[] =>
  Array.from({ length: count }, (_, index) => index)
    .filter((index) => count <= 16 || index === 0 || (index + 1) % 5 === 0)
    .map(at);

/** Draws one head's thumbnail in its frame, empty until it has loaded. */
function thumbnailMarks(
  map: Float32Array | undefined,
  { cellRows: rows, cellColumns: columns }: Sheet,
  { x, y, width }: { x: number; y: number; width: number },
  isLog: boolean,
  isChosen: boolean,
  palette: Palette,
): Mark[] {
  const cell = width / Math.max(rows, columns);
  const frame: Mark = {
    kind: "rect",
    x: x - 0.5,
    y: y - 0.5,
    width: columns * cell + 1,
    height: rows * cell + 1,
    stroke: isChosen ? palette.ink : palette.hair,
    lineWidth: isChosen ? 2.5 : 1,
  };
  if (!map) return [frame];
  const colours = coloursOf(map, isLog, palette);
  return [{ kind: "cells", x, y, cell, gap: 0, rows, columns, colours }, frame];
}

export function drawSheet(
  sheet: Sheet,
  chosen: { layer: number; head: number },
  isLog: boolean,
  words: OpenWords,
): Draw {
  return (width, palette) => {
    const { isAcross, columns, rows, pitch, left, top } = layOut(sheet, width);
    const marks: Mark[] = [
      heading(palette, 0, 16, words.thumbnails),
      caption(palette, 0, 34, isAcross ? words.across : words.down),
      ...numbered(columns, (i) =>
        caption(palette, left + (i + 0.5) * pitch - 2, top - 6, `${i + 1}`, "center"),
      ),
      ...Array.from({ length: rows }, (_, i) =>
        caption(palette, 8, top + (i + 0.5) * pitch + 2, `${i + 1}`, "center"),
      ),
    ];
    for (let layer = 0; layer < sheet.layers; layer++)
      for (let head = 0; head < sheet.heads; head++) {
        const [column, row] = isAcross ? [layer, head] : [head, layer];
        const [x, y] = [left + column * pitch, top + row * pitch];
        const isChosen = layer === chosen.layer && head === chosen.head;
        const map = sheet.maps[layer]?.[head];
        const area = { x, y, width: pitch - 4 };
        marks.push(...thumbnailMarks(map, sheet, area, isLog, isChosen, palette));
      }
    const grid = {
      id: isAcross ? "layers-across" : "layers-down",
      label: words.gridLabel,
      x: left,
      y: top,
      cellWidth: pitch,
      cellHeight: pitch,
      rows,
      columns,
      describe: (row: number, column: number) =>
        isAcross ? words.headLabel(column + 1, row + 1) : words.headLabel(row + 1, column + 1),
    };
    const drawn = { width: Math.max(width, left + columns * pitch), height: top + rows * pitch };
    return { ...drawn, marks, grids: [grid] };
  };
}

export interface HeadMap {
  title: string;
  rows: readonly string[];
  columns: readonly string[];
  /** [rows, columns] */
  weights: Float32Array;
  isCausal: boolean;
  isLog: boolean;
  hidesFirst: boolean;
}

const tallest = 460;

export function drawHeadMap(shown: HeadMap, words: OpenWords, text: Text): Draw {
  const { title, rows, columns, weights, isCausal, isLog, hidesFirst } = shown;
  return (width, palette, measure) => {
    const [down, across] = [rows.length, columns.length];
    const needed = (cell: number) =>
      (cell < roomForLabel ? 90 : rowLabelWidth(rows, cell, measure)) + across * cell;
    const max = Math.min(40, Math.max(2, Math.floor(tallest / Math.max(down, across))));
    const whole = fittingCell(max, 1, width, needed);
    const left = whole < roomForLabel ? 90 : Math.ceil(rowLabelWidth(rows, whole, measure));
    // Cells of long texts have fractional sizes, to use all of the width.
    const cell = whole > 4 ? whole : Math.min(tallest / down, (width - left) / across);
    const top = 30 + Math.min(110, columnLabelHeight(columns, cell, measure));
    const map: HeatMap = {
      x: left,
      y: top,
      cell,
      rows,
      columns,
      values: weights,
      limit: 1,
      isCausal,
      shade: shadeOf(isLog),
    };
    const marks: Mark[] = [heading(palette, 0, 16, title), ...cellMarks(map, palette)];
    if (hidesFirst)
      marks.push({
        kind: "rect",
        x: left,
        y: top,
        width: cell,
        height: down * cell,
        fill: palette.paper,
        hatch: palette.hair,
      });
    return {
      width,
      height: top + down * cell + 6,
      marks,
      grids: [mapGrid("map", words.mapLabel, map, text, words.cell)],
      over: (active: Cell | undefined) => ({
        marks: labelMarks({ ...map, active }, palette, measure),
      }),
    };
  };
}

export interface HeadSum {
  title: string;
  terms: { name: string; value: number; isContent: boolean }[];
  total: number;
}

export function drawSum(
  { title, terms, total }: HeadSum,
  totalName: string,
  words: OpenWords,
): Draw {
  return (width, palette, measure) => {
    const [low, high] = sumExtent([{ terms, total }]);
    const names = [...terms.map(({ name }) => name), totalName];
    const left = Math.max(...names.map((name) => measure(name, 13))) + 14;
    const lines = headingLines(title, width, measure);
    const top = 14 + lines.length * 18;
    const across = Math.min(width, 640);
    const coloured = terms.map(({ name, value, isContent }) => ({
      name,
      value,
      colour: isContent ? palette.content : palette.position,
    }));
    const bars = { x: left, y: top, width: across - left - 58, low, high };
    const rows = [...terms, { name: totalName, value: total }];
    return {
      width,
      height: top + rows.length * barPitch + 4,
      marks: [
        ...lines.map((line, row) => heading(palette, 0, 16 + row * 18, line)),
        ...sumBarMarks(
          { ...bars, terms: coloured, total: { name: totalName, value: total } },
          palette,
        ),
      ],
      grids: [
        {
          id: "terms",
          label: words.sumGrid,
          x: 0,
          y: top,
          cellWidth: across,
          cellHeight: barPitch,
          rows: rows.length,
          columns: 1,
          describe: (row) => words.termLabel(rows[row]!.name, signed(rows[row]!.value)),
        },
      ],
    };
  };
}
