/** Rows that are added to token vectors: positions across, channels down. */
import { galleryView } from "../../defaults.js";
import { type Palette, signedColour } from "../../drawing/colour.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { EncodingPicture } from "../../engine/both/messages.js";
import { caption } from "../shared/pictures/captions.js";
import { type Area, type Block, limitOf, signedLegend, thumbHeight } from "./block.js";
import type { GalleryTexts } from "./words.js";

function encodingCells(
  picture: EncodingPicture,
  area: Area,
  cell: number,
  palette: Palette,
  max = galleryView.positions,
): Mark[] {
  const { channels, values } = picture;
  const positions = Math.min(picture.positions, max);
  const limit = limitOf(values);
  const colours = Array.from({ length: channels * positions }, (_, index) => {
    const channel = Math.floor(index / positions);
    return signedColour(palette, values[(index % positions) * channels + channel]!, limit);
  });
  const { x, y } = area;
  const size = { rows: channels, columns: positions };
  const marks: Mark[] = [{ kind: "cells", x, y, cell, gap: 0, ...size, colours }];
  const missing = max - positions;
  if (missing > 0) {
    const after = { x: x + positions * cell, width: missing * cell };
    marks.push({
      kind: "rect",
      y,
      height: channels * cell,
      hatch: palette.hair,
      isCrossed: true,
      ...after,
    });
  }
  marks.push({
    kind: "rect",
    x: x - 0.5,
    y: y - 0.5,
    width: max * cell + 1,
    height: channels * cell + 1,
    stroke: palette.hair,
  });
  return marks;
}

export function encodingBlock(
  picture: EncodingPicture,
  area: Area,
  words: GalleryTexts,
  palette: Palette,
  measure: Measure,
): Block {
  const { positions, channels, values } = picture;
  const left = 30;
  const cell = Math.max(2, Math.min(8, Math.floor((area.width - left) / galleryView.positions)));
  const inner = { ...area, x: area.x + left };
  const marks = encodingCells(picture, inner, cell, palette);
  const bottom = area.y + channels * cell;
  for (const channel of [0, channels - 1])
    marks.push(
      caption(
        palette,
        inner.x - 6,
        area.y + channel * cell + (channel ? cell : 9),
        String(channel),
        "right",
      ),
    );
  for (const position of [0, 16, 32, 48])
    marks.push(caption(palette, inner.x + position * cell, bottom + 16, String(position)));
  const under = { x: inner.x, y: bottom + 24, width: area.width - left };
  const legend = signedLegend(words.gallery.encodingRead, limitOf(values), under, palette, measure);
  marks.push(...legend.marks);
  const grid: Grid = {
    id: "own",
    label: words.gallery.kinds.encoding,
    x: inner.x,
    y: area.y,
    cellWidth: cell,
    cellHeight: cell,
    rows: channels,
    columns: positions,
    describe: (channel, position) =>
      words.gallery.encodingCell(position, channel, values[position * channels + channel]!),
  };
  return { marks, grids: [grid], bottom: legend.bottom };
}

export function encodingThumb(picture: EncodingPicture, width: number, palette: Palette): Mark[] {
  const cell = Math.max(1, Math.floor(thumbHeight / picture.channels));
  const max = Math.min(galleryView.positions, Math.floor((width - 1) / cell));
  return encodingCells(picture, { x: 0.5, y: 0.5, width }, cell, palette, max);
}
