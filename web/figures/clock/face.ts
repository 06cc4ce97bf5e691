/** The face of the clock: rings of the fastest pairs, with the hands of query and key. */
import { mix, type Palette } from "../../drawing/colour.js";
import { dialBow, dialHand, dialRim, halfway } from "../../drawing/dial.js";
import type { Mark, Measure } from "../../drawing/scene.js";
import { caption } from "../shared/pictures/captions.js";
import { handLabels, onPaper } from "../shared/pictures/hand-labels.js";
import type { ClockAnswer } from "./messages.js";
import type { ClockWords } from "./words.js";

/** What is drawn: positions may lie between two tokens while the clock runs. */
export interface Shown {
  answer: ClockAnswer;
  query: number;
  key: number;
  pair: number;
}

export interface Face {
  x: number;
  y: number;
  radius: number;
}

export const isWideFrom = 760;
/** Space around the face, and its largest radius; styles.ts repeats both for the handles. */
export const faceMargin = 34;
export const maxRadius = 200;

/** Pairs with a ring, the fastest; the others hardly turn while the clock is watched. */
export const rings = 8;
/** The innermost of them, and the ring of a slower pair that is chosen, as shares of the first. */
const innermost = 0.3;
const innerRing = 0.14;
const fullCircle = 2 * Math.PI;

export function faceFor(width: number): Face {
  const radius = Math.min(maxRadius, width / 2 - faceMargin);
  const x = width >= isWideFrom ? faceMargin + radius : width / 2;
  return { x, y: faceMargin + radius, radius };
}

/** Returns the radius of a pair's ring, as a share of the face's: the fastest is the outermost. */
export const ringShare = (pair: number): number =>
  pair < rings ? 1 - (pair / (rings - 1)) * (1 - innermost) : innerRing;

/** Returns the pair whose ring is nearest to a distance from the centre. */
export function pairAt({ radius }: Face, distance: number): number {
  const pair = Math.round(((1 - distance / radius) / (1 - innermost)) * (rings - 1));
  return Math.min(rings - 1, Math.max(0, pair));
}

/** Returns the pairs that are drawn: the fastest, and the chosen one over them. */
function drawnPairs({ pair: chosen }: Shown): number[] {
  const others = Array.from({ length: rings }, (_, pair) => pair).filter((pair) => pair !== chosen);
  return [...others, chosen];
}

/** Returns where the shorter way from the key's hand to the query's begins and ends, clockwise. */
function between(key: number, query: number): [from: number, to: number] {
  const angle = halfway(query - key);
  const from = (angle < 0 ? query : key) % fullCircle;
  return [from, from + Math.abs(angle)];
}

const pointAt = ({ x, y }: Face, angle: number, r: number) => ({
  x: x + Math.sin(angle) * r,
  y: y - Math.cos(angle) * r,
});

const ringOf = (face: Face, pair: number): number => face.radius * ringShare(pair);

/** The ends of both hands of a pair, on its ring, and the way between them. */
function endMarks(face: Face, shown: Shown, pair: number, palette: Palette): Mark[] {
  const { answer, query, key } = shown;
  const { frequencies } = answer;
  const r = ringOf(face, pair);
  const angles = [key, query].map((position) => position * frequencies[pair]!);
  const isChosen = pair === shown.pair;
  const [from, to] = between(angles[0]!, angles[1]!);
  const dot = (angle: number, stroke: string, fill: string): Mark => {
    const { x, y } = pointAt(face, angle, r);
    const size = isChosen ? 5.5 : 3;
    return { kind: "path", d: dialRim(x, y, size), stroke, width: isChosen ? 2.5 : 1.5, fill };
  };
  return [
    {
      kind: "path",
      d: dialBow(face.x, face.y, r, from, to),
      stroke: palette.position,
      width: isChosen ? 4 : 2,
    },
    dot(angles[0]!, palette.key, palette.paper),
    dot(angles[1]!, palette.query, palette.query),
  ];
}

/** The hands of all pairs, faint; those of the chosen pair, and the wedge between them. */
function handMarks(face: Face, shown: Shown, palette: Palette): Mark[] {
  const { answer, query, key, pair } = shown;
  const { frequencies } = answer;
  const { x, y } = face;
  const lengthOf = (one: number) => ringOf(face, one);
  const faint = (position: number, colour: string): Mark => ({
    kind: "path",
    d: drawnPairs(shown)
      .map((one) => dialHand(x, y, position * frequencies[one]!, lengthOf(one)))
      .join(""),
    stroke: mix(palette.paper, colour, 0.3),
    width: 1,
  });
  const [queryAngle, keyAngle] = [query, key].map((position) => position * frequencies[pair]!);
  const [from, to] = between(keyAngle!, queryAngle!);
  const r = lengthOf(pair);
  const wedge = `M${x} ${y}L${dialBow(x, y, r, from, to).slice(1)}Z`;
  return [
    faint(key, palette.key),
    faint(query, palette.query),
    {
      kind: "path",
      d: wedge,
      stroke: palette.position,
      width: 0,
      fill: palette.position,
      fillOpacity: 0.16,
    },
    { kind: "path", d: dialHand(x, y, queryAngle!, r), stroke: palette.query, width: 3.5 },
    {
      kind: "path",
      d: dialHand(x, y, keyAngle!, r),
      stroke: palette.key,
      width: 3.5,
      dash: [5, 3],
    },
  ];
}

/** The names of the chosen pair's hands, the numbers of the rings, and which have none. */
function nameMarks(
  face: Face,
  shown: Shown,
  words: ClockWords,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const { answer, query, key, pair } = shown;
  const { frequencies } = answer;
  const { x, y } = face;
  const angleOf = (position: number) => position * frequencies[pair]!;
  const onRing = (one: number) => {
    const isChosen = one === pair;
    const name = one ? String(one + 1) : words.rings.outer;
    const text = caption(palette, x, y + ringOf(face, one) + 4, name, "center");
    const look = { fill: isChosen ? palette.position : palette.soft, weight: isChosen ? 600 : 400 };
    return onPaper({ ...text, ...look }, palette, measure);
  };
  return [
    ...handLabels(
      [
        { name: words.hands.query, angle: angleOf(query), colour: palette.query },
        { name: words.hands.key, angle: angleOf(key), colour: palette.key },
      ],
      { x, y, r: ringOf(face, pair) + 14 },
      palette,
      measure,
    ),
    ...drawnPairs(shown).flatMap(onRing),
    caption(
      palette,
      x,
      y + face.radius + 30,
      words.rings.others(rings, frequencies.length),
      "center",
    ),
  ];
}

export function faceMarks(
  face: Face,
  shown: Shown,
  words: ClockWords,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const { x, y, radius } = face;
  const pairs = drawnPairs(shown);
  return [
    {
      kind: "path",
      d: `M${x} ${(y - radius - 9).toFixed(1)}V${(y - radius - 3).toFixed(1)}`,
      stroke: palette.soft,
      width: 1.5,
    },
    {
      kind: "path",
      d: pairs.map((pair) => dialRim(x, y, ringOf(face, pair))).join(""),
      stroke: palette.hair,
      width: 1,
    },
    ...handMarks(face, shown, palette),
    ...pairs.flatMap((pair) => endMarks(face, shown, pair, palette)),
    { kind: "path", d: dialRim(x, y, 3), stroke: palette.ink, width: 0, fill: palette.ink },
    ...nameMarks(face, shown, words, palette, measure),
  ];
}
