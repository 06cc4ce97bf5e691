/**
 * All heads twice: as small maps, layers down and heads across, and as dots by two measures. The
 * marked head is framed in both.
 */
import type { Draw } from "../../../controls/scene-view.js";
import { axisMarks, type Frame, heightOf, roundUp, rule, ticks } from "../../../drawing/axes.js";
import { mix, type Palette } from "../../../drawing/colour.js";
import { keyMarks } from "../../../drawing/key.js";
import type { Cell, Grid, Mark, Measure } from "../../../drawing/scene.js";
import { plain } from "../../../text/numbers.js";
import { caption } from "./captions.js";
import { coloursOf, sketch } from "./heads-picture.js";
import type { DotsWords } from "./heads-words.js";
import { pathThrough, ringPath } from "./length-chart.js";
import type { ShownHeads } from "./shown-heads.js";

export interface HeadsView {
  shown: ShownHeads;
  /** Names of the measures across and upwards. */
  x: string;
  y: string;
  words: DotsWords;
  /** Without the small maps. */
  hasDotsOnly?: boolean;
}

/** The measure across that is no measure: the number of the layer. */
export const layerAxis = "layer";

/** Returns the layer and the head of an index among all heads. */
export const headAt = (at: number, heads: number): Cell => ({
  row: Math.floor(at / heads),
  column: at % heads,
});

/** Returns the numbers across: those of a measure, or of the layers, from 1. */
const acrossOf = ({ layers, heads, measures }: ShownHeads, name: string): readonly number[] =>
  measures[name] ?? Array.from({ length: layers * heads }, (_, at) => Math.floor(at / heads) + 1);

/** Returns the indices of the heads with a dot, from left to right. */
export function dotOrder(shown: ShownHeads, x: string, y: string): number[] {
  const [across, up] = [acrossOf(shown, x), shown.measures[y]!];
  return Array.from(up.keys())
    .filter((at) => !Number.isNaN(across[at]!) && !Number.isNaN(up[at]!))
    .sort((a, b) => across[a]! - across[b]! || up[a]! - up[b]!);
}

interface Box {
  left: number;
  top: number;
  width: number;
}

// ------------------------------------------------------------------------------- small maps

const minPitch = 18;
const maxPitch = 60;

interface Tiles {
  grid: Grid;
  /** Rows of tiles for each layer. */
  parts: number;
  side: number;
}

/** Places the tiles; the heads of a layer take several rows if they do not fit into one. */
function tilesOf(view: HeadsView, { left, top, width }: Box, measure: Measure): Tiles {
  const { shown, words } = view;
  const { layers, heads } = shown;
  const room = measure(String(layers), 13) + 10;
  const fitting = Math.max(1, Math.floor((width - room) / minPitch));
  const parts = Math.ceil(heads / fitting);
  const columns = Math.ceil(heads / parts);
  const pitch = Math.min(maxPitch, Math.floor((width - room) / columns));
  const grid: Grid = {
    id: "heads",
    label: words.grid,
    x: left + room,
    y: top + 44,
    cellWidth: pitch,
    cellHeight: pitch,
    rows: layers * parts,
    columns,
    describe: (row, column) => {
      const head = Math.min(heads - 1, (row % parts) * columns + column);
      return describe(view, Math.floor(row / parts) * heads + head);
    },
  };
  return { grid, parts, side: pitch - (pitch < 24 ? 2 : 4) };
}

function describe({ shown, x, y, words }: HeadsView, at: number): string {
  const { row, column } = headAt(at, shown.heads);
  const said = [x, y]
    .filter((name) => name !== layerAxis)
    .map((name) => words.value(words.measures[name] ?? name, shown.measures[name]![at]!));
  return `${words.head(row + 1, column + 1, shown.heads)}: ${said.join(", ")}`;
}

/** Returns the left upper corner of a head's tile. */
function tileCorner({ grid, parts }: Tiles, { row, column }: Cell): { x: number; y: number } {
  const part = Math.floor(column / grid.columns);
  const at = { x: column % grid.columns, y: row * parts + part };
  return { x: grid.x + at.x * grid.cellWidth, y: grid.y + at.y * grid.cellHeight };
}

const frameMark = (
  x: number,
  y: number,
  side: number,
  stroke: string,
  lineWidth: number,
): Mark => ({
  kind: "rect",
  x: x - 0.5,
  y: y - 0.5,
  width: side + 1,
  height: side + 1,
  stroke,
  lineWidth,
});

