/**
 * The picture of the clock: its face, beside or below it what each pair adds to the score, and
 * under both the sum at every distance.
 */
import type { Draw } from "../../controls/scene-view.js";
import { rule } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { halfway } from "../../drawing/dial.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { periodText, plain } from "../../text/numbers.js";
import { caption, heading, linesOf } from "../shared/pictures/captions.js";
import { type Face, faceFor, faceMargin, faceMarks, isWideFrom, type Shown } from "./face.js";
import type { ClockWords } from "./words.js";

const rowPitch = 19;
/** Height of the columns' names above the first row. */
const above = 44;

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

interface Area {
  x: number;
  y: number;
  width: number;
}

/** Columns of a row: the pair, the time of its turn, the bar around zero, and the number. */
function columnsOf({ x, width }: Area) {
  const number = x + 26;
  const wave = x + 92;
  const [left, right] = [wave + 14, x + width - 48];
  return { number, wave, zero: (left + right) / 2, half: (right - left) / 2, end: x + width };
}

function rowMarks(area: Area, shown: Shown, pair: number, palette: Palette): Mark[] {
  const { number, wave, zero, half, end } = columnsOf(area);
  const { wavelength, share } = pairNumbers(shown, pair);
  const middle = area.y + above + (pair + 0.5) * rowPitch;
  const isChosen = pair === shown.pair;
  const fill = isChosen ? palette.ink : palette.soft;
  const band: Mark = {
    kind: "rect",
    x: area.x,
    y: middle - rowPitch / 2,
    width: area.width,
    height: rowPitch,
    stroke: palette.position,
    lineWidth: 1.5,
  };
  const text = { fill, weight: isChosen ? 600 : 400 };
  return [
    ...(isChosen ? [band] : []),
    { ...caption(palette, number, middle + 4, String(pair + 1), "right"), ...text },
    { ...caption(palette, wave, middle + 4, periodText(wavelength), "right"), ...text },
    {
      kind: "rect",
      x: Math.min(zero, zero + share * half),
      y: middle - 5,
      width: Math.abs(share) * half,
      height: 10,
      fill: share < 0 ? palette.minus : palette.plus,
    },
    { ...caption(palette, end - 4, middle + 4, plain(share), "right"), ...text },
  ];
}

/** A row for each pair, the fastest first, and their sum. */
function rowsMarks(
  area: Area,
  shown: Shown,
  words: ClockWords,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; grid: Grid; bottom: number } {
  const { number, wave, zero, end } = columnsOf(area);
  const { frequencies, scores } = shown.answer;
  const distance = Math.round(Math.abs(shown.query - shown.key));
  const pairs = Array.from(frequencies, (_, pair) => pair);
  const first = area.y + above;
  const bottom = first + pairs.length * rowPitch;
  const name = (text: string, x: number, room: number, align: "left" | "right", fill: string) => {
    const lines = linesOf(text, room, measure, 13);
    return lines.map((line, row): Mark => {
      const y = first - 8 - 16 * (lines.length - 1 - row);
      return { ...caption(palette, x, y, line, align), fill };
    });
  };
  const { soft, minus, plus } = palette;
  const marks: Mark[] = [
    ...name(words.pairColumn, number, 40, "right", soft),
    ...name(words.rotations, wave, 60, "right", soft),
    ...name(words.takes, zero - 8, zero - wave - 16, "right", minus),
    ...name(words.adds, zero + 8, end - zero - 8, "left", plus),
    rule(zero, first, zero, bottom, palette.hair),
    ...pairs.flatMap((pair) => rowMarks(area, shown, pair, palette)),
    rule(area.x, bottom + 3, end, bottom + 3, palette.soft),
    {
      ...heading(palette, end - 4, bottom + 24, words.sum(scores[distance]!, pairs.length)),
      align: "right",
    },
  ];
  const grid: Grid = {
    id: "pairs",
    label: words.pairs,
    x: area.x,
    y: first,
    cellWidth: area.width,
    cellHeight: rowPitch,
    rows: pairs.length,
    columns: 1,
    describe: (pair) => words.row(pair, pairNumbers(shown, pair)),
  };
  return { marks, grid, bottom: bottom + 34 };
}

function rowsArea(face: Face, width: number): Area {
  if (width < isWideFrom) return { x: 0, y: 2 * (faceMargin + face.radius) + 14, width };
  const x = 2 * (faceMargin + face.radius) + 56;
  return { x, y: faceMargin - 10, width: Math.min(440, width - x) };
}

export function drawClock(shown: Shown | undefined, words: ClockWords): Draw {
  return (width, palette, measure) => {
    const face = faceFor(width);
    const low = 2 * (faceMargin + face.radius) + 6;
    if (!shown) return { width, height: low, marks: [], grids: [] };
    const rows = rowsMarks(rowsArea(face, width), shown, words, palette, measure);
    return {
      width,
      height: Math.max(low, rows.bottom),
      marks: [...faceMarks(face, shown, words, palette, measure), ...rows.marks],
      grids: [rows.grid],
    };
  };
}
