/** A dial for each pair: both hands, the angle between them, and what it adds to the score. */
import type { Palette } from "../../drawing/colour.js";
import { dialHand, dialRim, dialWedge, halfway, shorterWay } from "../../drawing/dial.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { periodText, plain } from "../../text/numbers.js";
import { caption, linesOf } from "../shared/pictures/captions.js";
import type { ClockAnswer } from "./messages.js";
import type { ClockWords } from "./words.js";

/** What is drawn: positions may lie between two tokens while the clock runs. */
export interface Shown {
  answer: ClockAnswer;
  query: number;
  key: number;
  pair: number;
}

/** Where the dials are: eight in a row, or four on a narrow screen. */
export interface DialField {
  columns: number;
  rows: number;
  top: number;
  /** Width and height of a dial with its texts. */
  pitch: number;
  rowHeight: number;
  radius: number;
}

interface Pens {
  words: ClockWords;
  palette: Palette;
  measure: Measure;
}

const isWideFrom = 760;
const largestRadius = 54;
/** Space above a dial for the ends of the chosen hands, and below for its three lines. */
const aboveDial = 12;
const belowDial = 70;
const lineHeight = 16;

export const degrees = (radians: number): number => (radians * 180) / Math.PI;

/** Numbers of one pair at the positions that are shown. */
export function pairNumbers({ answer, query, key }: Shown, pair: number) {
  const { frequencies, shares } = answer;
  const rate = frequencies[pair]!;
  const distance = Math.round(Math.abs(query - key));
  return {
    wavelength: (2 * Math.PI) / rate,
    between: Math.abs(degrees(halfway((query - key) * rate))),
    share: shares[distance * frequencies.length + pair]!,
  };
}

export function fieldFor(pairs: number, width: number, top: number): DialField {
  const columns = width >= isWideFrom ? 8 : 4;
  const pitch = width / columns;
  const radius = Math.min(largestRadius, pitch * 0.42);
  const rows = Math.ceil(pairs / columns);
  return { columns, rows, top, pitch, radius, rowHeight: aboveDial + 2 * radius + belowDial };
}

/** The centre of a pair's dial. */
export const centreOf = (field: DialField, pair: number) => ({
  x: ((pair % field.columns) + 0.5) * field.pitch,
  y: field.top + Math.floor(pair / field.columns) * field.rowHeight + aboveDial + field.radius,
});

/** The rim, the angle between the hands and the hands; those of the chosen pair can be grabbed. */
function dialMarks(field: DialField, shown: Shown, pair: number, palette: Palette): Mark[] {
  const { x, y } = centreOf(field, pair);
  const { radius: r } = field;
  const rate = shown.answer.frequencies[pair]!;
  const [query, key] = [shown.query * rate, shown.key * rate];
  const isChosen = pair === shown.pair;
  const width = isChosen ? 3.5 : 2.5;
  const wedge = dialWedge(x, y, r, ...shorterWay(query, key));
  const grip = (angle: number, stroke: string, fill: string): Mark => {
    const [endX, endY] = [x + r * Math.sin(angle), y - r * Math.cos(angle)];
    return { kind: "path", d: dialRim(endX, endY, 5.5), stroke, width: 2.5, fill };
  };
  return [
    {
      kind: "path",
      d: wedge,
      stroke: palette.position,
      width: 0,
      fill: palette.position,
      fillOpacity: 0.28,
    },
    { kind: "path", d: dialRim(x, y, r), stroke: palette.hair, width: 1 },
    { kind: "path", d: dialHand(x, y, query, r), stroke: palette.query, width },
    { kind: "path", d: dialHand(x, y, key, r), stroke: palette.key, width, dash: [width + 2, 3] },
    ...(isChosen
      ? [grip(query, palette.query, palette.query), grip(key, palette.key, palette.paper)]
      : []),
  ];
}

/** The number, the time of a turn, and what the pair adds: a bar from zero, opposite its number. */
function textMarks(field: DialField, shown: Shown, pair: number, pens: Pens): Mark[] {
  const { words, palette } = pens;
  const { x, y } = centreOf(field, pair);
  const { wavelength, share } = pairNumbers(shown, pair);
  const isChosen = pair === shown.pair;
  const below = y + field.radius;
  const name = {
    ...caption(palette, x, below + 18, words.pair(pair), "center"),
    fill: isChosen ? palette.position : palette.ink,
    weight: isChosen ? 600 : 400,
  };
  const rotation = caption(palette, x, below + 34, words.tokens(periodText(wavelength)), "center");
  const colour = share < 0 ? palette.minus : palette.plus;
  const long = Math.abs(share) * (field.pitch / 2 - 8);
  const middle = below + 48;
  const number =
    share < 0
      ? caption(palette, x + 5, middle + 4, plain(share))
      : caption(palette, x - 5, middle + 4, plain(share), "right");
  return [
    name,
    rotation,
    {
      kind: "rect",
      x: share < 0 ? x - long : x,
      y: middle - 5,
      width: long,
      height: 10,
      fill: colour,
    },
    { kind: "path", d: `M${x} ${middle - 8}v16`, stroke: palette.soft, width: 1 },
    { ...number, fill: colour },
  ];
}

/** Draws the dials, the fastest pair first, under a line that says what they show. */
export function dialsMarks(
  shown: Shown,
  width: number,
  pens: Pens,
): { marks: Mark[]; grid: Grid; field: DialField; bottom: number } {
  const { words, palette, measure } = pens;
  const { frequencies } = shown.answer;
  const lines = linesOf(words.dials, width, measure);
  const field = fieldFor(frequencies.length, width, lines.length * lineHeight + 8);
  const { columns, rows, pitch, rowHeight, top } = field;
  const chosen = centreOf(field, shown.pair);
  const frame: Mark = {
    kind: "rect",
    x: chosen.x - pitch / 2 + 1,
    y: chosen.y - field.radius - aboveDial + 1,
    width: pitch - 2,
    height: rowHeight - 8,
    stroke: palette.position,
    lineWidth: 1.5,
  };
  const marks = [
    ...lines.map((line, row) => caption(palette, 0, 12 + lineHeight * row, line)),
    frame,
    ...Array.from(frequencies, (_, pair) => [
      ...dialMarks(field, shown, pair, palette),
      ...textMarks(field, shown, pair, pens),
    ]).flat(),
  ];
  const grid: Grid = {
    id: "pairs",
    label: words.pairs,
    x: 0,
    y: top,
    cellWidth: pitch,
    cellHeight: rowHeight,
    rows,
    columns,
    describe: (row, column) => {
      const pair = row * columns + column;
      return words.row(pair, pairNumbers(shown, pair));
    },
  };
  return { marks, grid, field, bottom: top + rows * rowHeight };
}
