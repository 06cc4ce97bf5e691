/** The picture of the clock: a dial for each pair, and under them the sum at every distance. */
import type { Draw } from "../../controls/scene-view.js";
import { clockHead } from "../../defaults.js";
import { axisMarks, type Frame, heightOf, rule } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { pathOf } from "../../drawing/curve.js";
import { dialRim } from "../../drawing/dial.js";
import type { Mark, Measure } from "../../drawing/scene.js";
import { heading, headingLines } from "../shared/pictures/captions.js";
import { type DialField, dialsMarks, type Shown } from "./dials.js";
import type { ClockWords } from "./words.js";

const chartHeight = 96;
const numbersWidth = 30;
const lineHeight = 18;

/** The sum of all pairs by distance, with a mark where query and key stand. */
function sumMarks(
  shown: Shown,
  y: number,
  width: number,
  words: ClockWords,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; bottom: number } {
  const { scores, frequencies } = shown.answer;
  const pairs = frequencies.length;
  const distance = Math.round(Math.abs(shown.query - shown.key));
  const score = scores[distance]!;
  const lines = headingLines(words.sum(distance, score, pairs), width, measure);
  const values = scores.subarray(0, clockHead.farthest + 1);
  const frame: Frame = {
    left: numbersWidth,
    top: y + lines.length * lineHeight + 16,
    width: width - numbersWidth - 14,
    height: chartHeight,
    maxX: clockHead.farthest,
    maxY: pairs,
    minY: 4 * Math.floor(Math.min(0, ...values) / 4),
  };
  const x = frame.left + (distance / frame.maxX) * frame.width;
  const bottom = frame.top + frame.height;
  const marks: Mark[] = [
    ...lines.map((line, row) => heading(palette, 0, y + 14 + lineHeight * row, line)),
    ...axisMarks(frame, palette, { x: words.distance, y: "" }),
    { kind: "path", d: pathOf({ name: "", values }, frame), stroke: palette.ink, width: 1.75 },
    rule(x, frame.top, x, bottom, palette.position, 1.5),
    {
      kind: "path",
      d: dialRim(x, heightOf(frame, score), 5),
      stroke: palette.position,
      width: 2.5,
      fill: palette.paper,
    },
  ];
  return { marks, bottom: bottom + 42 };
}

/** `onField` is called before each painting with the place of the dials. */
export function drawClock(
  shown: Shown | undefined,
  words: ClockWords,
  onField: (field: DialField) => void,
): Draw {
  return (width, palette, measure) => {
    if (!shown) return { width, height: width >= 760 ? 590 : 870, marks: [], grids: [] };
    const dials = dialsMarks(shown, width, { words, palette, measure });
    onField(dials.field);
    const sum = sumMarks(shown, dials.bottom + 6, width, words, palette, measure);
    return {
      width,
      height: sum.bottom,
      marks: [...dials.marks, ...sum.marks],
      grids: [dials.grid],
    };
  };
}
