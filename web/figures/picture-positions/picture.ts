/**
 * The picture of "what of pictures?": the picture with the query's cell, the effect of position on
 * every other cell, and a trained head's attention.
 */
import type { Draw } from "../../controls/scene-view.js";
import { askedPicture } from "../../defaults.js";
import { mix, type Palette, signedColour, weightColour } from "../../drawing/colour.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { stripMarks } from "../../drawing/strip.js";
import { percent } from "../../text/numbers.js";
import { caption, heading, headingLines, linesOf } from "../shared/pictures/captions.js";
import { limitOf, signedLegend } from "../shared/pictures/signed-legend.js";
import type { GridAnswer } from "./messages.js";
import { borderMarks, hatchMarks, type Square, tableBlock } from "./windows.js";
import type { GridWords } from "./words.js";

interface Area {
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
/** Half the width of the widest frame, as a margin for cells at the edge. */
const edge = 2;

/**
 * Draws a square of cells under its title, with one cell framed; `over` is drawn under the frame.
 */
function square(
  { x, y, width }: Area,
  titleLines: number,
  side: number,
  colours: (string | undefined)[],
  framed: { row: number; column: number },
  palette: Palette,
  over: (square: Square) => Mark[] = () => [],
): { marks: Mark[]; top: number; cell: number; bottom: number } {
  const top = y + titleLines * lineHeight + 6;
  const cell = width / side;
  const gap = cell > 16 ? 1 : 0;
  return {
    marks: [
      { kind: "cells", x, y: top, cell, gap, rows: side, columns: side, colours },
      {
        kind: "rect",
        x: x - 0.5,
        y: top - 0.5,
        width: width + 1,
        height: width + 1,
        stroke: palette.hair,
      },
      ...over({ x, top, cell, side }),
      {
        kind: "rect",
        x: x + framed.column * cell,
        y: top + framed.row * cell,
        width: cell - gap,
        height: cell - gap,
        stroke: palette.query,
        lineWidth: 2.5,
      },
    ],
    top,
    cell,
    bottom: top + width,
  };
}

const titleMarks = (lines: readonly string[], { x, y }: Area, palette: Palette): Mark[] =>
  lines.map((line, index) => heading(palette, x, y + 13 + index * lineHeight, line));

/** Places squares in one row if there is space, else two per row. */
function layoutOf(width: number, count: number) {
  const across = width >= 640 ? count : 2;
  const gap = width >= 640 ? 36 : 18;
  const room = width - 2 * edge - (across - 1) * gap;
  const size = Math.floor(Math.min(280, room / across) / 8) * 8;
  return { across, gap, size };
}

export const drawGrid =
  (answer: GridAnswer | undefined, words: GridWords): Draw =>
  (width, palette, measure) => {
    const windowed = answer?.windowed;
    const texts = [
      words.picture,
      words.position[answer?.kind ?? "added"],
      words.weights((answer?.head ?? 0) + 1),
      ...(windowed ? [words.table] : []),
    ];
    const { across, gap, size } = layoutOf(width, texts.length);
    const titles = texts.map((title) => headingLines(title, size, measure));
    const rows = Array.from({ length: Math.ceil(titles.length / across) }, (_, row) =>
      Math.max(...titles.slice(row * across, (row + 1) * across).map(({ length }) => length)),
    );
    let bottom = 0;
    const tops = rows.map((lines) => {
      const top = bottom;
      bottom += lines * lineHeight + 6 + size + 58;
      return top;
    });
    if (!answer) return { width, height: bottom, marks: [], grids: [] };
    const areas = titles.map((_, at): Area => {
      const [row, column] = [Math.floor(at / across), at % across];
      return { x: edge + column * (size + gap), y: tops[row]!, width: size };
    });
    const linesAt = (at: number) => rows[Math.floor(at / across)]!;
    const blocks: Pick<Block, "marks" | "grid">[] = [
      pictureBlock(answer, areas[0]!, linesAt(0), words, palette, measure),
      positionBlock(answer, areas[1]!, linesAt(1), words, palette, measure),
      weightsBlock(answer, areas[2]!, linesAt(2), words, palette, measure),
    ];
    if (windowed) {
      const top = areas[3]!.y + linesAt(3) * lineHeight + 6;
      const area = { ...areas[3]!, top };
      blocks.push(tableBlock({ ...answer, windowed }, area, words, palette, measure));
    }
    return {
      width,
      height: bottom,
      marks: [
        ...titles.flatMap((title, index) => titleMarks(title, areas[index]!, palette)),
        ...blocks.flatMap(({ marks }) => marks),
      ],
      grids: blocks.map(({ grid }) => grid),
    };
  };

/** Returns windows over a square, if the scheme has them, and hatching over hidden cells. */
const windowMarks =
  ({ windowed }: GridAnswer, values: ArrayLike<number>, palette: Palette) =>
  (square: Square): Mark[] =>
    windowed
      ? [...hatchMarks(square, values, palette), ...borderMarks(square, windowed, palette)]
      : [];

const numbersOnly = (values: Float32Array): Float32Array =>
  values.filter((value) => !Number.isNaN(value));

/** Draws the model's input: ground, specks, the shape, and the query's cell. */
function pictureBlock(
  answer: GridAnswer,
  area: Area,
  lines: number,
  words: GridWords,
  palette: Palette,
  measure: Measure,
): Block {
  const { pictureSide, row, column } = answer;
  const cells = [...askedPicture.rows.join("")];
  const cat = mix(palette.paper, palette.plus, 0.75);
  const shades: Record<string, string> = { s: cat, t: palette.ink, "#": palette.ink };
  const colours = cells.map((cell) => shades[cell]);
  const framed = { row, column };
  const over = windowMarks(answer, [], palette);
  const { marks, top, cell, bottom } = square(
    area,
    lines,
    pictureSide,
    colours,
    framed,
    palette,
    over,
  );
  const asks = cells.indexOf("?");
  const { x } = area;
  const mark = caption(
    palette,
    x + ((asks % pictureSide) + 0.5) * cell,
    top + (Math.floor(asks / pictureSide) + 0.5) * cell + 5,
    "?",
    "center",
  );
  const grid: Grid = {
    id: "picture",
    label: words.picture,
    x,
    y: top,
    cellWidth: cell,
    cellHeight: cell,
    rows: pictureSide,
    columns: pictureSide,
    describe: (at, to) => words.pictureCell(at + 1, to + 1),
  };
  const note = linesOf(words.pictureNote, area.width, measure).map((line, index) =>
    caption(palette, x, bottom + 18 + 16 * index, line),
  );
  return { marks: [...marks, { ...mark, size: 14, fill: palette.ink }, ...note], grid, bottom };
}

/** Draws the effect of position on every cell. */
function positionBlock(
  answer: GridAnswer,
  area: Area,
  lines: number,
  words: GridWords,
  palette: Palette,
  measure: Measure,
): Block {
  const { position, side, at } = answer;
  const limit = limitOf(numbersOnly(position));
  const colours = Array.from(position, (value) =>
    Number.isNaN(value) ? undefined : signedColour(palette, value, limit),
  );
  const over = windowMarks(answer, position, palette);
  const { marks, top, cell, bottom } = square(area, lines, side, colours, at, palette, over);
  const legend = signedLegend("", limit, { ...area, y: bottom + 8 }, palette, measure);
  const grid: Grid = {
    id: "position",
    label: words.name,
    x: area.x,
    y: top,
    cellWidth: cell,
    cellHeight: cell,
    rows: side,
    columns: side,
    describe: (row, column) =>
      words.positionCell(row + 1, column + 1, position[row * side + column]!),
  };
  return { marks: [...marks, ...legend.marks], grid, bottom: legend.bottom };
}

/** Draws the trained head's attention. */
function weightsBlock(
  answer: GridAnswer,
  area: Area,
  lines: number,
  words: GridWords,
  palette: Palette,
  measure: Measure,
): Block {
  const { weights, pictureSide, row, column, head } = answer;
  const limit = Math.max(...numbersOnly(weights));
  const colours = Array.from(weights, (value) =>
    Number.isNaN(value) ? undefined : weightColour(palette, value, limit),
  );
  const framed = { row, column };
  const over = windowMarks(answer, weights, palette);
  const { marks, top, cell, bottom } = square(
    area,
    lines,
    pictureSide,
    colours,
    framed,
    palette,
    over,
  );
  const { x } = area;
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
    x,
    y: top,
    cellWidth: cell,
    cellHeight: cell,
    rows: pictureSide,
    columns: pictureSide,
    describe: (at, to) => words.weightCell(at + 1, to + 1, weights[at * pictureSide + to]!),
  };
  return { marks: [...marks, ...scale], grid, bottom };
}
