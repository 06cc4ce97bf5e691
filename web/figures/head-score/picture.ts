/**
 * The picture of a head's score by distance: how much each pair moves it, and three curves on one
 * axis of distances: of the pair that comes round, of all pairs, and ALiBi's.
 */
import type { Draw } from "../../controls/scene-view.js";
import { axisMarks, type Frame, heightOf, rule, ticks } from "../../drawing/axes.js";
import { mix, type Palette } from "../../drawing/colour.js";
import { pathOf } from "../../drawing/curve.js";
import { dialRim } from "../../drawing/dial.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { grouped } from "../../text/numbers.js";
import { caption, heading, headingLines, linesOf } from "../shared/pictures/captions.js";
import { onPaper } from "../shared/pictures/hand-labels.js";
import type { HeadScoreAnswer } from "./messages.js";
import type { Scores } from "./scores.js";
import type { HeadScoreWords } from "./words.js";

export interface HeadPicture {
  answer: HeadScoreAnswer;
  scores: Scores;
  isWhole: boolean;
}

interface Area {
  x: number;
  y: number;
  width: number;
}

interface Pens {
  words: HeadScoreWords;
  palette: Palette;
  measure: Measure;
}

interface Block {
  marks: Mark[];
  grid: Grid;
  bottom: number;
}

const isWideFrom = 760;
const rowPitch = 25;
const textSize = 13;
const lineHeight = 18;
/** Heights of the three charts, and the space for the numbers of their vertical axis. */
const chartHeights = { alone: 110, head: 240, bias: 110 };
/** Distances of the numbers on their vertical axes. */
const steps = { alone: 2, head: 2, bias: 20 };
const numbersWidth = 40;
/** Space for the numbers of the peaks, in the score's unit. */
const room = 1;
/** Smallest value of ALiBi's axis: e to this power is nothing. */
const lowestBias = -40;

/** A bar for each pair: by how much it moves the score. */
function barsBlock({ answer, scores, isWhole }: HeadPicture, area: Area, pens: Pens): Block {
  const { words, palette, measure } = pens;
  const { x, y, width } = area;
  const lines = headingLines(words.bars, width, measure);
  const first = y + lines.length * lineHeight + 44;
  const [number, wave, left] = [x + 26, x + 92, x + 104];
  const room = width - 104 - 44;
  const largest = Math.max(...scores.swings);
  const rows = answer.pairs.flatMap(({ period }, pair): Mark[] => {
    const middle = first + (pair + 0.5) * rowPitch;
    const swing = scores.swings[pair]!;
    const isReturning = pair === answer.returning;
    const isOff = isReturning && !isWhole;
    const fill = isReturning ? palette.position : palette.soft;
    const text = { fill: isReturning ? palette.position : palette.soft, size: textSize };
    const weight = isReturning ? 600 : 400;
    const long = (swing / largest) * room;
    const bar = { x: left, y: middle - 6, width: long, height: 12 };
    return [
      { ...caption(palette, number, middle + 4, String(pair + 1), "right"), ...text, weight },
      { ...caption(palette, wave, middle + 4, words.period(period), "right"), ...text, weight },
      { kind: "rect", ...bar, ...(isOff ? { stroke: fill } : { fill }) },
      { ...caption(palette, left + long + 6, middle + 4, words.swing(swing)), ...text, weight },
    ];
  });
  const bottom = first + answer.pairs.length * rowPitch;
  const grid: Grid = {
    id: "pairs",
    label: words.bars,
    x,
    y: first,
    cellWidth: width,
    cellHeight: rowPitch,
    rows: answer.pairs.length,
    columns: 1,
    describe: (pair) => words.row(pair, answer.pairs[pair]!, scores.swings[pair]!),
  };
  const name = (to: number, text: string): Mark[] => {
    const parts = linesOf(text, 60, measure);
    return parts.map((line, row) =>
      caption(palette, to, first - 8 - 16 * (parts.length - 1 - row), line, "right"),
    );
  };
  const marks: Mark[] = [
    ...lines.map((line, row) => heading(palette, x, y + 14 + lineHeight * row, line)),
    ...name(number, words.pair),
    ...name(wave, words.tokens),
    ...rows,
    rule(left, first, left, bottom, palette.soft),
  ];
  return { marks, grid, bottom };
}

const columnsOf = ({ maxX, width }: Frame) =>
  ticks(maxX, width > 460 ? 8 : 4)
    .filter((at) => at <= maxX)
    .map((at) => ({ at, text: grouped(at) }));

interface ChartNames {
  title: string;
  /** What the numbers of its vertical axis are. */
  scale: string;
  axis: string;
}

