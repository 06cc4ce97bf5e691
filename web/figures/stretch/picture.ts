/**
 * The pictures of "wavelength against context": dials with the angles of training, and the chart.
 */
import type { Draw } from "../../controls/scene-view.js";
import { ghostSizes, stretchDials } from "../../defaults.js";
import { mix, type Palette } from "../../drawing/colour.js";
import { dialBow as bow, dialSector as sector } from "../../drawing/dial.js";
import { keyMarks } from "../../drawing/key.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { type StretchedPair, wavelength } from "../../engine/both/stretched-pairs.js";
import { caption, linesOf } from "../shared/pictures/captions.js";
import { chartMarks, describePair } from "../shared/pictures/wavelength-chart.js";
import { spread } from "./counted.js";
import type { StretchAnswer } from "./messages.js";
import type { StretchWords } from "./words.js";

/** Height of a dial's two lines of text, with the space around them. */
const belowDial = 54;
const largestRadius = 54;
const wideFrom = 760;
const fullCircle = 2 * Math.PI;

/** Draws the angles of training as a filled sector, and those of the text as an arc around it. */
function dialMarks(
  pair: StretchedPair,
  { length, factor }: StretchAnswer,
  { x, y, radius }: { x: number; y: number; radius: number },
  palette: Palette,
): Mark[] {
  const seen = Math.min(fullCircle, (length - 1) * pair.before);
  const reached = Math.min(fullCircle, (factor * length - 1) * pair.after);
  const fill = mix(palette.paper, palette.content, 0.45);
  const known = Math.min(seen, reached);
  const marks: Mark[] = [
    { kind: "path", d: bow(x, y, radius, 0, fullCircle), stroke: palette.hair, width: 1 },
    { kind: "path", d: sector(x, y, radius - 4, seen), stroke: fill, width: 0, fill },
    { kind: "path", d: bow(x, y, radius, 0, known), stroke: palette.position, width: 2.5 },
  ];
  if (pair.isNew)
    marks.push({
      kind: "path",
      d: bow(x, y, radius, known, reached),
      stroke: palette.plus,
      width: 5,
      dash: [3, 2],
    });
  return marks;
}

const keyOf = ({ length, factor }: StretchAnswer, words: StretchWords, palette: Palette) => [
  {
    name: words.seen(length),
    sample: (x: number, y: number): Mark => ({
      kind: "rect",
      x,
      y: y - 10,
      width: 22,
      height: 11,
      fill: mix(palette.paper, palette.content, 0.45),
    }),
  },
  {
    name: words.within(Math.round(length * factor)),
    sample: (x: number, y: number): Mark => ({
      kind: "path",
      d: `M${x} ${y - 4}h22`,
      stroke: palette.position,
      width: 2.5,
    }),
  },
  {
    name: words.beyond,
    sample: (x: number, y: number): Mark => ({
      kind: "path",
      d: `M${x} ${y - 4}h22`,
      stroke: palette.plus,
      width: 5,
      dash: [3, 2],
    }),
  },
];

/** Tokens for a turn: whole ones, of a fast pair with a tenth, of a slow one two digits. */
const rounded = (tokens: number): number =>
  tokens < 10
    ? Math.round(10 * tokens) / 10
    : tokens < 1000
      ? Math.round(tokens)
      : Number(tokens.toPrecision(2));

function dialField(
  answer: StretchAnswer,
  width: number,
  words: StretchWords,
  palette: Palette,
  measure: Measure,
) {
  const { pairs, method, head } = answer;
  const shown = spread(pairs.length, stretchDials);
  const columns = width >= wideFrom ? 8 : 4;
  const rows = Math.ceil(shown.length / columns);
  const isPlain = method === "none";
  const lines = linesOf(isPlain ? words.dials + words.below : words.dials, width, measure);
  const keyTop = lines.length * 16 + 6;
  const keyPosition = { left: 0, top: keyTop, width, indent: 29, gap: 16 };
  const key = keyMarks(keyOf(answer, words, palette), keyPosition, palette, measure);
  const top = key.baseline + 18;
  const pitch = width / columns;
  const radius = Math.min(largestRadius, pitch * 0.4);
  const rowHeight = 2 * radius + belowDial;
  const marks: Mark[] = [
    ...lines.map((line, index) => caption(palette, 0, 12 + 16 * index, line)),
    ...key.marks,
  ];
  shown.forEach((pair, index) => {
    const x = ((index % columns) + 0.5) * pitch;
    const y = top + Math.floor(index / columns) * rowHeight + radius + 6;
    const one = pairs[pair]!;
    const isGhosts = head === "small" && pair === ghostSizes.pair;
    const name = isGhosts ? words.ghosts(pair + 1) : words.dial(pair + 1);
    const said = isPlain
      ? words.tokens(rounded(wavelength(one.before)))
      : words.divisor(one.before / one.after);
    marks.push(
      ...dialMarks(one, answer, { x, y, radius }, palette),
      {
        ...caption(palette, x, y + radius + 18, name, "center"),
        fill: isGhosts ? palette.position : palette.ink,
        ...(isGhosts && { weight: 600 }),
      },
      caption(palette, x, y + radius + 33, said, "center"),
    );
  });
  const grid: Grid = {
    id: "dials",
    label: words.dials,
    x: 0,
    y: top,
    cellWidth: pitch,
    cellHeight: rowHeight,
    rows,
    columns,
    describe: (row, column) => {
      const pair = shown[row * columns + column];
      return pair === undefined ? "" : describePair(answer, pair, words);
    },
  };
  return { marks, grid, bottom: top + rows * rowHeight };
}

/** Draws the dials of the pairs, or of some that stand for all. */
export function drawDials(answer: StretchAnswer | undefined, words: StretchWords): Draw {
  return (width, palette, measure) => {
    if (!answer) return { width, height: width >= wideFrom ? 390 : 600, marks: [], grids: [] };
    const { marks, grid, bottom } = dialField(answer, width, words, palette, measure);
    return { width, height: bottom, marks, grids: [grid] };
  };
}

/** Draws the chart of all pairs: tokens for one rotation. */
export function drawWavelengths(answer: StretchAnswer, words: StretchWords): Draw {
  return (width, palette, measure) => {
    const area = { x: 0, y: 0, width: Math.min(width, 640) };
    const { marks, grid, bottom } = chartMarks(answer, area, words, palette, measure);
    return { width, height: bottom, marks, grids: [grid] };
  };
}
