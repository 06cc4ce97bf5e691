/**
 * The first step: one pair of channels as a clock hand, large, and at other positions with the same
 * distance.
 */

import { rule } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { dialBow, dialHand, dialRim } from "../../drawing/dial.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { oneHand } from "../../engine/both/rotated-heads.js";
import { caption, heading, headingLines, linesOf } from "../shared/pictures/captions.js";
import { handLabels } from "../shared/pictures/hand-labels.js";
import type { RotatedHands, RotationAnswer } from "./messages.js";
import { type Area, between, degrees, keyHand, type Panel } from "./panel.js";
import type { RotationWords } from "./words.js";

const { theta } = oneHand;
const fullCircle = 2 * Math.PI;
const radius = 110;
const smallRadius = 42;
/** Largest distance from one small dial to the next. */
const largestCell = 150;
/** Size and distance of the lines of the computation. */
const saidSize = 14;
const pitch = 22;
/** Space left of the large dial, for the name of a hand. */
const axisRoom = 52;
/** Space between the rim and the meaning of its right end or top, for the name of a hand. */
const axisGap = { right: 52, top: 30 };

interface Pens {
  words: RotationWords;
  palette: Palette;
  measure: Measure;
}

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

/** Draws the dial of the question with the meaning of its ends. */
function largeDial(
  hands: RotatedHands,
  width: number,
  { words, palette, measure }: Pens,
): Panel & { rim: number } {
  const [query, key] = hands.at;
  const keys = linesOf(words.axes, width, measure);
  const x = axisRoom + radius;
  const y = 16 * keys.length + 46 + radius;
  const angle = Math.abs(query - key) * theta;
  const marks: Mark[] = [
    ...keys.map((line, row) => caption(palette, 0, 14 + 16 * row, line)),
    ...axes({ x, y }, palette),
    ...dial(hands, { x, y, r: radius }, palette),
    ...handLabels(
      [
        { name: words.handNames.query, angle: query * theta, colour: palette.query },
        { name: words.handNames.key, angle: key * theta, colour: palette.key },
      ],
      { x, y, r: radius + 12 },
      palette,
      measure,
    ),
  ];
  const grid: Grid = {
    id: "hand",
    label: words.name,
    x: x - radius,
    y: y - radius,
    cellWidth: 2 * radius,
    cellHeight: 2 * radius,
    rows: 1,
    columns: 1,
    describe: () => words.hand(hands, degrees(between(angle))),
  };
  return { marks, grids: [grid], bottom: y + radius + 30, rim: y - radius };
}

/** Writes the computation in lines, and its result. */
function computation(
  hands: RotatedHands,
  { x: left, y, width }: Area,
  { words, palette, measure }: Pens,
): Panel {
  const [query, key] = hands.at;
  const angle = Math.abs(query - key) * theta;
  const line = (text: string, fill: string) => ({ text, fill });
  const said = [
    line(words.rotated.query(query, degrees(query * theta), hands.query), palette.query),
    line(words.rotated.key(key, degrees(key * theta), hands.key), palette.key),
    line(words.apart(Math.abs(query - key), degrees(angle)), palette.position),
    line(words.multiplied(hands), palette.ink),
  ].flatMap(({ text, fill }) =>
    linesOf(text, width, measure, saidSize).map((one) => line(one, fill)),
  );
  const bottom = y + 12 + said.length * pitch;
  const marks: Mark[] = [
    ...said.map(
      ({ text, fill }, index): Mark => ({
        ...caption(palette, left, y + 12 + index * pitch, text),
        fill,
        size: saidSize,
      }),
    ),
    heading(palette, left, bottom + 6, words.product(hands.product, degrees(angle))),
  ];
  return { marks, grids: [], bottom: bottom + 14 };
}

/** Draws a row of small dials, of other positions with the same distance. */
function otherPositions(
  { hands: { product }, shiftedHands }: RotationAnswer,
  { x: left, y, width }: Area,
  { words, palette, measure }: Pens,
): Panel {
  const columns = shiftedHands.length;
  const cellWidth = Math.min(largestCell, width / columns);
  const r = Math.min(smallRadius, cellWidth / 2 - 6);
  const lines = headingLines(words.shifted(product), width, measure);
  const top = y + lines.length * 18 + 10;
  const cellHeight = 2 * r + 40;
  const marks: Mark[] = [
    ...lines.map((line, row) => heading(palette, left, y + 14 + 18 * row, line)),
    ...shiftedHands.flatMap((hands, column) => {
      const x = left + column * cellWidth + r + 1;
      const said = words.standing(hands.at);
      return [
        ...dial(hands, { x, y: top + r + 6, r }, palette),
        { ...caption(palette, x, top + 2 * r + 26, said, "center"), fill: palette.ink },
      ];
    }),
  ];
  const grid: Grid = {
    id: "places",
    label: words.shifted(product),
    x: left,
    y: top,
    cellWidth,
    cellHeight,
    rows: 1,
    columns,
    describe: (_, column) => {
      const hands = shiftedHands[column]!;
      const [query, key] = hands.at;
      return words.hand(hands, degrees(between((query - key) * theta)));
    },
  };
  return { marks, grids: [grid], bottom: top + cellHeight };
}

/** Draws the large dial, and beside or below it its computation and the row of small ones. */
export function oneHandPanels(
  shown: RotationAnswer,
  width: number,
  words: RotationWords,
  palette: Palette,
  measure: Measure,
): Panel[] {
  const pens = { words, palette, measure };
  const large = largeDial(shown.hands, width, pens);
  const isWide = width >= 760;
  const x = isWide ? axisRoom + 2 * radius + axisGap.right + 64 : 0;
  const area = { x, y: isWide ? large.rim : large.bottom, width: width - x };
  const said = computation(shown.hands, area, pens);
  return [large, said, otherPositions(shown, { ...area, y: said.bottom + 22 }, pens)];
}
