/**
 * The pictures of "what is added to the word?": one row as clock hands beside products of rows by
 * distance, and all rows as a map, one channel of them as a wave.
 */
import type { Draw } from "../../controls/scene-view.js";
import { addedView } from "../../defaults.js";
import { axisMarks, type Frame, heightOf, roundUp, rule } from "../../drawing/axes.js";
import { type Palette, signedColours } from "../../drawing/colour.js";
import { type Line, lineKey, lineStyles, pathOf } from "../../drawing/curve.js";
import { keyMarks } from "../../drawing/key.js";
import type { Cell, Grid, Mark, Measure, Over } from "../../drawing/scene.js";
import { caption, heading, headingLines, linesOf } from "../shared/pictures/captions.js";
import { limitOf, signedLegend } from "../shared/pictures/signed-legend.js";
import type { AddedAnswer, ProjectedAnswer } from "./messages.js";
import { clockMarks, numbersRoom } from "./one-clock.js";
import { spreadOf, withoutMeans } from "./spread.js";
import type { AddedWords } from "./words.js";

export interface Sight {
  answer: AddedAnswer;
  projected: ProjectedAnswer | undefined;
  /** Text in place of the second chart while it loads. */
  waiting: string;
}

interface Area {
  x: number;
  y: number;
  width: number;
}

interface Block {
  marks: Mark[];
  grids: Grid[];
  bottom: number;
  over?: (active: Cell) => Over;
}

/** Colours, fonts and texts for all parts of the picture. */
interface Pens {
  words: AddedWords;
  /** Name of the axis of distances. */
  distance: string;
  palette: Palette;
  measure: Measure;
}

const { positions: max, queries, distances } = addedView;
const labelWidth = 26;
const waveHeight = 96;
/** Hands with a name beside the clock, and the height of a name. */
const named = 8;
const namePitch = 20;
const productHeight = 132;
const largestRadius = 156;
/** Columns of names below the clock, and the width of the clock with its names. */
const namesAcross = 2;
const handsWidth = 400;

/** Returns the lines of a title, and the top of the part below it. */
function titled(area: Area, text: string, { palette, measure }: Pens) {
  const lines = headingLines(text, area.width, measure);
  const marks = lines.map(
    (line, row): Mark => heading(palette, area.x, area.y + 14 + 18 * row, line),
  );
  return { marks, top: area.y + 18 * lines.length + 8 };
}

/** Returns the 99th percentile as the end of the scale, because few learned numbers are large. */
function scaleOf({ values, frequencies }: AddedAnswer): number {
  if (frequencies) return limitOf(values);
  const sizes = values.map(Math.abs).sort();
  return roundUp(sizes[Math.floor(0.99 * (sizes.length - 1))]!);
}

/** Returns the tokens for one full rotation of a channel's pair. */
export const rotationOf = ({ frequencies }: AddedAnswer, channel: number): number =>
  (2 * Math.PI) / (frequencies?.[Math.floor(channel / 2)] ?? Number.NaN);

/** Cells of a map, kept while other parts of the picture are drawn again. */
interface Coloured {
  palette: Palette;
  colours: string[];
  limit: number;
}
const known = new WeakMap<AddedAnswer, Coloured>();

/** Returns the colours of all cells, channel by channel, and the end of their scale. */
function coloured(answer: AddedAnswer, palette: Palette): Coloured {
  const found = known.get(answer);
  if (found?.palette === palette) return found;
  const { positions, channels, values } = answer;
  const limit = scaleOf(answer);
  const colourOf = signedColours(palette, limit);
  const colours: string[] = [];
  for (let channel = 0; channel < channels; channel++)
    for (let at = channel; at < channels * positions; at += channels)
      colours.push(colourOf(values[at]!));
  const made = { palette, colours, limit };
  known.set(answer, made);
  return made;
}

