/**
 * The first step: one pair of channels as a clock hand, large, and at other positions with the same
 * distance.
 */

import { rule } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { dialBow, dialHand, dialRim } from "../../drawing/dial.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { oneHand } from "../../engine/both/rotated-heads.js";
import { caption, heading, linesOf } from "../shared/pictures/captions.js";
import { handLabels } from "../shared/pictures/hand-labels.js";
import type { RotatedHands, RotationAnswer } from "./messages.js";
import { type Area, between, degrees, keyHand, type Panel } from "./panel.js";
import type { RotationWords } from "./words.js";

const { theta } = oneHand;
const fullCircle = 2 * Math.PI;
const radius = 88;
const smallRadius = 34;
const pitch = 18;
/** Space between the rim and the meaning of its right end or top, for the name of a hand. */
const axisGap = { right: 52, top: 30 };

/** Draws both hands on their dial, and the angle between them: clockwise from the earlier one. */
function dial(
  { at: [query, key] }: RotatedHands,
  { x, y, r }: { x: number; y: number; r: number },
  palette: Palette,
): Mark[] {
  const from = (Math.min(query, key) * theta) % fullCircle;
  const apart = (Math.abs(query - key) * theta) % fullCircle;
  const width = r > 50 ? 4 : 3;
  const bow = dialBow(x, y, r * 0.36, from, from + apart);
  return [
    { kind: "path", d: dialRim(x, y, r), stroke: palette.hair, width: 1 },
    { kind: "path", d: bow, stroke: palette.position, width: 2 },
    { kind: "path", d: dialHand(x, y, query * theta, r), stroke: palette.query, width },
    keyHand(dialHand(x, y, key * theta, r), palette, width),
  ];
}

/** Draws the two axes from the centre over the rim to what each hand is there. */
function axes({ x, y }: { x: number; y: number }, palette: Palette): Mark[] {
  const [top, right] = [y - radius, x + radius];
  const [above, beside] = [top - axisGap.top, right + axisGap.right];
  const dash = [1.5, 3];
  return [
    rule(x, y, x, top - 5, palette.soft),
    rule(x, y, right + 5, y, palette.soft),
    { ...rule(x, top - 5, x, above + 5, palette.soft), dash },
    { ...rule(right + 5, y, beside - 5, y, palette.soft), dash },
    caption(palette, x, above, "(1, 0)", "center"),
    caption(palette, beside, y + 4, "(0, 1)"),
  ];
}

/** Draws the dial of the question, the meaning of its ends, and the numbers below it. */
function largeDial(
  hands: RotatedHands,
  { x, y, width }: Area,
  isBeside: boolean,
  words: RotationWords,
  palette: Palette,
  measure: Measure,
): Panel {
  const [query, key] = hands.at;
  const keys = linesOf(words.axes, width, measure);
  const centreX = x + (isBeside ? radius + 44 : Math.min(width / 2, 190));
  const centreY = y + 16 * keys.length + 46 + radius;
  const beside = isBeside ? 2 * radius + 150 : 0;
  const angle = Math.abs(query - key) * theta;
  const line = (text: string, fill: string) => ({ text, fill });
  const said = [
    line(words.rotated.query(query, degrees(query * theta), hands.query), palette.query),
    line(words.rotated.key(key, degrees(key * theta), hands.key), palette.key),
    line(words.apart(Math.abs(query - key), degrees(angle)), palette.position),
    line(words.multiplied(hands), palette.ink),
  ].flatMap(({ text, fill }) =>
    linesOf(text, width - beside, measure, 13).map((one) => line(one, fill)),
  );
  const lines = said.length + 1;
  const top = isBeside ? centreY - ((lines - 1) * pitch) / 2 : centreY + radius + 44;
  const bottom = top + said.length * pitch;
  const marks: Mark[] = [
    ...keys.map((line, row) => caption(palette, x, y + 14 + 16 * row, line)),
    ...axes({ x: centreX, y: centreY }, palette),
    ...dial(hands, { x: centreX, y: centreY, r: radius }, palette),
    ...handLabels(
      [
        { name: words.handNames.query, angle: query * theta, colour: palette.query },
        { name: words.handNames.key, angle: key * theta, colour: palette.key },
      ],
      { x: centreX, y: centreY, r: radius + 12 },
      palette,
      measure,
    ),
    ...said.map(
      ({ text, fill }, index): Mark => ({
        ...caption(palette, x + beside, top + index * pitch, text),
        fill,
        size: 13,
      }),
    ),
    heading(palette, x + beside, bottom + 8, words.product(hands.product, degrees(angle))),
  ];
  const grid: Grid = {
    id: "hand",
    label: words.name,
    x: centreX - radius,
    y: centreY - radius,
    cellWidth: 2 * radius,
    cellHeight: 2 * radius,
    rows: 1,
    columns: 1,
    describe: () => words.hand(hands, degrees(between(angle))),
  };
  return { marks, grids: [grid], bottom: Math.max(centreY + radius + 30, bottom + 16) };
}

/** Draws small dials of the other positions, two side by side. */
function otherPositions(
  { shiftedHands }: RotationAnswer,
  { x, y, width }: Area,
  words: RotationWords,
  palette: Palette,
  measure: Measure,
): Panel {
  const columns = 2;
  const rows = Math.ceil(shiftedHands.length / columns);
  const cellWidth = width / columns;
  const lines = linesOf(words.shifted, width, measure);
  const top = y + lines.length * 16 + 8;
  const cellHeight = 2 * smallRadius + 76;
  const marks: Mark[] = lines.map((line, index) => caption(palette, x, y + 14 + 16 * index, line));
  shiftedHands.forEach((hands, index) => {
    const left = x + (index % columns) * cellWidth;
    const from = top + Math.floor(index / columns) * cellHeight;
    const { query, key } = hands;
    const said = [
      { text: words.standing.query(hands.at[0], query), fill: palette.query },
      { text: words.standing.key(hands.at[1], key), fill: palette.key },
      { text: words.positionProduct(hands.product), fill: palette.ink },
    ];
    marks.push(
      ...dial(
        hands,
        { x: left + smallRadius + 1, y: from + smallRadius + 6, r: smallRadius },
        palette,
      ),
      ...said.map(
        ({ text, fill }, row): Mark => ({
          ...caption(palette, left, from + 2 * smallRadius + 24 + row * 16, text),
          fill,
        }),
      ),
    );
  });
  const grid: Grid = {
    id: "places",
    label: words.shifted,
    x,
    y: top,
    cellWidth,
    cellHeight,
    rows,
    columns,
    describe: (row, column) => {
      const hands = shiftedHands[row * columns + column]!;
      const [query, key] = hands.at;
      return words.hand(hands, degrees(between((query - key) * theta)));
    },
  };
  return { marks, grids: [grid], bottom: top + rows * cellHeight };
}

/** Draws the large dial, and the small ones beside it or below it. */
export function oneHandPanels(
  shown: RotationAnswer,
  width: number,
  words: RotationWords,
  palette: Palette,
  measure: Measure,
): Panel[] {
  const isWide = width >= 760;
  const left = { x: 0, y: 0, width: isWide ? width * 0.58 : width };
  const large = largeDial(shown.hands, left, isWide, words, palette, measure);
  const right = isWide
    ? { x: left.width + 32, y: 0, width: width - left.width - 32 }
    : { x: 0, y: large.bottom + 20, width };
  return [large, otherPositions(shown, right, words, palette, measure)];
}
