/** Marks on and around the cells of a zoomed map: hatching, numbers, frame, labels. */
import type { Palette } from "./colour.js";
import { textOn } from "./colour.js";
import { formatCell } from "./heat-map.js";
import { axesMarks, type MapAxes } from "./map-axes.js";
import type { Pyramid } from "./map-pyramid.js";
import { type MapScale, shadeOf } from "./map-shades.js";
import { cellSide } from "./map-viewport.js";
import type { Mark, Measure } from "./scene.js";

/** Minimum width of cells that show their number and have lines between them. */
const roomForNumber = 30;
const roomForLines = 14;

export interface MapPicture extends MapAxes {
  pyramid: Pyramid;
  scale: MapScale;
}

/** Returns the rows and columns in view. */
function inView({ view, box, pyramid }: MapPicture) {
  const { rows, columns } = pyramid.levels[0]!;
  const down = (view.across * box.height) / box.width;
  return {
    top: Math.floor(view.top),
    left: Math.floor(view.left),
    below: Math.min(rows, Math.ceil(view.top + down)),
    right: Math.min(columns, Math.ceil(view.left + view.across)),
  };
}

/** Returns the part of the box that the map fills. */
export function filled({ view, box, pyramid }: MapPicture): { width: number; height: number } {
  const { rows, columns } = pyramid.levels[0]!;
  const cell = cellSide(view, box);
  return {
    width: Math.min(box.width, (columns - view.left) * cell),
    height: Math.min(box.height, (rows - view.top) * cell),
  };
}

/** Returns the marks under the cells: hatching, if any cell is masked. */
export function underMarks(map: MapPicture, palette: Palette): Mark[] {
  const { x, y, pyramid } = map;
  return pyramid.hasGaps ? [{ kind: "rect", x, y, ...filled(map), hatch: palette.hair }] : [];
}

/**
 * Returns the cells in view as marks, for a vector file; with `index`, the numbers of that level of
 * the pyramid, each for a block of cells.
 */
export function cellsAsMarks(map: MapPicture, palette: Palette, index = 0): Mark[] {
  const { x, y, view, box, pyramid, scale } = map;
  const { columns, values, side, ...level } = pyramid.levels[index]!;
  const seen = inView(map);
  const [top, left] = [seen.top, seen.left].map((at) => Math.floor(at / side)) as [number, number];
  const below = Math.min(level.rows, Math.ceil(seen.below / side));
  const right = Math.min(columns, Math.ceil(seen.right / side));
  const cell = cellSide(view, box);
  const colours: (string | undefined)[] = [];
  for (let row = top; row < below; row++)
    for (let column = left; column < right; column++) {
      const value = values[row * columns + column]!;
      colours.push(!Number.isNaN(value) ? shadeOf(palette, value, scale) : undefined);
    }
  const corner = {
    x: x + (left * side - view.left) * cell,
    y: y + (top * side - view.top) * cell,
  };
  const size = { rows: below - top, columns: right - left };
  return [{ kind: "cells", ...corner, cell: cell * side, gap: 0, ...size, colours }];
}

export const countInView = (map: MapPicture): number => {
  const { top, left, below, right } = inView(map);
  return (below - top) * (right - left);
};

function numberMarks(map: MapPicture, palette: Palette): Mark[] {
  const { x, y, view, box, pyramid, scale } = map;
  const cell = cellSide(view, box);
  if (cell < roomForLines) return [];
  const { top, left, below, right } = inView(map);
  const { columns, values } = pyramid.levels[0]!;
  const room = filled(map);
  const lines: Mark[] = [];
  const line = { kind: "rect", fill: palette.paper } as const;
  for (let row = top + 1; row < below; row++)
    lines.push({ ...line, x, y: y + (row - view.top) * cell - 0.5, width: room.width, height: 1 });
  for (let column = left + 1; column < right; column++)
    lines.push({
      ...line,
      x: x + (column - view.left) * cell - 0.5,
      y,
      width: 1,
      height: room.height,
    });
  if (cell < roomForNumber) return lines;
  const size = Math.min(13, cell * (scale.signed ? 0.33 : 0.36));
  for (let row = top; row < below; row++)
    for (let column = left; column < right; column++) {
      const value = values[row * columns + column]!;
      if (Number.isNaN(value)) continue;
      lines.push({
        kind: "text",
        x: x + (column + 0.5 - view.left) * cell,
        y: y + (row + 0.5 - view.top) * cell + size * 0.35,
        text: formatCell(value, scale.signed),
        fill: textOn(palette, shadeOf(palette, value, scale)),
        size,
        align: "center",
      });
    }
  return lines;
}

/** Returns the frame around the marked cell, enlarged if necessary to be visible. */
function activeMarks({ x, y, view, box, active }: MapPicture, palette: Palette): Mark[] {
  if (!active) return [];
  const cell = cellSide(view, box);
  const side = Math.max(cell, 7);
  const left = (active.column + 0.5 - view.left) * cell - side / 2;
  const top = (active.row + 0.5 - view.top) * cell - side / 2;
  if (left + side < 0 || top + side < 0 || left > box.width || top > box.height) return [];
  const square = { x: x + left, y: y + top, width: side, height: side };
  const around = { x: square.x - 1.5, y: square.y - 1.5, width: side + 3, height: side + 3 };
  return [
    { kind: "rect", ...around, stroke: palette.paper, lineWidth: 1 },
    { kind: "rect", ...square, stroke: palette.ink, lineWidth: 1.5 },
  ];
}

/** Returns the marks over the cells, inside the map. */
export const overMarks = (map: MapPicture, palette: Palette): Mark[] => [
  ...numberMarks(map, palette),
  ...activeMarks(map, palette),
];

/** Returns the marks around the map. */
export function aroundMarks(map: MapPicture, palette: Palette, measure: Measure): Mark[] {
  const { width, height } = filled(map);
  const frame = { x: map.x - 0.5, y: map.y - 0.5, width: width + 1, height: height + 1 };
  return [{ kind: "rect", ...frame, stroke: palette.hair }, ...axesMarks(map, palette, measure)];
}
