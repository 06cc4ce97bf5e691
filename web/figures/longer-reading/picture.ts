/** Loss along a long text: a curve for each method, in pieces as long as the training window. */
import type { Draw } from "../../controls/scene-view.js";
import { axisMarks, type Frame, heightOf, rule, ticks } from "../../drawing/axes.js";
import type { Palette } from "../../drawing/colour.js";
import { lineColour, lineKey } from "../../drawing/curve.js";
import { keyMarks, keyRowHeight } from "../../drawing/key.js";
import type { Grid, Mark } from "../../drawing/scene.js";
import { grouped } from "../../text/numbers.js";
import { caption } from "../shared/pictures/captions.js";
import { lineMark, pathThrough } from "../shared/pictures/length-chart.js";
import type { LongerWords } from "./words.js";

export interface LongerLine {
  name: string;
  byPosition: readonly number[];
}

export interface LongerView {
  lines: readonly LongerLine[];
  /** Tokens of a training window, and the loss in such a window. */
  length: number;
  trained: number;
  multiple: number;
  words: LongerWords;
}

const chartHeight = 280;

/** Returns round limits around all curves and the loss at the model's own length. */
export function scaleOf(values: readonly number[]): { minY: number; maxY: number } {
  const low = Math.min(...values);
  const high = Math.max(...values, low + 0.1);
  const step = ticks(high - low, 4)[1]!;
  const round = (value: number) => Number(value.toPrecision(12));
  return {
    minY: round(Math.floor(low / step) * step),
    maxY: round(Math.ceil(high / step) * step),
  };
}

/** Returns the points of a curve: each mean is drawn at the middle of its piece. */
const pointsOf = ({ byPosition }: LongerLine, frame: Frame) =>
  byPosition.map(
    (value, part) =>
      [
        frame.left + ((part + 0.5) / byPosition.length) * frame.width,
        heightOf(frame, value),
      ] as const,
  );

/** Draws the training length, and the loss in a training window as a level for comparison. */
function levels({ trained, multiple, words }: LongerView, frame: Frame, palette: Palette): Mark[] {
  const x = frame.left + frame.width / multiple;
  const y = heightOf(frame, trained);
  const right = frame.left + frame.width;
  return [
    { ...rule(x, frame.top, x, frame.top + frame.height, palette.soft), dash: [4, 4] },
    caption(palette, x + 7, frame.top + 13, words.trained),
    { ...rule(frame.left, y, right, y, palette.soft), dash: [2, 3] },
    caption(palette, right, y + 15, words.trained, "right"),
  ];
}

function columnsOf({ length, multiple }: LongerView, frame: Frame) {
  const step = Math.max(1, Math.round(multiple / (frame.width > 460 ? 8 : 4)));
  const count = Math.floor(multiple / step);
  return Array.from({ length: count + 1 }, (_, index) => ({
    at: index * step,
    text: grouped(index * step * length),
  }));
}

export const drawLonger =
  (view: LongerView): Draw =>
  (width, palette, measure) => {
    const { lines, trained, multiple, length, words } = view;
    const names = lines.map(({ name }) => name);
    const key = keyMarks(lineKey(names, palette, lineColour), { width }, palette, measure);
    const values = [trained, ...lines.flatMap(({ byPosition }) => byPosition)];
    const frame: Frame = {
      left: 44,
      top: key.rows * keyRowHeight + 38,
      width: width - 60,
      height: chartHeight,
      maxX: multiple,
      ...scaleOf(values),
    };
    const columns = columnsOf(view, frame);
    const marks = [
      ...key.marks,
      ...axisMarks(frame, palette, { x: words.x, y: words.y, columns }),
      ...levels(view, frame, palette),
      ...lines.map((line, index) => lineMark(pathThrough(pointsOf(line, frame)), index, palette)),
    ];
    const grid: Grid = {
      id: "stretches",
      label: words.gridLabel,
      x: frame.left,
      y: frame.top,
      cellWidth: frame.width / multiple,
      cellHeight: frame.height / Math.max(1, lines.length),
      rows: lines.length,
      columns: multiple,
      describe: (row, part) => {
        const { name, byPosition } = lines[row]!;
        return words.cell(name, part * length + 1, (part + 1) * length, byPosition[part]!);
      },
    };
    return { width, height: frame.top + frame.height + 44, marks, grids: [grid] };
  };