/** Draws a head's map, or the colour of its measure. */
function tileMarks({ shown, y }: HeadsView, tiles: Tiles, palette: Palette): Mark[] {
  const { layers, heads, maps, measures } = shown;
  const { side } = tiles;
  const max = side < 24 ? 8 : 16;
  const lists = Array.from({ length: layers * heads }, (_, at) =>
    maps ? sketch(maps, at, max) : Float32Array.of(measures[y]![at]!),
  );
  const colour = coloursOf(lists, palette);
  const rows = maps ? Math.min(max, maps.rows) : 1;
  const columns = maps ? Math.min(max, maps.columns) : 1;
  return lists.flatMap((list, at): Mark[] => {
    const corner = tileCorner(tiles, headAt(at, heads));
    const cell = side / Math.max(rows, columns);
    const colours = Array.from(list, colour);
    return [
      { kind: "cells", ...corner, cell, gap: 0, rows, columns, colours },
      frameMark(corner.x, corner.y, side, palette.hair, 1),
    ];
  });
}

/** Draws the numbers of the layers, and of the heads if each has a column of its own. */
function tileNumbers(view: HeadsView, tiles: Tiles, palette: Palette, measure: Measure): Mark[] {
  const { layers, heads } = view.shown;
  const { grid, parts, side } = tiles;
  const down = Math.ceil(13 / (grid.cellHeight * parts));
  const numbers = Array.from({ length: layers }, (_, layer): Mark[] => {
    if (layer % down) return [];
    const { y } = tileCorner(tiles, { row: layer, column: 0 });
    return [caption(palette, grid.x - 7, y + side / 2 + 4, String(layer + 1), "right")];
  }).flat();
  if (parts > 1) return numbers;
  const across = Math.ceil((measure(String(heads), 13) + 5) / grid.cellWidth);
  const above = Array.from({ length: heads }, (_, head): Mark[] =>
    head % across
      ? []
      : [
          caption(
            palette,
            grid.x + head * grid.cellWidth + side / 2,
            grid.y - 8,
            String(head + 1),
            "center",
          ),
        ],
  ).flat();
  return [...numbers, ...above];
}

// ------------------------------------------------------------------------------- dots

const radius = 4.5;
const height = 280;

interface Dots {
  frame: Frame;
  grid: Grid;
  /** Middle of a head's dot; undefined without numbers. */
  middles: ReadonlyMap<number, { x: number; y: number }>;
}

/** Returns round limits of numbers, with zero. */
function limitsOf(list: readonly number[]): { min: number; max: number } {
  const numbers = list.filter((value) => !Number.isNaN(value));
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  return {
    min: low < 0 ? -roundUp(-low) : 0,
    max: high > 0 || low === 0 ? roundUp(high || 1) : 0,
  };
}

function dotsOf(view: HeadsView, { left, top, width }: Box, measure: Measure): Dots {
  const { shown, x, y, words } = view;
  const [across, up] = [acrossOf(shown, x), shown.measures[y]!];
  const upward = limitsOf(up);
  const isByLayer = x === layerAxis;
  const limits = isByLayer ? { min: 0.5, max: shown.layers + 0.5 } : limitsOf(across);
  const written = [upward.min, upward.max].map((end) => measure(plain(end), 13));
  const room = Math.max(30, ...written.map((wide) => wide + 14));
  const frame: Frame = {
    left: left + room,
    top,
    width: width - room - 12,
    height,
    maxX: limits.max - limits.min,
    minY: upward.min,
    maxY: upward.max,
  };
  const order = dotOrder(shown, x, y);
  const middles = new Map(
    order.map((at) => [
      at,
      {
        x: frame.left + ((across[at]! - limits.min) / frame.maxX) * frame.width,
        y: heightOf(frame, up[at]!),
      },
    ]),
  );
  const grid: Grid = {
    id: "dots",
    label: words.dots,
    x: frame.left,
    y: frame.top,
    cellWidth: 24,
    cellHeight: 24,
    rows: 1,
    columns: order.length,
    points: [...middles.values()],
    describe: (_, column) => describe(view, order[column]!),
  };
  return { frame, grid, middles };
}

/** Returns the numbers below the axis. */
function columnsOf({ shown, x }: HeadsView, { width, maxX }: Frame, measure: Measure) {
  if (x === layerAxis) {
    const step = Math.ceil(((measure(String(shown.layers), 13) + 10) * shown.layers) / width);
    return Array.from({ length: shown.layers }, (_, layer) => ({
      at: layer + 0.5,
      text: layer % step ? "" : String(layer + 1),
    }));
  }
  const { min, max } = limitsOf(acrossOf(shown, x));
  const step = ticks(maxX, width > 400 ? 6 : 4)[1] ?? maxX;
  const first = Math.ceil(min / step - 1e-9);
  const count = Math.floor(max / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, at) => {
    const value = Number(((first + at) * step).toPrecision(12));
    return { at: value - min, text: plain(value) };
  });
}

/** Later layers have a stronger colour; by layer all are alike. */
function dotColour({ shown, x }: HeadsView, layer: number, palette: Palette): string {
  if (x === layerAxis || shown.layers < 2) return palette.position;
  return mix(palette.position, palette.paper, 0.72 * (1 - layer / (shown.layers - 1)));
}

