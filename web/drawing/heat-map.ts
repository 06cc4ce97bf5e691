/**
 * One attention map: cells, token labels on two sides, masked cells hatched. A pure function of its
 * data.
 */
import { type Palette, signedColours, textOn, weightColours } from "./colour.js";
import { columnLabels, type Labelled, rowLabels } from "./labels.js";
import type { Mark, Measure } from "./scene.js";

export interface HeatMap extends Labelled {
  /** Row-major, rows × columns. */
  values: ArrayLike<number>;
  /** Largest value of the scale; signed maps run from -limit. */
  limit: number;
  /** Returns the position of a weight on the scale, 0 to 1; by default its share of `limit`. */
  shade?: (value: number) => number;
  signed?: boolean;
  /** Hides keys after the query. */
  isCausal?: boolean;
  labels?: { rows?: boolean; columns?: boolean };
}

/** Minimum width of cells that show their number. */
const roomForNumber = 29;

export const formatCell = (value: number, signed: boolean): string => {
  const rounded =
    Math.abs(value) < 0.005
      ? "0"
      : Math.abs(value)
          .toFixed(2)
          .replace(/^0(?=\.)/, "");
  if (rounded === "0") return "0";
  return signed ? `${value < 0 ? "−" : "+"}${rounded}` : rounded;
};

export const isMasked = (map: HeatMap, row: number, column: number): boolean =>
  Boolean(map.isCausal) && column > row;

function cellNumbers(
  map: HeatMap,
  palette: Palette,
  colours: readonly (string | undefined)[],
): Mark[] {
  if (map.cell < roomForNumber) return [];
  const size = Math.min(13, map.cell * (map.signed ? 0.33 : 0.36));
  return colours.flatMap((colour, index): Mark[] => {
    const row = Math.floor(index / map.columns.length);
    const column = index % map.columns.length;
    if (!colour) return [];
    return [
      {
        kind: "text",
        x: map.x + (column + 0.5) * map.cell - 0.5,
        y: map.y + (row + 0.5) * map.cell + size * 0.35,
        text: formatCell(map.values[index]!, Boolean(map.signed)),
        fill: textOn(palette, colour),
        size,
        align: "center",
      },
    ];
  });
}

function maskedMarks(map: HeatMap, palette: Palette): Mark[] {
  if (!map.isCausal) return [];
  // One hatched strip per row, right of the diagonal.
  return map.rows.slice(0, -1).map(
    (_, row): Mark => ({
      kind: "rect",
      x: map.x + (row + 1) * map.cell,
      y: map.y + row * map.cell,
      width: (map.columns.length - row - 1) * map.cell - 1,
      height: map.cell - (map.cell > 12 ? 1 : 0),
      hatch: palette.hair,
    }),
  );
}

const gapOf = ({ cell }: HeatMap): number => (cell > 12 ? 1 : 0);

const frame = (
  map: HeatMap,
  palette: Palette,
  row: number,
  column: number,
  across: number,
): Mark => ({
  kind: "rect",
  x: map.x + column * map.cell - 1,
  y: map.y + row * map.cell - 1,
  width: across * map.cell + 2 - gapOf(map),
  height: map.cell + 2 - gapOf(map),
  stroke: palette.ink,
  lineWidth: 1.5,
});

/** Returns the marks of the map that do not depend on the marked cell. */
export function cellMarks(map: HeatMap, palette: Palette): Mark[] {
  const gap = gapOf(map);
  const columns = map.columns.length;
  const signed = signedColours(palette, map.limit);
  const weight = weightColours(palette, 1);
  const colours = Array.from({ length: map.rows.length * columns }, (_, index) => {
    if (isMasked(map, Math.floor(index / columns), index % columns)) return undefined;
    const value = map.values[index]!;
    return map.signed ? signed(value) : weight(map.shade?.(value) ?? value / map.limit);
  });
  return [
    {
      kind: "cells",
      x: map.x,
      y: map.y,
      cell: map.cell,
      gap,
      rows: map.rows.length,
      columns,
      colours,
    },
    ...maskedMarks(map, palette),
    ...cellNumbers(map, palette, colours),
    {
      kind: "rect",
      x: map.x - 0.5,
      y: map.y - 0.5,
      width: columns * map.cell + 1 - gap,
      height: map.rows.length * map.cell + 1 - gap,
      stroke: palette.hair,
    },
  ];
}

/** Returns the frame around the marked cell, and the labels, with those of that cell in bold. */
export function labelMarks(map: HeatMap, palette: Palette, measure: Measure): Mark[] {
  const marks: Mark[] = [];
  if (map.framedRow !== undefined)
    marks.push(frame(map, palette, map.framedRow, 0, map.columns.length));
  if (map.active) marks.push(frame(map, palette, map.active.row, map.active.column, 1));
  if (map.labels?.rows !== false) marks.push(...rowLabels(map, palette));
  if (map.labels?.columns !== false) marks.push(...columnLabels(map, palette, measure));
  return marks;
}

/** Returns all marks of the map. */
export const heatMapMarks = (map: HeatMap, palette: Palette, measure: Measure): Mark[] => [
  ...cellMarks(map, palette),
  ...labelMarks(map, palette, measure),
];