/** Returns the cells of the map, hatched at positions without a row. */
function mapMarks({ answer }: Sight, at: Area & { cell: number }, { palette }: Pens): Mark[] {
  const { positions, channels } = answer;
  const { x, y, cell } = at;
  const { colours } = coloured(answer, palette);
  const height = channels * cell;
  const size = { rows: channels, columns: positions };
  const marks: Mark[] = [{ kind: "cells", x, y, cell, gap: 0, ...size, colours }];
  if (positions < max) {
    const after = { x: x + positions * cell, width: (max - positions) * cell };
    marks.push({ kind: "rect", y, height, hatch: palette.hair, isCrossed: true, ...after });
  }
  const edge = { x: x - 0.5, y: y - 0.5, width: max * cell + 1, height: height + 1 };
  return [...marks, { kind: "rect", ...edge, stroke: palette.hair }];
}

/** Draws the map with its marks, and the marked channel as a wave below it. */
function rowsBlock(sight: Sight, area: Area, pens: Pens): Block {
  const { words, palette, measure } = pens;
  const { answer } = sight;
  const { positions, channels, values } = answer;
  const { marks, top } = titled(area, words.rows, pens);
  const x = area.x + labelWidth;
  const cell = Math.max(1, Math.min(3, Math.floor((area.width - labelWidth - 2) / max)));
  marks.push(...mapMarks(sight, { x, y: top, width: area.width, cell }, pens));
  marks.push(
    caption(palette, x - 6, top + 9, "0", "right"),
    caption(palette, x - 6, top + channels * cell, String(channels - 1), "right"),
  );
  const under = { x, y: top + channels * cell + 8, width: max * cell };
  const beyond = answer.frequencies ? "" : words.beyondScale;
  const legend = signedLegend(beyond, coloured(answer, palette).limit, under, palette, measure);
  const frame: Frame = {
    left: x,
    top: legend.bottom + 40,
    width: max * cell,
    height: waveHeight,
    maxX: max,
    maxY: 1,
  };
  const grid: Grid = {
    id: "rows",
    label: words.rows,
    x,
    y: top,
    cellWidth: cell,
    cellHeight: cell,
    rows: channels,
    columns: max,
    describe: (channel, position) =>
      position < positions
        ? words.cell(position, channel, values[position * channels + channel]!)
        : words.beyond(position),
  };
  const over = (active: Cell) => ({
    marks: [
      ...markedLines(active, { x, y: top, cell, channels }, palette),
      ...waveMarks(sight, active, frame, pens),
    ],
  });
  const bottom = frame.top + waveHeight + 40;
  return { marks: [...marks, ...legend.marks], grids: [grid], over, bottom };
}

/** Returns the frames around the marked position's column and the channel's row. */
function markedLines(
  { row, column }: Cell,
  { x, y, cell, channels }: { x: number; y: number; cell: number; channels: number },
  palette: Palette,
): Mark[] {
  const size = Math.max(cell, 2) + 2;
  const stroke = { stroke: palette.ink, lineWidth: 1 };
  return [
    {
      kind: "rect",
      x: x + column * cell - 1.5,
      y: y - 1.5,
      width: size + 1,
      height: channels * cell + 3,
      ...stroke,
    },
    {
      kind: "rect",
      x: x - 1.5,
      y: y + row * cell - 1.5,
      width: max * cell + 3,
      height: size + 1,
      ...stroke,
    },
  ];
}

/** Draws one channel by position, up to the last row. */
function waveMarks(
  { answer }: Sight,
  { row: channel, column }: Cell,
  area: Frame,
  { words, palette }: Pens,
): Mark[] {
  const { positions, channels, values } = answer;
  const value = column < positions ? values[column * channels + channel]! : undefined;
  const said = answer.frequencies
    ? words.wave(channel, rotationOf(answer, channel), column, value)
    : words.waveOfTable(channel, column, value);
  const wave = Float32Array.from(
    { length: positions },
    (_, position) => values[position * channels + channel]!,
  );
  const limit = answer.frequencies ? 1 : limitOf(wave);
  const frame = { ...area, maxY: limit, minY: -limit };
  const x = frame.left + (column / max) * frame.width;
  const columns = [0, 32, 64, 96, 128].map((at) => ({ at, text: String(at) }));
  const marks: Mark[] = [
    ...axisMarks(frame, palette, { x: words.axis, y: "", gap: 6, columns }),
    heading(palette, frame.left - labelWidth, frame.top - 16, said),
    {
      kind: "path",
      d: pathOf({ name: "", values: wave }, frame),
      stroke: palette.position,
      width: 1.6,
    },
    rule(x, frame.top, x, frame.top + frame.height, palette.ink, 1),
  ];
  if (column < positions) {
    const y = heightOf(frame, wave[column]!);
    marks.push({ kind: "rect", x: x - 3.5, y: y - 3.5, width: 7, height: 7, fill: palette.ink });
  }
  if (positions < max) {
    const left = frame.left + (positions / max) * frame.width;
    const width = frame.left + frame.width - left;
    marks.push({
      kind: "rect",
      x: left,
      y: frame.top,
      width,
      height: frame.height,
      hatch: palette.hair,
      isCrossed: true,
    });
  }
  return marks;
}