const dotMark = ({ x, y }: { x: number; y: number }, fill: string, palette: Palette): Mark => ({
  kind: "path",
  d: ringPath(x, y, radius),
  stroke: palette.soft,
  width: 0.75,
  fill,
});

/** Draws a line through the means of the layers, or through the numbers of layers with one. */
function meanLine({ shown, x, y }: HeadsView, { frame }: Dots, palette: Palette): Mark[] {
  if (x !== layerAxis) return [];
  const { layers, heads, measures } = shown;
  const points = Array.from({ length: layers }, (_, layer) => {
    const known = measures[y]!.slice(layer * heads, (layer + 1) * heads).filter(
      (value) => !Number.isNaN(value),
    );
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    if (!known.length) return undefined;
    return [frame.left + ((layer + 0.5) / layers) * frame.width, heightOf(frame, mean)] as const;
  });
  return [{ kind: "path", d: pathThrough(points), stroke: palette.ink, width: 1.5 }];
}

function keyOf(view: HeadsView, palette: Palette) {
  const { shown, x, words } = view;
  const { layers, heads } = shown;
  const dot = (layer: number) => (at: number, y: number) =>
    dotMark({ x: at + radius, y: y - 4 }, dotColour(view, layer, palette), palette);
  if (x === layerAxis)
    return heads < 2
      ? []
      : [
          {
            name: words.mean,
            sample: (at: number, y: number) =>
              rule(at - 4, y - 4, at + 10, y - 4, palette.ink, 1.5),
          },
        ];
  if (layers < 2) return [];
  return [0, layers - 1].map((layer) => ({
    name: words.head(layer + 1, 1, 1),
    sample: dot(layer),
  }));
}

// ------------------------------------------------------------------------------- both

interface Parts {
  tiles: Tiles | undefined;
  dots: Dots;
}

/** Frames the marked head in both parts, and names its dot. */
function markOf(
  { shown, words }: HeadsView,
  { tiles, dots }: Parts,
  active: Cell,
  palette: Palette,
): Mark[] {
  const corner = tiles && tileCorner(tiles, active);
  const framed = corner
    ? [frameMark(corner.x - 1, corner.y - 1, tiles!.side + 2, palette.ink, 2)]
    : [];
  const middle = dots.middles.get(active.row * shown.heads + active.column);
  if (!middle) return framed;
  const { x, y } = middle;
  const { left, width } = dots.frame;
  const isRight = x > left + width * 0.6;
  const name = words.head(active.row + 1, active.column + 1, shown.heads);
  const at = x + (isRight ? -1 : 1) * (radius + 6);
  return [
    ...framed,
    { kind: "path", d: ringPath(x, y, radius + 2), stroke: palette.ink, width: 2 },
    {
      ...caption(palette, at, y - 7, name, isRight ? "right" : "left"),
      fill: palette.ink,
      weight: 600,
    },
  ];
}

export const drawHeadsAndDots =
  (view: HeadsView): Draw =>
  (width, palette, measure) => {
    const { shown, x, y, words, hasDotsOnly } = view;
    const gap = 34;
    const half = Math.floor((width - gap) / 2);
    // Many heads take the whole width.
    const isWide = width >= 560 && shown.heads * minPitch <= half - 30;
    const tiles =
      shown.heads > 1 && !hasDotsOnly
        ? tilesOf(view, { left: 0, top: 0, width: isWide ? half : width }, measure)
        : undefined;
    const below = tiles ? tiles.grid.y + tiles.grid.rows * tiles.grid.cellHeight : 0;
    const box =
      isWide && tiles
        ? { left: half + gap, top: 0, width: half }
        : { left: 0, top: tiles ? below + 24 : 0, width };
    const entries = keyOf(view, palette);
    const key = keyMarks(entries, { ...box, indent: 15 }, palette, measure);
    const dots = dotsOf(view, { ...box, top: box.top + (entries.length ? 62 : 34) }, measure);
    const { frame } = dots;
    const names = {
      x: words.measures[x] ?? x,
      y: words.measures[y] ?? y,
      left: box.left,
      columns: columnsOf(view, frame, measure),
    };
    const marks: Mark[] = [
      ...(tiles
        ? [
            caption(palette, 0, 12, words.grid),
            ...tileNumbers(view, tiles, palette, measure),
            ...tileMarks(view, tiles, palette),
          ]
        : []),
      ...key.marks,
      ...axisMarks(frame, palette, names),
      ...Array.from(dots.middles, ([at, middle]) =>
        dotMark(middle, dotColour(view, headAt(at, shown.heads).row, palette), palette),
      ),
      ...meanLine(view, dots, palette),
    ];
    return {
      width,
      height: Math.max(below + 4, frame.top + height + 44),
      marks,
      grids: tiles ? [tiles.grid, dots.grid] : [dots.grid],
      over: (active) => ({ marks: active ? markOf(view, { tiles, dots }, active, palette) : [] }),
    };
  };
