/** All pairs one below the other: dials, their speed, and their parts of the logit. */

import { rule } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { dialRim, dialHand as hand } from "../../drawing/dial.js";
import type { Grid, Mark } from "../../drawing/scene.js";
import { plain } from "../../text/numbers.js";
import { caption, heading } from "../shared/pictures/captions.js";
import type { RotationAnswer } from "./messages.js";
import { pairWaves } from "./pair-waves.js";
import {
  type Area,
  between,
  type Columns,
  degrees,
  rowHead as head,
  keyHand,
  type Panel,
  rowPitch as row,
} from "./panel.js";
import type { RotationWords } from "./words.js";

const radius = 19;
/** Height of a row with its wave below its words, on a narrow screen. */
const tallRow = 58;
const tallHead = 54;

/** Returns the angle in radians between the two hands of a pair, at most π. */
const angleOf = ({ query, key, frequencies }: RotationAnswer, pair: number): number =>
  between((query - key) * frequencies[pair]!);

const rotationOf = ({ frequencies }: RotationAnswer, pair: number): number =>
  (2 * Math.PI) / frequencies[pair]!;

/** Draws the hands of query and key in one pair. */
function dial(
  { query, key, frequencies }: RotationAnswer,
  pair: number,
  x: number,
  y: number,
  palette: Palette,
): Mark[] {
  const at = (position: number, length: number) =>
    hand(x, y, position * frequencies[pair]!, length);
  return [
    { kind: "path", d: dialRim(x, y, radius), stroke: palette.hair, width: 1 },
    { kind: "path", d: at(query, radius), stroke: palette.query, width: 3 },
    keyHand(at(key, radius), palette),
  ];
}

/** Draws a pair's part of the logit, to the left or the right of zero. */
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

const pairGrid = (shown: RotationAnswer, box: Omit<Grid, "describe">, words: RotationWords) => ({
  ...box,
  describe: (pair: number) => words.cell(pair, degrees(angleOf(shown, pair)), shown.pairs[pair]!),
});

/** Draws the rows of all pairs, without their waves. */
export function pairRows(
  shown: RotationAnswer,
  { x, y, width }: Area,
  { angles, shares }: Columns,
  words: RotationWords,
  palette: Palette,
): Panel {
  const { pairs, score } = shown;
  const isRoomy = width > 380;
  const angleAt = shares ? x + 250 : x + width;
  const barLeft = x + (isRoomy ? (angles ? 268 : 222) : 56);
  const half = Math.min(80, (x + width - barLeft - 44) / 2);
  const middle = barLeft + half;
  const marks: Mark[] = [caption(palette, x, y + 12, words.hands)];
  if (shares) marks.push(caption(palette, x + width, y + 12, words.shares, "right"));
  if (angles && isRoomy) marks.push(caption(palette, angleAt, y + 12, words.angles, "right"));
  pairs.forEach((share, pair) => {
    const centreY = y + head + (pair + 0.5) * row;
    marks.push(...dial(shown, pair, x + radius + 2, centreY, palette));
    if (isRoomy)
      marks.push(caption(palette, x + 54, centreY + 4, words.wavelength(rotationOf(shown, pair))));
    if (angles && isRoomy) {
      const text = words.degrees(degrees(angleOf(shown, pair)));
      marks.push({ ...caption(palette, angleAt, centreY + 4, text, "right"), fill: palette.ink });
    }
    if (!shares) return;
    marks.push(...bar(share, { middle, half, y: centreY }, palette), {
      ...caption(palette, x + width, centreY + 4, plain(share), "right"),
      fill: palette.ink,
    });
  });
  const bottom = y + head + pairs.length * row;
  if (shares)
    marks.push(rule(barLeft, bottom + 2, x + width, bottom + 2, palette.soft), {
      ...heading(palette, x + width, bottom + 24, words.sum(score, pairs.length)),
      align: "right",
    });
  const grid = pairGrid(
    shown,
    {
      id: "pairs",
      label: words.name,
      x,
      y: y + head,
      cellWidth: width,
      cellHeight: row,
      rows: pairs.length,
      columns: 1,
    },
    words,
  );
  return { marks, grids: [grid], bottom: bottom + (shares ? 30 : 6) };
}

/** Draws rows for a narrow screen: a dial, its words, and its wave below them. */
export function tallRows(
  shown: RotationAnswer,
  { x, y, width }: Area,
  columns: Columns,
  words: RotationWords,
  palette: Palette,
): Panel {
  const { pairs, score } = shown;
  const top = y + tallHead;
  const marks: Mark[] = [caption(palette, x, y + 12, words.hands)];
  pairs.forEach((share, pair) => {
    const rowTop = top + pair * tallRow;
    const angle = words.degrees(degrees(angleOf(shown, pair)));
    const said = columns.shares ? words.angleAndShare(angle, share) : angle;
    marks.push(
      ...dial(shown, pair, x + radius + 2, rowTop + tallRow / 2, palette),
      caption(palette, x + 54, rowTop + 12, words.wavelength(rotationOf(shown, pair))),
      { ...caption(palette, x + width, rowTop + 12, said, "right"), fill: palette.ink },
    );
  });
  const bottom = top + pairs.length * tallRow;
  const waves = pairWaves(shown, { x: x + 54, y, width: width - 54 }, columns, words, palette, {
    pitch: tallRow,
    top,
  });
  if (columns.shares)
    marks.push({
      ...heading(palette, x + width, bottom + 16, words.sum(score, pairs.length)),
      align: "right",
    });
  const grid = pairGrid(
    shown,
    {
      id: "pairs",
      label: words.name,
      x,
      y: top,
      cellWidth: 48,
      cellHeight: tallRow,
      rows: pairs.length,
      columns: 1,
    },
    words,
  );
  return { marks: [...marks, ...waves.marks], grids: [grid, ...waves.grids], bottom: waves.bottom };
}
