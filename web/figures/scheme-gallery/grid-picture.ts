/** Positions on a grid: one small map for each channel or head, all on one scale. */
import { type Palette, signedColour } from "../../drawing/colour.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { GridPicture } from "../../engine/both/messages.js";
import { plain } from "../../text/numbers.js";
import { caption } from "../shared/pictures/captions.js";
import { type Area, type Block, limitOf, signedLegend, thumbHeight } from "./block.js";
import type { GalleryTexts } from "./words.js";

const gap = 8;

/** Returns `wanted` of the maps, evenly spread, with the first and the last. */
function chosenMaps({ values, side }: GridPicture, wanted: number): number[] {
  const all = values.length / (side * side);
  const shown = Math.min(all, wanted);
  return Array.from({ length: shown }, (_, index) =>
    shown > 1 ? Math.round((index * (all - 1)) / (shown - 1)) : 0,
  );
}

const mapOf = ({ values, side }: GridPicture, index: number): Float32Array =>
  values.subarray(index * side * side, (index + 1) * side * side);

function mapMarks(
  picture: GridPicture,
  index: number,
  x: number,
  y: number,
  cell: number,
  palette: Palette,
): Mark[] {
  const { side, what } = picture;
  const limit = limitOf(picture.values);
  const colours = Array.from(mapOf(picture, index), (value) => signedColour(palette, value, limit));
  const size = { rows: side, columns: side };
  const frame = { width: side * cell + 1, height: side * cell + 1 };
  const middle = Math.floor(side / 2);
  const looking: Mark = {
    kind: "rect",
    x: x + middle * cell + 0.5,
    y: y + middle * cell + 0.5,
    width: cell - 1,
    height: cell - 1,
    stroke: palette.ink,
  };
  return [
    { kind: "cells", x, y, cell, gap: 0, ...size, colours },
    { kind: "rect", x: x - 0.5, y: y - 0.5, ...frame, stroke: palette.hair },
    ...(what === "bias" ? [looking] : []),
  ];
}

export function gridBlock(
  picture: GridPicture,
  area: Area,
  words: GalleryTexts,
  palette: Palette,
  measure: Measure,
): Block {
  const { side, what } = picture;
  const ofHeads = what === "bias";
  const maps = chosenMaps(picture, ofHeads ? 4 : 16);
  const isNarrow = area.width < 420;
  const across = ofHeads ? Math.min(maps.length, isNarrow ? 2 : 4) : isNarrow ? 4 : 8;
  const cell = Math.max(2, Math.min(18, Math.floor((area.width / across - gap) / side)));
  const step = { x: side * cell + gap, y: side * cell + 24 };
  const name = (index: number) =>
    ofHeads ? words.gallery.headName(index + 1) : words.gallery.channelName(index);
  const hasRoom = maps.every((map) => measure(name(map), 12) <= step.x - 4);
  const at = (index: number) => ({
    x: area.x + (index % across) * step.x,
    y: area.y + Math.floor(index / across) * step.y,
  });
  const marks = maps.flatMap((map, index) => {
    const { x, y } = at(index);
    const label = hasRoom ? name(map) : String(ofHeads ? map + 1 : map);
    return [
      ...mapMarks(picture, map, x, y, cell, palette),
      caption(palette, x, y + side * cell + 15, label),
    ];
  });
  const rows = Math.ceil(maps.length / across);
  const bottom = area.y + rows * step.y;
  const read = words.gallery.gridRead[what](side);
  const under = { ...area, y: bottom };
  const legend = signedLegend(read, limitOf(picture.values), under, palette, measure);
  marks.push(...legend.marks);
  const describe = (row: number, column: number) => {
    const map = maps[row * across + column];
    if (map === undefined) return words.gallery.empty;
    const values = mapOf(picture, map);
    const [min, max] = [Math.min(...values), Math.max(...values)];
    return words.gallery.gridMap(name(map), plain(min), plain(max));
  };
  const grid: Grid = {
    id: "own",
    label: words.gallery.kinds[what],
    x: area.x,
    y: area.y,
    cellWidth: step.x,
    cellHeight: step.y,
    rows,
    columns: across,
    describe,
  };
  return { marks, grids: [grid], bottom: legend.bottom };
}

export function gridThumb(picture: GridPicture, width: number, palette: Palette): Mark[] {
  const rows = picture.what === "bias" ? 1 : 2;
  const cell = Math.max(1, Math.floor((thumbHeight / rows - (rows - 1) * 4) / picture.side));
  const step = picture.side * cell + gap;
  const across = Math.max(1, Math.floor((width + gap) / step));
  return chosenMaps(picture, rows * across).flatMap((map, index) =>
    mapMarks(
      picture,
      map,
      0.5 + (index % across) * step,
      0.5 + Math.floor(index / across) * step,
      cell,
      palette,
    ),
  );
}
