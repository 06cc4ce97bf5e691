/** All hands of a position on one clock: the faster a hand, the longer. */
import { rule } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { dialBow, dialHand, dialRim } from "../../drawing/dial.js";
import type { Mark } from "../../drawing/scene.js";
import { caption } from "../shared/pictures/captions.js";
import { spacedApart } from "../shared/pictures/end-labels.js";

/** The shortest hand, as a share of the longest. */
const shortest = 0.22;
const longest = 0.9;
/** Space outside the rim for the numbers of hands, and from the rim to their middles. */
export const numbersRoom = 20;
const numberGap = 11;
/** Distance of two numbers along the rim. */
const apart = 18;
/** Hands that have turned by less, in radians, share one bracket. */
const stillBelow = 0.25;

export interface ClockFace {
  x: number;
  y: number;
  radius: number;
}

const lengthOf = (pair: number, pairs: number, radius: number): number =>
  radius * (longest - (longest - shortest) * (pair / Math.max(1, pairs - 1)));

/** Returns the first pair from which on no hand has turned by more than a few degrees. */
export const firstStill = (frequencies: ArrayLike<number>, position: number): number =>
  Array.from(frequencies).findIndex((rate) => position * rate < stillBelow);

/** Returns angles close to the wanted ones, so far apart that numbers do not touch. */
function anglesApart(wanted: readonly number[], gap: number): number[] {
  const full = 2 * Math.PI;
  const within = wanted.map((angle) => angle % full);
  if (!wanted.length) return [];
  const sorted = within.toSorted((a, b) => a - b);
  const gaps = sorted.map((angle, at) => angle - (sorted[at - 1] ?? sorted.at(-1)! - full));
  // The circle is cut open in its widest gap.
  const first = sorted[gaps.indexOf(Math.max(...gaps))]!;
  const boxes = within.map((angle) => ({
    wanted: angle < first ? angle + full : angle,
    height: gap,
  }));
  return spacedApart(boxes, { top: -full, bottom: 3 * full });
}

/** A bracket outside the rim around the hands that have hardly turned, and its words. */
function stillMarks(
  { x, y, radius }: ClockFace,
  angle: number,
  text: string,
  palette: Palette,
): Mark[] {
  const r = radius + 6;
  const from = 2 * Math.PI - 0.05;
  return [
    {
      kind: "path",
      d: dialBow(x, y, r, from, from + 0.05 + Math.max(0.05, angle)),
      stroke: palette.position,
      width: 2,
    },
    { ...caption(palette, x + 8, y - r - 8, text, "right"), fill: palette.position, weight: 600 },
  ];
}

/**
 * Draws the hands of all pairs, those of `named` pairs strong, with numbers outside the rim and a
 * line from each hand's end to its number; hands that have hardly turned share a bracket, with what
 * `still` says of the first and the last of them.
 */
export function clockMarks(
  { x, y, radius }: ClockFace,
  frequencies: Float64Array | Float32Array,
  named: readonly number[],
  position: number,
  still: (first: number, last: number) => string,
  palette: Palette,
): Mark[] {
  const pairs = frequencies.length;
  const first = firstStill(frequencies, position);
  const bracket =
    first < 0
      ? []
      : stillMarks(
          { x, y, radius },
          position * frequencies[first]!,
          still(first + 1, pairs),
          palette,
        );
  const moved = named.filter((pair) => first < 0 || pair < first);
  const hand = (pair: number) =>
    dialHand(x, y, position * frequencies[pair]!, lengthOf(pair, pairs, radius));
  const all = Array.from({ length: pairs }, (_, pair) => hand(pair)).join("");
  const knobs = named.map((pair) => {
    const angle = position * frequencies[pair]!;
    const length = lengthOf(pair, pairs, radius);
    return dialRim(x + Math.sin(angle) * length, y - Math.cos(angle) * length, 2.5);
  });
  const angles = anglesApart(
    moved.map((pair) => position * frequencies[pair]!),
    apart / (radius + numberGap),
  );
  return [
    { kind: "path", d: dialRim(x, y, radius), stroke: palette.hair, width: 1 },
    { kind: "path", d: all, stroke: palette.soft, width: 0.5 },
    { kind: "path", d: named.map(hand).join(""), stroke: palette.position, width: 1.5 },
    {
      kind: "path",
      d: knobs.join(""),
      stroke: palette.position,
      width: 1,
      fill: palette.position,
    },
    ...bracket,
    ...moved.flatMap((pair, at): Mark[] => {
      const [angle, beside] = [position * frequencies[pair]!, angles[at]!];
      const length = lengthOf(pair, pairs, radius);
      const on = (to: number, r: number): [number, number] => [
        x + Math.sin(to) * r,
        y - Math.cos(to) * r,
      ];
      const [numberX, numberY] = on(beside, radius + numberGap);
      const number = caption(palette, numberX, numberY + 4, String(pair + 1), "center");
      const leader = rule(
        ...on(angle, length + 4),
        ...on(beside, radius + 3),
        palette.position,
        0.75,
      );
      return [
        { ...leader, dash: [2, 2] },
        { ...number, fill: palette.position, weight: 600 },
      ];
    }),
  ];
}