/** Returns the pairs whose hands have names, from the fastest to the slowest. */
export const shownPairs = (pairs: number): number[] =>
  Array.from({ length: named }, (_, at) => Math.round((at * (pairs - 1)) / (named - 1)));

const keyPitch = 16;

/** Draws the marked row as the hands of a clock, and below it how fast some of them turn. */
function handsBlock({ answer }: Sight, area: Area, pens: Pens): Block {
  const { words, palette, measure } = pens;
  const { frequencies } = answer;
  const width = Math.min(area.width, handsWidth);
  const keys = words.handsKey.flatMap((line) => linesOf(line, area.width, measure));
  const top = area.y + 32 + (frequencies ? keyPitch * keys.length + 14 : 0);
  const radius = Math.min(largestRadius, (area.width - 8) / 2);
  const rows = named / namesAcross;
  const bottom = top + 2 * radius + 26 + rows * namePitch;
  if (!frequencies) {
    const lines = linesOf(words.noHands, width, measure, 13);
    const marks = lines.map((line, row) => caption(palette, area.x, top + 12 + 18 * row, line));
    return { marks, grids: [], bottom };
  }
  const pairs = shownPairs(frequencies.length);
  const face = { x: area.x + width / 2, y: top + radius, radius: radius - numbersRoom };
  const firstName = top + 2 * radius + 18;
  const nameWidth = width / namesAcross;
  const wavelength = (at: number) => (2 * Math.PI) / frequencies[pairs[at]!]!;
  const said = keys.map((line, row) =>
    caption(palette, area.x, area.y + 32 + keyPitch * row, line),
  );
  const labels = pairs.flatMap((pair, at): Mark[] => {
    const x = area.x + Math.floor(at / rows) * nameWidth + 20;
    const y = firstName + ((at % rows) + 0.7) * namePitch;
    const number = caption(palette, x, y, String(pair + 1), "right");
    return [
      { ...number, fill: palette.position, weight: 600 },
      caption(palette, x + 10, y, words.hand(wavelength(at))),
    ];
  });
  const over = ({ column }: Cell) => {
    const grid: Grid = {
      id: "hands",
      label: words.hands(column),
      x: area.x,
      y: firstName,
      cellWidth: nameWidth,
      cellHeight: namePitch,
      rows,
      columns: namesAcross,
      describe: (row, side) => {
        const at = side * rows + row;
        const degrees = (((column * frequencies[pairs[at]!]!) / (2 * Math.PI)) % 1) * 360;
        return words.handCell(pairs[at]! + 1, degrees, wavelength(at));
      },
    };
    const title = heading(palette, area.x, area.y + 14, words.hands(column));
    return {
      marks: [title, ...clockMarks(face, frequencies, pairs, column, words.still, palette)],
      grids: [grid],
    };
  };
  return { marks: [...said, ...labels], grids: [], over, bottom };
}

