/** Pairs of channels that rotate: one dial for each pair and position. */
import { type Frame, roundUp } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { curveMarks } from "../../drawing/curve.js";
import { dialMarks } from "../../drawing/dials.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { RotationPicture } from "../../engine/both/messages.js";
import { wavelengthText } from "../../text/numbers.js";
import { caption } from "../shared/pictures/captions.js";
import { type Area, type Block, thumbHeight } from "./block.js";
import type { GalleryTexts } from "./words.js";

function curveFrame(left: Float32Array, { x, y, width }: Area): Frame {
  const min = Math.min(0, ...left);
  return {
    left: x + 34,
    top: y + 26,
    width: Math.min(width, 16 * 34) - 44,
    height: 96,
    maxX: left.length - 1,
    maxY: Math.max(1, roundUp(Math.max(...left))),
    minY: min < 0 ? -roundUp(-min) : 0,
    keyTop: y - 2,
  };
}

export function rotationBlock(
  { frequencies, left }: RotationPicture,
  area: Area,
  words: GalleryTexts,
  palette: Palette,
  measure: Measure,
): Block {
  const spelled = (pair: number) => wavelengthText((2 * Math.PI) / frequencies[pair]!);
  const widths = Array.from(frequencies, (_, pair) => measure(spelled(pair), 12));
  const labels = Math.max(54, Math.ceil(Math.max(...widths)) + 12);
  const columns = Math.min(16, Math.max(6, Math.floor((area.width - labels) / 30)));
  const pitch = Math.min(34, Math.floor((area.width - labels) / columns));
  const marks = dialMarks({ ...area, pitch, columns, frequencies }, palette);
  const right = area.x + columns * pitch + 8;
  for (let pair = 0; pair < frequencies.length; pair++) {
    marks.push(caption(palette, right, area.y + (pair + 0.5) * pitch + 4, spelled(pair)));
  }
  const bottom = area.y + frequencies.length * pitch;
  for (let position = 0; position < columns; position += 4)
    marks.push(
      caption(palette, area.x + (position + 0.5) * pitch, bottom + 14, String(position), "center"),
    );
  marks.push(caption(palette, area.x, bottom + 32, words.gallery.dialsRead));
  const frame = curveFrame(left, { ...area, y: bottom + 60 });
  const line = { name: words.gallery.left, values: left };
  const names = { x: words.shared.distance, y: "" };
  marks.push(...curveMarks([line], frame, palette, measure, names));
  const curve: Grid = {
    id: "left",
    label: words.gallery.left,
    x: frame.left,
    y: frame.top,
    cellWidth: frame.width / left.length,
    cellHeight: frame.height,
    rows: 1,
    columns: left.length,
    describe: (_, distance) => words.gallery.curvePoint(distance, [left[distance]!]),
  };
  const grid: Grid = {
    id: "own",
    label: words.gallery.kinds.rotation,
    x: area.x,
    y: area.y,
    cellWidth: pitch,
    cellHeight: pitch,
    rows: frequencies.length,
    columns,
    describe: (pair, position) =>
      words.gallery.dial(pair + 1, position, position * frequencies[pair]!, spelled(pair)),
  };
  return { marks, grids: [grid, curve], bottom: frame.top + frame.height + 40 };
}

export function rotationThumb(picture: RotationPicture, width: number, palette: Palette): Mark[] {
  // The first pairs only: slow ones would seem not to move.
  const frequencies = picture.frequencies.subarray(0, 4);
  const pitch = thumbHeight / frequencies.length;
  const columns = Math.floor(width / pitch);
  return dialMarks({ x: 0, y: 0, pitch, columns, frequencies }, palette);
}
