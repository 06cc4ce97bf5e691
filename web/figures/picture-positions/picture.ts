/**
 * The picture of "what of pictures?": the picture with the cell that looks, what position says of
 * every other cell, and where a trained head looks.
 */
import type { Draw } from "../../controls/scene-view.js";
import { askedPicture } from "../../defaults.js";
import { type Palette, signedColour, weightColour } from "../../drawing/colour.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { stripMarks } from "../../drawing/strip.js";
import type { GridAnswer } from "../../engine/both/picture-messages.js";
import { percent } from "../../text/numbers.js";
import { caption, heading, headingLines, linesOf } from "../shared/pictures/captions.js";
import { limitOf, signedLegend } from "../shared/pictures/signed-legend.js";
import type { GridWords } from "./words.js";

interface Place {
  x: number;
  y: number;
  width: number;
}

interface Block {
  marks: Mark[];
  grid: Grid;
  bottom: number;
}

const lineHeight = 18;
/** Frames are drawn around cells: half of the widest, beside those that stand at the edge. */
const edge = 2;

/** A square of cells under its title, of which one is framed. */
function square(
  { x, y, width }: Place,
  titleLines: number,
  side: number,
  colours: (string | undefined)[],
  framed: { row: number; column: number },
  palette: Palette,
): { marks: Mark[]; top: number; cell: number; bottom: number } {
  const top = y + titleLines * lineHeight + 6;
  const cell = width / side;
  const gap = cell > 16 ? 1 : 0;
  return {
    marks: [
      { kind: "cells", x, y: top, cell, gap, rows: side, columns: side, colours },
      {
        ...{ kind: "rect", x: x - 0.5, y: top - 0.5, width: width + 1, height: width + 1 },
        stroke: palette.hair,
      },
      {
        ...{ kind: "rect", x: x + framed.column * cell, y: top + framed.row * cell },
        ...{ width: cell - gap, height: cell - gap },
        ...{ stroke: palette.query, lineWidth: 2.5 },
      },
    ],
    top,
    cell,
    bottom: top + width,
  };
}

const titleMarks = (lines: readonly string[], { x, y }: Place, palette: Palette): Mark[] =>
  lines.map((line, index) => heading(palette, x, y + 13 + index * lineHeight, line));

export const drawGrid =
  (answer: GridAnswer | undefined, words: GridWords): Draw =>
  (width, palette, measure) => {
    const across = width >= 640 ? 3 : 2;
    const gap = width >= 640 ? 36 : 18;
    const room = width - 2 * edge - (across - 1) * gap;
    const size = Math.floor(Math.min(280, room / across) / 8) * 8;
    const titles = [
      words.picture,
      words.position[answer?.kind ?? "added"],
      words.weights((answer?.head ?? 0) + 1),
    ].map((title) => headingLines(title, size, measure));
    const rowTitles = across === 3 ? [0, 1, 2] : [0, 1];
    const lines = Math.max(...rowTitles.map((index) => titles[index]!.length));
    const first = { x: edge, y: 0, width: size };
    const second = { x: edge + size + gap, y: 0, width: size };
    const below = lines * lineHeight + 6 + size + 58;
    const third =
      across === 3 ? { x: edge + 2 * (size + gap), y: 0, width: size } : { ...first, y: below };
    const thirdLines = across === 3 ? lines : titles[2]!.length;
    const height = third.y + thirdLines * lineHeight + 6 + size + 58;
    if (!answer) return { width, height, marks: [], grids: [] };
    const blocks = [
      pictureBlock(answer, first, lines, words, palette, measure),
      positionBlock(answer, second, lines, words, palette, measure),
      weightsBlock(answer, third, thirdLines, words, palette, measure),
    ];
    const places = [first, second, third];
    return {
      width,
      height,
      marks: [
        ...titles.flatMap((title, index) => titleMarks(title, places[index]!, palette)),
        ...blocks.flatMap(({ marks }) => marks),
      ],
      grids: blocks.map(({ grid }) => grid),
    };
  };

/** What the model reads: ground, specks, the shape, and the cell that asks. */
function pictureBlock(
  { own, row, column }: GridAnswer,
  place: Place,
  lines: number,
  words: GridWords,
  palette: Palette,
  measure: Measure,
): Block {
  const cells = [...askedPicture.rows.join("")];
  const shades: Record<string, string> = { s: palette.soft, "#": palette.ink };
  const colours = cells.map((cell) => shades[cell]);
  const { marks, top, cell, bottom } = square(place, lines, own, colours, { row, column }, palette);
  const asks = cells.indexOf("?");
  const { x } = place;
  const mark = caption(
    palette,
    x + ((asks % own) + 0.5) * cell,
    top + (Math.floor(asks / own) + 0.5) * cell + 5,
    "?",
    "center",
  );
  const grid: Grid = {
    id: "picture",
    label: words.picture,
    ...{ x, y: top, cellWidth: cell, cellHeight: cell, rows: own, columns: own },
    describe: (at, to) => words.pictureCell(at + 1, to + 1),
  };
  const note = linesOf(words.pictureNote, place.width, measure).map((line, index) =>
    caption(palette, x, bottom + 18 + 16 * index, line),
  );
  return { marks: [...marks, { ...mark, size: 14, fill: palette.ink }, ...note], grid, bottom };
}

/** What position says of every cell. */
function positionBlock(
  { position, side, at }: GridAnswer,
  place: Place,
  lines: number,
  words: GridWords,
  palette: Palette,
  measure: Measure,
): Block {
  const limit = limitOf(position);
  const colours = Array.from(position, (value) => signedColour(palette, value, limit));
  const { marks, top, cell, bottom } = square(place, lines, side, colours, at, palette);
  const legend = signedLegend("", limit, { ...place, y: bottom + 8 }, palette, measure);
  const grid: Grid = {
    id: "position",
    label: words.name,
    ...{ x: place.x, y: top, cellWidth: cell, cellHeight: cell, rows: side, columns: side },
    describe: (row, column) =>
      words.positionCell(row + 1, column + 1, position[row * side + column]!),
  };
  return { marks: [...marks, ...legend.marks], grid, bottom: legend.bottom };
}

/** Where the trained head looks. */
function weightsBlock(
  { weights, own, row, column, head }: GridAnswer,
  place: Place,
  lines: number,
  words: GridWords,
  palette: Palette,
  measure: Measure,
): Block {
  const limit = Math.max(...weights);
  const colours = Array.from(weights, (value) => weightColour(palette, value, limit));
  const { marks, top, cell, bottom } = square(place, lines, own, colours, { row, column }, palette);
  const { x } = place;
  const left = x + measure("0", 12) + 8;
  const strip = { x: left, y: bottom + 10, width: 96, height: 10, parts: 48 };
  const scale: Mark[] = [
    caption(palette, x, bottom + 19, "0"),
    ...stripMarks(strip, (share) => weightColour(palette, share, 1), palette),
    caption(palette, left + 104, bottom + 19, percent(limit)),
  ];
  const grid: Grid = {
    id: "weights",
    label: words.weights(head + 1),
    ...{ x, y: top, cellWidth: cell, cellHeight: cell, rows: own, columns: own },
    describe: (at, to) => words.weightCell(at + 1, to + 1, weights[at * own + to]!),
  };
  return { marks: [...marks, ...scale], grid, bottom };
}
