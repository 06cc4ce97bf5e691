/** All hands of a position on one clock: the faster a hand, the longer. */
import type { Palette } from "../../drawing/colour.js";
import { dialHand, dialRim } from "../../drawing/dial.js";
import type { Mark } from "../../drawing/scene.js";
import { caption } from "../shared/pictures/captions.js";

/** The shortest hand, as a share of the longest, which leaves space for its number. */
const shortest = 0.22;
const longest = 0.9;
/** Distance of a number from its hand, clockwise of its end. */
const numberGap = 10;

export interface ClockFace {
  x: number;
  y: number;
  radius: number;
}

const lengthOf = (pair: number, pairs: number, radius: number): number =>
  radius * (longest - (longest - shortest) * (pair / Math.max(1, pairs - 1)));

/** Draws the hands of all pairs, those of `named` pairs strong, with a number at their ends. */
export function clockMarks(
  { x, y, radius }: ClockFace,
  frequencies: Float64Array | Float32Array,
  named: readonly number[],
  position: number,
  palette: Palette,
): Mark[] {
  const pairs = frequencies.length;
  const hand = (pair: number) =>
    dialHand(x, y, position * frequencies[pair]!, lengthOf(pair, pairs, radius));
  const all = Array.from({ length: pairs }, (_, pair) => hand(pair)).join("");
  const knobs = named.map((pair) => {
    const angle = position * frequencies[pair]!;
    const length = lengthOf(pair, pairs, radius);
    return dialRim(x + Math.sin(angle) * length, y - Math.cos(angle) * length, 2.5);
  });
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
    ...named.map((pair): Mark => {
      const angle = position * frequencies[pair]!;
      const length = lengthOf(pair, pairs, radius);
      const across = Math.sin(angle) * length + Math.cos(angle) * numberGap;
      const up = Math.cos(angle) * length - Math.sin(angle) * numberGap;
      const number = caption(palette, x + across, y - up + 4, String(pair + 1), "center");
      return { ...number, fill: palette.position, size: 11, weight: 600 };
    }),
  ];
}