/** Draws products by distance, one curve per query. */
function productsBlock(
  id: string,
  said: string,
  products: Float32Array | undefined,
  waiting: string,
  area: Area,
  pens: Pens,
): Block {
  const { words, palette, measure } = pens;
  const { marks, top } = titled(area, said, pens);
  const lines: Line[] = queries.map((query, index) => ({
    name: words.query(query),
    values: products?.subarray(index * distances, (index + 1) * distances) ?? [],
  }));
  const low = products ? Math.min(0, ...products) : 0;
  const high = products ? Math.max(0, ...products) : 1;
  // Lines that lie over each other look like one, and are named as such.
  const isOneCurve = products !== undefined && spreadOf(products).share < 1e-3;
  const entries = lineKey(
    isOneCurve ? [words.oneCurve(queries.length)] : lines.map(({ name }) => name),
    palette,
  );
  const key = keyMarks(entries, { left: area.x, top, width: area.width }, palette, measure);
  const frame: Frame = {
    left: area.x + 40,
    top: key.baseline + 22,
    width: area.width - 48,
    height: productHeight,
    maxX: distances - 1,
    maxY: roundUp(high || 1e-9),
    minY: low < 0 ? -roundUp(-low) : 0,
  };
  const bottom = frame.top + productHeight + 44;
  const { left, width } = frame;
  marks.push(...key.marks);
  if (!products) {
    const edge = { x: left, y: frame.top, width, height: productHeight, stroke: palette.hair };
    marks.push({ kind: "rect", ...edge }, caption(palette, left + 12, frame.top + 26, waiting));
    return { marks, grids: [], bottom };
  }
  const columns = [0, 16, 32, 48].map((at) => ({ at, text: String(at) }));
  marks.push(...axisMarks(frame, palette, { x: pens.distance, y: "", columns }));
  lines.forEach((line, index) => {
    const { dash, width: thick } = lineStyles[isOneCurve ? 0 : index]!;
    marks.push({ kind: "path", d: pathOf(line, frame), stroke: palette.ink, width: thick, dash });
  });
  const grid: Grid = {
    id,
    label: said,
    x: left,
    y: frame.top,
    cellWidth: width / distances,
    cellHeight: productHeight,
    rows: 1,
    columns: distances,
    describe: (_, distance) =>
      words.point(
        distance,
        lines.map(({ values }) => values[distance]!),
      ),
  };
  return { marks, grids: [grid], bottom };
}

/** Height reserved while there are no numbers, about that of the picture. */
const heights = { wide: 510, narrow: 800 };

/** Puts blocks together; what depends on the marked cell is drawn over them. */
function pictureOf(width: number, blocks: readonly Block[]): ReturnType<Draw> {
  return {
    width,
    height: Math.max(...blocks.map(({ bottom }) => bottom)),
    marks: blocks.flatMap(({ marks }) => marks),
    grids: blocks.flatMap(({ grids }) => grids),
    over: (active) => {
      const over = active ? blocks.flatMap((block) => block.over?.(active) ?? []) : [];
      return {
        marks: over.flatMap(({ marks }) => marks),
        grids: over.flatMap(({ grids = [] }) => grids),
      };
    },
  };
}

/** Draws the hands beside the products, or above them on a narrow screen. */
export function drawAdded(sight: Sight | undefined, words: AddedWords, distance: string): Draw {
  return (width, palette, measure) => {
    const isWide = width >= 760;
    const height = isWide ? heights.wide : heights.narrow;
    if (!sight) return { width, height, marks: [], grids: [] };
    const pens: Pens = { words, distance, palette, measure };
    const { answer, projected, waiting } = sight;
    const side = isWide ? width * 0.42 : width;
    const hands = handsBlock(sight, { x: 0, y: 0, width: side }, pens);
    const first = isWide
      ? { x: side + 24, y: 0, width: width - side - 24 }
      : { x: 0, y: hands.bottom + 14, width };
    const before = productsBlock("before", words.before, answer.products, "", first, pens);
    const said = words.after((projected?.head ?? addedView.head) + 1);
    const left = projected && withoutMeans(projected.products);
    const second = { ...first, y: before.bottom + 14 };
    const after = productsBlock("after", said, left, waiting, second, pens);
    return pictureOf(width, [hands, before, after]);
  };
}

/** Draws all rows as a map, and one channel as a wave. */
export const drawRows =
  (sight: Sight, words: AddedWords): Draw =>
  (width, palette, measure) => {
    const pens: Pens = { words, distance: "", palette, measure };
    const area = { x: 0, y: 0, width: Math.min(max * 3 + labelWidth + 2, width) };
    return pictureOf(width, [rowsBlock(sight, area, pens)]);
  };