interface ChartRange {
  height: number;
  minY: number;
  maxY: number;
  maxX: number;
  /** Distance of the numbers on the vertical axis. */
  step: number;
}

/** Returns the multiples of a step between the ends of an axis. */
function multiplesOf({ minY, maxY, step }: ChartRange): number[] {
  const first = Math.ceil(minY / step);
  const count = Math.floor(maxY / step) - first + 1;
  return Array.from({ length: count }, (_, at) => (first + at) * step);
}

/** A chart's title, its scale, the distances of the training as a shaded area, and its axes. */
function chartOf(
  { x, y, width }: Area,
  names: ChartNames,
  range: ChartRange,
  trained: number,
  { palette, measure }: Pens,
): { frame: Frame; marks: Mark[]; bottom: number } {
  const lines = headingLines(names.title, width, measure);
  const scale = linesOf(names.scale, width, measure);
  const scaleAt = y + 14 + lines.length * lineHeight;
  const { height, minY, maxY, maxX } = range;
  const frame: Frame = {
    left: x + numbersWidth,
    top: scaleAt + scale.length * 16 + 14,
    width: width - numbersWidth - 14,
    height,
    minY,
    maxY,
    maxX,
  };
  const shade: Mark = {
    kind: "rect",
    x: frame.left,
    y: frame.top,
    width: xOf(frame, trained - 1) - frame.left,
    height,
    fill: trainedColour(palette),
  };
  const axes = { x: names.axis, y: "", columns: columnsOf(frame), rows: multiplesOf(range) };
  const marks = [
    ...lines.map((line, row) => heading(palette, x, y + 14 + lineHeight * row, line)),
    ...scale.map((line, row) => caption(palette, x, scaleAt + 16 * row, line)),
    shade,
    ...axisMarks(frame, palette, axes),
  ];
  return { frame, marks, bottom: frame.top + height + (names.axis ? 42 : 24) };
}

/** The colour of what was seen in training, as on the dial of the ghosts. */
const trainedColour = ({ paper, content }: Palette): string => mix(paper, content, 0.4);

const xOf = ({ left, width, maxX }: Frame, distance: number): number =>
  left + (distance / maxX) * width;

const curveMark = (values: Float32Array, frame: Frame, stroke: string, width: number): Mark => ({
  kind: "path",
  d: pathOf({ name: "", values }, frame),
  stroke,
  width,
});

/** The full turns of the pair that comes round, as dotted lines, with their names if asked for. */
function rotationMarks(
  { answer }: HeadPicture,
  frame: Frame,
  { words, palette, measure }: Pens,
  hasNames: boolean,
): Mark[] {
  const { period } = answer.pairs[answer.returning]!;
  let right = 0;
  return Array.from({ length: Math.floor(frame.maxX / period) }, (_, at) => at + 1).flatMap(
    (count): Mark[] => {
      const x = xOf(frame, count * period);
      const line = rule(x, frame.top, x, frame.top + frame.height, palette.position);
      const name = words.rotations(count);
      const half = measure(name, textSize) / 2;
      const marks: Mark[] = [{ ...line, dash: [1.5, 4] }];
      if (hasNames && x - half > right + 4 && x + half < frame.left + frame.width + 8) {
        right = x + half;
        const text = caption(palette, x, frame.top - 5, name, "center");
        marks.push({ ...text, size: textSize, fill: palette.position });
      }
      return marks;
    },
  );
}

/** The largest scores far away, each in a circle with its distance above the line of 0. */
function peakMarks({ scores }: HeadPicture, frame: Frame, { palette, measure }: Pens): Mark[] {
  const zero = heightOf(frame, 0);
  let right = 0;
  return scores.peaks.flatMap((distance): Mark[] => {
    const [x, y] = [xOf(frame, distance), heightOf(frame, scores.head[distance]!)];
    const name = grouped(distance);
    const half = measure(name, textSize) / 2;
    const ring = dialRim(x, y, 4);
    const marks: Mark[] = [
      { kind: "path", d: ring, stroke: palette.ink, width: 1.5, fill: palette.paper },
    ];
    if (x - half > right + 4) {
      right = x + half;
      const text = caption(palette, x, Math.min(y - 10, zero - 8), name, "center");
      const look = { size: textSize, fill: palette.ink, weight: 600 };
      marks.push(...onPaper({ ...text, ...look }, palette, measure));
    }
    return marks;
  });
}

