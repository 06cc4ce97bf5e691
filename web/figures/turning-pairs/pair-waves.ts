/** A wave for each pair: its part of the logit by distance. */
import { type Frame, rule, ticks } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { pathOf } from "../../drawing/curve.js";
import type { Grid, Mark } from "../../drawing/scene.js";
import { rotatedHead } from "../../engine/both/rotated-heads.js";
import { caption } from "../shared/pictures/captions.js";
import type { RotationAnswer } from "./messages.js";
import { type Area, type Columns, type Panel, rowHead, rowPitch } from "./panel.js";
import type { RotationWords } from "./words.js";

const max = rotatedHead.farthestPosition;
const height = 32;
const margin = (rowPitch - height) / 2;
/** Space between the waves of the pairs and that of their sum. */
const roomAboveSum = 24;

const at = ({ left, width }: Frame, distance: number): number => left + (distance / max) * width;

/** Returns the parts of the pairs by distance, followed by their mean if requested. */
function wavesOf({ pairs, shares, scores }: RotationAnswer, hasSum: boolean): number[][] {
  const count = pairs.length;
  const distances = Array.from({ length: max + 1 }, (_, distance) => distance);
  return [
    ...Array.from(pairs, (_, pair) => distances.map((one) => shares[one * count + pair]!)),
    ...(hasSum ? [distances.map((one) => scores[one]! / count)] : []),
  ];
}

/** Draws one wave about its hairline, and the distance in view across it. */
function waveMarks(
  values: readonly number[],
  frame: Frame,
  { here, rim, width }: { here: number; rim: number; width: number },
  palette: Palette,
): Mark[] {
  const { left, top, width: across } = frame;
  const middle = top + height / 2;
  const x = at(frame, here);
  return [
    rule(left, middle, left + across, middle, palette.hair),
    rule(x, top - rim, x, top + height + rim, palette.position),
    { kind: "path", d: pathOf({ name: "", values }, frame), stroke: palette.ink, width },
  ];
}

/** Draws distances below the last wave, and the one in view above the first. */
function axis(
  last: Frame,
  { top, right, here }: { top: number; right: number; here: number },
  words: RotationWords,
  palette: Palette,
): Mark[] {
  const foot = last.top + height + 4;
  const isRight = here > max / 2;
  const side = isRight ? ("right" as const) : ("left" as const);
  const x = at(last, here) + (isRight ? 2 : -2);
  return [
    caption(palette, last.left, top - 22, words.waves),
    { ...caption(palette, x, top - 6, words.here(here), side), fill: palette.position },
    ...ticks(max, 4)
      .filter((tick) => tick <= max)
      .map((tick) => caption(palette, at(last, tick), foot + 16, String(tick), "center")),
    caption(palette, right, foot + 34, words.distance, "right"),
  ];
}

/** Draws the waves of all pairs beside their rows; the wave of a tall row is at its bottom. */
export function pairWaves(
  shown: RotationAnswer,
  { x, y, width }: Area,
  { shares: hasSum }: Columns,
  words: RotationWords,
  palette: Palette,
  { pitch = rowPitch, top = y + rowHead }: { pitch?: number; top?: number } = {},
): Panel {
  const { pairs, scores, query, key } = shown;
  const count = pairs.length;
  const waves = wavesOf(shown, hasSum);
  const frameOf = (index: number): Frame => ({
    left: x + 4,
    top: top + (index + 1) * pitch - height - margin + (index === count ? roomAboveSum : 0),
    width: width - 12,
    height,
    maxX: max,
    maxY: 1,
    minY: -1,
  });
  const here = Math.abs(query - key);
  // The mark runs from row to row, unless there are words between them.
  const rim = pitch === rowPitch ? margin : 2;
  const last = frameOf(waves.length - 1);
  const marks = [
    ...waves.flatMap((values, index) => {
      const look = { here, rim, width: index === count ? 2.4 : 1.3 };
      return waveMarks(values, frameOf(index), look, palette);
    }),
    ...axis(last, { top, right: x + width, here }, words, palette),
  ];
  if (hasSum)
    marks.push(caption(palette, x + width - 8, last.top - 5, words.sumWave(count), "right"));
  const grid: Grid = {
    id: "waves",
    label: words.waves,
    x: last.left,
    y: top,
    cellWidth: last.width / (max + 1),
    cellHeight: pitch,
    rows: waves.length,
    columns: max + 1,
    describe: (index, distance) =>
      index < count
        ? words.wave(index, distance, waves[index]![distance]!)
        : words.waveSum(distance, scores[distance]!),
  };
  return { marks, grids: [grid], bottom: last.top + height + 44 };
}
