/**
 * The picture of "two hands in every pair": a dial and a bar for each pair, and the sum over pairs
 * against distance.
 */
import type { Draw } from "../../controls/scene-view.js";
import { type Frame, rule } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { curveMarks } from "../../drawing/curve.js";
import { dialRim as circle, dialHand as hand } from "../../drawing/dial.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import type { TurningAnswer } from "../../engine/both/rotation-messages.js";
import { plain } from "../../text/numbers.js";
import { caption, heading, linesOf } from "../shared/pictures/captions.js";
import type { TurningWords } from "./words.js";

const row = 46;
const radius = 19;
const head = 34;
const chartHeight = 260;

/** Radians between the two hands of a pair, within half a turn. */
const between = ({ query, key, frequencies }: TurningAnswer, pair: number): number => {
  const angle = Math.abs((query - key) * frequencies[pair]!) % (2 * Math.PI);
  return Math.min(angle, 2 * Math.PI - angle);
};

const degrees = (radians: number): number => (radians * 180) / Math.PI;

/** The hands of query and key in one pair. */
function dial(
  { query, key, frequencies }: TurningAnswer,
  pair: number,
  x: number,
  y: number,
  palette: Palette,
): Mark[] {
  const at = (position: number, length: number) =>
    hand(x, y, position * frequencies[pair]!, length);
  return [
    { kind: "path", d: circle(x, y, radius), stroke: palette.hair, width: 1 },
    { kind: "path", d: at(query, radius), stroke: palette.query, width: 3 },
    // In grey print, too, the key's hand is told from the query's.
    { kind: "path", d: at(key, radius * 0.78), stroke: palette.key, width: 3, dash: [4, 2] },
  ];
}

/** What a pair adds, to the left or the right of nothing. */
function bar(
  share: number,
  { middle, half, y }: { middle: number; half: number; y: number },
  palette: Palette,
): Mark[] {
  return [
    rule(middle, y - 11, middle, y + 11, palette.soft),
    {
      kind: "rect",
      x: Math.min(middle, middle + share * half),
      y: y - 7,
      width: Math.abs(share) * half,
      height: 14,
      fill: share < 0 ? palette.minus : palette.plus,
    },
  ];
}

/** The dials of all pairs, one under the other: hands, how fast they turn, and what they add. */
function dialColumn(
  shown: TurningAnswer,
  { x, y, width }: { x: number; y: number; width: number },
  words: TurningWords,
  palette: Palette,
): { marks: Mark[]; grid: Grid; bottom: number } {
  const { frequencies, pairs, score } = shown;
  const barLeft = x + 56 + (width > 380 ? 166 : 0);
  const half = Math.min(80, (x + width - barLeft - 44) / 2);
  const middle = barLeft + half;
  const marks: Mark[] = [
    caption(palette, x, y + 12, words.hands),
    caption(palette, x + width, y + 12, words.shares, "right"),
  ];
  pairs.forEach((share, pair) => {
    const centreY = y + head + (pair + 0.5) * row;
    marks.push(...dial(shown, pair, x + radius + 2, centreY, palette));
    const turn = (2 * Math.PI) / frequencies[pair]!;
    if (width > 380) marks.push(caption(palette, x + 54, centreY + 4, words.turn(turn)));
    marks.push(...bar(share, { middle, half, y: centreY }, palette), {
      ...caption(palette, x + width, centreY + 4, plain(share), "right"),
      fill: palette.ink,
    });
  });
  const bottom = y + head + pairs.length * row;
  marks.push(rule(barLeft, bottom + 2, x + width, bottom + 2, palette.soft), {
    ...heading(palette, x + width, bottom + 24, words.sum(score, pairs.length)),
    align: "right",
  });
  const grid: Grid = {
    id: "pairs",
    label: words.name,
    x,
    y: y + head,
    cellWidth: width,
    cellHeight: row,
    rows: pairs.length,
    columns: 1,
    describe: (pair) => words.cell(pair, degrees(between(shown, pair)), pairs[pair]!),
  };
  return { marks, grid, bottom: bottom + 30 };
}

/** The sum over pairs at every distance, with the bound beside it. */
function chart(
  shown: TurningAnswer,
  { x, y, width }: { x: number; y: number; width: number },
  words: TurningWords,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; grid: Grid; bottom: number } {
  const { scores, bounds, fading, query, key } = shown;
  const relative = scores.map((score) => score / scores[0]!);
  const bound = bounds.map((most) => most / scores[0]!);
  const faded = fading.map((score) => score / scores[0]!);
  const lines = linesOf(words.curve, width, measure);
  const frame: Frame = {
    left: x + 38,
    top: y + 20 + lines.length * 16 + 26,
    width: width - 46,
    height: chartHeight,
    mostX: relative.length - 1,
    mostY: Math.ceil(Math.max(...bound)),
    leastY: -1,
    keyTop: y + lines.length * 16 + 4,
  };
  const distance = Math.abs(query - key);
  const marks: Mark[] = [
    ...lines.map((line, i) => caption(palette, x, y + 12 + 16 * i, line)),
    ...curveMarks(
      [
        { name: words.score, values: relative },
        { name: words.bound, values: bound },
        { name: words.fading, values: faded },
      ],
      frame,
      palette,
      measure,
      { x: words.distance, y: "" },
      { x: distance, name: words.here(distance) },
    ),
  ];
  const grid: Grid = {
    id: "distances",
    label: words.curve,
    x: frame.left,
    y: frame.top,
    cellWidth: frame.width / relative.length,
    cellHeight: frame.height,
    rows: 1,
    columns: relative.length,
    describe: (_, at) => words.point(at, relative[at]!, bound[at]!, faded[at]!),
  };
  return { marks, grid, bottom: frame.top + frame.height + 44 };
}

/** Dials and chart side by side, or one under the other on a narrow screen. */
export function drawTurning(shown: TurningAnswer | undefined, words: TurningWords): Draw {
  return (width, palette, measure) => {
    const isWide = width >= 760;
    const left = { x: 0, y: 0, width: isWide ? Math.min(430, width * 0.48) : width };
    if (!shown) return { width, height: isWide ? 440 : 760, marks: [], grids: [] };
    const dials = dialColumn(shown, left, words, palette);
    const right = isWide
      ? { x: left.width + 48, y: 0, width: width - left.width - 48 }
      : { x: 0, y: dials.bottom + 24, width };
    const curve = chart(shown, right, words, palette, measure);
    return {
      width,
      height: Math.max(dials.bottom, curve.bottom),
      marks: [...dials.marks, ...curve.marks],
      grids: [dials.grid, curve.grid],
    };
  };
}