/** The name of the shaded area, beside it. */
function trainedMarks({ answer }: HeadPicture, frame: Frame, pens: Pens): Mark[] {
  const { words, palette, measure } = pens;
  const farthest = answer.trained - 1;
  const x = xOf(frame, farthest) + 6;
  const name = caption(palette, x, frame.top + frame.height - 6, words.trained(farthest));
  return onPaper({ ...name, fill: palette.content }, palette, measure);
}

/** ALiBi's straight lines, one for each head, with its slope at its end. */
function biasMarks({ answer }: HeadPicture, frame: Frame, { words, palette }: Pens): Mark[] {
  const { biases, heads } = answer;
  const distances = biases.length / heads;
  return Array.from({ length: heads }, (_, head) => head).flatMap((head): Mark[] => {
    const line = biases.subarray(head * distances, (head + 1) * distances);
    const slope = -line[1]!;
    const last = Math.min(distances - 1, Math.floor(-lowestBias / slope));
    const [x, y] = [xOf(frame, last), heightOf(frame, line[last]!)];
    const isShort = last < distances - 1;
    const text = words.slope(1 / slope);
    return [
      curveMark(line.subarray(0, last + 1), frame, palette.ink, 1.5),
      {
        ...(isShort
          ? caption(palette, x + 6, y - 6, text)
          : caption(palette, x - 6, y + 17, text, "right")),
        size: textSize,
        fill: palette.ink,
      },
    ];
  });
}

function chartsBlock(shown: HeadPicture, area: Area, pens: Pens): Block {
  const { words, palette } = pens;
  const { scores, answer } = shown;
  const { head, alone } = scores;
  const maxX = head.length - 1;
  // The pair's own wave about the mean of the curve, to be compared with it.
  const mean = head.reduce((sum, score) => sum + score, 0) / head.length;
  const aloneBelow = alone.map((score) => score + mean);
  const { distance: axis } = words;
  const lowest = (values: Float32Array, step: number) =>
    step * Math.floor(Math.min(0, ...values) / step);
  const ranges = {
    alone: { minY: -steps.alone, maxY: steps.alone },
    head: { minY: lowest(head, steps.head), maxY: Math.max(0, ...head) + room },
    bias: { minY: lowestBias, maxY: 0 },
  };
  const chart = (which: keyof typeof ranges, y: number) => {
    const { title, scale } = words.chartNames[which];
    const pair = answer.returning;
    const names = { title: title(pair), scale, axis: which === "bias" ? axis : "" };
    const range = { ...ranges[which], height: chartHeights[which], step: steps[which], maxX };
    return chartOf({ ...area, y }, names, range, answer.trained, pens);
  };
  const first = chart("alone", area.y);
  const second = chart("head", first.bottom + 12);
  const third = chart("bias", second.bottom + 12);
  const grid: Grid = {
    id: "distances",
    label: words.charts,
    x: first.frame.left,
    y: first.frame.top,
    cellWidth: first.frame.width / head.length,
    cellHeight: third.frame.top + third.frame.height - first.frame.top,
    rows: 1,
    columns: head.length,
    describe: (_, at) => words.at(at, answer.returning, alone[at]!, head[at]!),
  };
  const marks: Mark[] = [
    ...first.marks,
    ...rotationMarks(shown, first.frame, pens, true),
    curveMark(alone, first.frame, palette.position, 1.5),
    ...second.marks,
    ...rotationMarks(shown, second.frame, pens, false),
    ...(shown.isWhole ? [curveMark(aloneBelow, second.frame, palette.position, 1)] : []),
    curveMark(head, second.frame, palette.ink, 1.25),
    ...trainedMarks(shown, second.frame, pens),
    ...peakMarks(shown, second.frame, pens),
    ...third.marks,
    ...biasMarks(shown, third.frame, pens),
  ];
  return { marks, grid, bottom: third.bottom };
}

export function drawHeadScore(shown: HeadPicture | undefined, words: HeadScoreWords): Draw {
  return (width, palette, measure) => {
    const isWide = width >= isWideFrom;
    if (!shown) return { width, height: isWide ? 640 : 1080, marks: [], grids: [] };
    const pens = { words, palette, measure };
    const side = isWide ? 300 : width;
    const bars = barsBlock(shown, { x: 0, y: 0, width: side }, pens);
    const area = isWide
      ? { x: side + 36, y: 0, width: width - side - 36 }
      : { x: 0, y: bars.bottom + 26, width };
    const charts = chartsBlock(shown, area, pens);
    return {
      width,
      height: Math.max(bars.bottom, charts.bottom),
      marks: [...bars.marks, ...charts.marks],
      grids: [bars.grid, charts.grid],
    };
  };
}
