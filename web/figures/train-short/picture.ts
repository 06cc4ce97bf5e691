/**
 * Loss or right answers against the length of the test, with a band over seeds, and beside it the
 * losses during training.
 */
import type { Draw } from "../../controls/scene-view.js";
import { axisMarks, type Frame, heightOf, roundUp, rule } from "../../drawing/axes.js";
import { mix, type Palette } from "../../drawing/colour.js";
import { type Look, lineColour } from "../../drawing/curve.js";
import { type KeyEntry, keyMarks, keyRowHeight } from "../../drawing/key.js";
import type { Mark, Measure } from "../../drawing/scene.js";
import type { SharedWords } from "../shared/figure/words.js";
import { caption, heading, linesOf } from "../shared/pictures/captions.js";
import { endLabels, type LineEnd, labelGap, labelRoom } from "../shared/pictures/end-labels.js";
import { onPaper } from "../shared/pictures/hand-labels.js";
import {
  bandOf,
  chartGrid,
  columnX,
  endsOf,
  lineMark,
  meanMarks,
  pathThrough,
  ringPath,
  type Tested,
  trainedMarks,
} from "../shared/pictures/length-chart.js";
import type { TestMeasure } from "./measures.js";
import type { TrainWords } from "./words.js";

export interface Series {
  name: string;
  look: Look;
  /** Losses of each seed, in bits, from `firstStep` on. */
  losses: readonly (readonly number[])[];
  firstStep: number;
  /**
   * Results at each multiple, once a seed has been tested; `undefined` if the scheme is not defined
   * there.
   */
  tested: Tested;
  /** Results recorded before the reader's training, drawn under those of it. */
  recorded: Tested;
}

export interface Guess {
  name: string;
  /** The curve, which sets its colour. */
  look: Look;
  /** Guess at each multiple. */
  values: readonly number[];
}

export interface LengthView {
  series: readonly Series[];
  guesses: readonly Guess[];
  /** The guess of the rings, while they stand for the results of one scheme. */
  rings: Guess | undefined;
  /** True once the reader has begun to train. */
  isTrained: boolean;
  length: number;
  multiples: readonly number[];
  steps: number;
  measure: TestMeasure;
  words: TrainWords & SharedWords["lengths"];
  describe: (row: number, column: number) => string;
  /** Called before each painting with the frame of the test's chart. */
  onFrame: (frame: Frame) => void;
}

/**
 * Further space on the left of the test's chart, so that a ring in its first column covers no
 * number.
 */
const ringRoom = 12;

/** Most lines of a name inside the chart. */
const maxLines = 2;

/** End of the scale of a task's loss, in bits: an answer is one of 8 symbols. */
const lossEnd = 4;

/** Returns means of ten steps each, which show the trend without the noise of single batches. */
export function smoothed(losses: readonly number[], span = 10): [step: number, loss: number][] {
  const count = Math.floor(losses.length / span);
  return Array.from({ length: count }, (_, index) => {
    const part = losses.slice(index * span, (index + 1) * span);
    return [(index + 0.5) * span, part.reduce((a, b) => a + b) / span];
  });
}

const guessColour = (look: Look, palette: Palette): string =>
  mix(palette.paper, lineColour(look, palette), 0.4);

function guessMarks({ values, look }: Guess, frame: Frame, palette: Palette): Mark[] {
  const stroke = guessColour(look, palette);
  const points = values.map(
    (value, column) => [columnX(frame, column), heightOf(frame, value)] as const,
  );
  return [
    { kind: "path", d: pathThrough(points), stroke, width: 5 },
    ...points.map(
      ([x, y]): Mark => ({
        kind: "path",
        d: ringPath(x, y, 5),
        stroke,
        width: 2,
        fill: palette.paper,
      }),
    ),
  ];
}

const recordedStyle = { width: 1.5, dash: [1.5, 4] };

/** Draws the recorded results of a scheme, if they are not its line. */
function recordedMarks({ recorded, look }: Series, frame: Frame, palette: Palette): Mark[] {
  const points = recorded.map((one, column) =>
    one ? ([columnX(frame, column), heightOf(frame, one.mean)] as const) : undefined,
  );
  const stroke = lineColour(look, palette);
  return [{ kind: "path", d: pathThrough(points), stroke, ...recordedStyle }];
}

/** Names the guesses and the recorded results, with a sample of their curves. */
const keyEntries = ({ guesses, series, words }: LengthView, palette: Palette): KeyEntry[] => [
  ...guesses.map(
    ({ name, look }): KeyEntry => ({
      name: words.guess(name),
      sample: (x, y) => rule(x, y - 4, x + 26, y - 4, guessColour(look, palette), 5),
    }),
  ),
  ...(series.some(({ recorded }) => recorded.length > 0)
    ? [
        {
          name: words.recordedKey,
          sample: (x: number, y: number): Mark => ({
            ...rule(x, y - 4, x + 26, y - 4, palette.ink),
            ...recordedStyle,
          }),
        },
      ]
    : []),
];

/** A chart, and the space for names on its right. */
interface ChartArea {
  frame: Frame;
  room: number;
}

/** Draws names beside a chart. */
function namesBeside(
  ends: LineEnd[],
  { frame, room }: ChartArea,
  palette: Palette,
  measure: Measure,
) {
  const { left, top, width, height } = frame;
  const space = { edge: left + width, room, top: top - 6, bottom: top + height + 6 };
  return endLabels(ends, space, palette, measure);
}

/** Whether a curve has no result yet, or one at the longest test. */
const reachesEdge = ({ tested }: Series): boolean => !tested.length || tested.at(-1) !== undefined;

/** A text at the last point of a curve that ends early: its lines, or none where it has no room. */
function earlyEndOf(
  one: Series,
  { multiples, length, words }: LengthView,
  frame: Frame,
  measure: Measure,
): { said: string; x: number; y: number; lines: string[] } | undefined {
  const { name, tested } = one;
  const column = tested.findLastIndex((result) => result !== undefined);
  if (column < 0 || reachesEdge(one)) return undefined;
  const x = columnX(frame, column) + 9;
  const said = words.endsAt(name, multiples[column]! * length);
  const lines = linesOf(said, columnX(frame, column + 1) - x - 4, measure);
  const y = heightOf(frame, tested[column]!.mean);
  return { said, x, y, lines: lines.length > maxLines ? [] : lines };
}

/** Names a curve that ends early at its last point, above it or, high in the chart, below. */
function earlyEndMarks(
  one: Series,
  view: LengthView,
  frame: Frame,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const end = earlyEndOf(one, view, frame, measure);
  if (!end) return [];
  const { x, y, lines } = end;
  const pitch = 14;
  const isHigh = y < frame.top + frame.height / 3;
  const first = isHigh ? y + 20 : y - 8 - pitch * (lines.length - 1);
  return lines.flatMap((text, row) => {
    const label = caption(palette, x, first + row * pitch, text);
    return onPaper({ ...label, fill: lineColour(one.look, palette) }, palette, measure);
  });
}

/** The names of such curves that have no room at their end: they stand beside the chart, low. */
const namesOfEarly = (view: LengthView, frame: Frame, measure: Measure): LineEnd[] =>
  view.series.flatMap((one) => {
    const end = earlyEndOf(one, view, frame, measure);
    return end && !end.lines.length ? [{ name: end.said, look: one.look, y: undefined }] : [];
  });

function testMarks(view: LengthView, area: ChartArea, palette: Palette, measure: Measure): Mark[] {
  const { frame } = area;
  const { series, guesses, rings, multiples, length, words } = view;
  // A curve that ends early has its name at its last point instead of at the edge.
  const ends = endsOf(series.filter(reachesEdge), frame, words.notDefined);
  ends.push(...namesOfEarly(view, frame, measure));
  // Rings that nobody has moved have no curve: it would look measured.
  if (rings) {
    const { name, look, values } = rings;
    ends.push({ name: words.guess(name), look, y: heightOf(frame, values.at(-1)!) });
  }
  const columns = multiples.map((multiple, at) => ({ at, text: String(multiple * length) }));
  const axes = { x: words.x, y: words.y, left: frame.left - 40 - ringRoom, gap: 7 + ringRoom };
  return [
    ...series.flatMap(({ tested, look }) => bandOf(tested, look, frame, palette)),
    ...axisMarks(frame, palette, { ...axes, columns }),
    ...trainedMarks(frame, multiples.indexOf(1), words.trained, palette),
    ...guesses.flatMap((guess) => guessMarks(guess, frame, palette)),
    ...series.flatMap((one) => recordedMarks(one, frame, palette)),
    ...series.flatMap(({ tested, look }) => meanMarks(tested, look, frame, palette)),
    ...series.flatMap((one) => earlyEndMarks(one, view, frame, palette, measure)),
    ...namesBeside(ends, area, palette, measure),
  ];
}

function trainMarks(view: LengthView, area: ChartArea, palette: Palette, measure: Measure): Mark[] {
  const { series, words } = view;
  const { frame } = area;
  const ends: LineEnd[] = [];
  const marks = axisMarks(frame, palette, { x: words.steps, y: words.loss, left: frame.left - 40 });
  series.forEach(({ name, look, losses, firstStep }) => {
    const last: number[] = [];
    for (const run of losses) {
      const points = smoothed(run).map(([step, loss]) => {
        const within = Math.min(frame.maxY, Math.max(frame.minY ?? 0, loss));
        return [
          frame.left + ((firstStep + step) / frame.maxX) * frame.width,
          heightOf(frame, within),
        ] as const;
      });
      if (points.length < 2) continue;
      marks.push(lineMark(pathThrough(points), look, palette, 1.2));
      last.push(points.at(-1)![1]);
    }
    if (last.length) ends.push({ name, look, y: last.reduce((a, b) => a + b) / last.length });
  });
  return [...marks, ...namesBeside(ends, area, palette, measure)];
}

/**
 * Returns the frames of both charts, with names beside each: side by side if there is space, else
 * one above the other.
 */
function framesOf(view: LengthView, width: number, keyHeight: number, room: number) {
  const { series, guesses, multiples, steps, measure, rings, isTrained } = view;
  const isWide = width >= 640;
  const values = [
    ...series.flatMap(({ tested, recorded }) =>
      [...tested, ...recorded].map((one) => one?.max ?? 0),
    ),
    ...guesses.flatMap((guess) => guess.values),
  ];
  // The chart covers the whole range of the rings.
  const highest = Math.max(rings ? measure.max : measure.end, ...values);
  const sizes = { maxY: roundUp(highest), minY: measure.min, height: isWide ? 280 : 240 };
  // Without losses there is no chart of them, and the other one has all of the width.
  const inner = isWide && isTrained ? Math.round(width * 0.56) : width;
  const beside = labelGap + room;
  const top = keyHeight + 52;
  const test: Frame = {
    left: 40 + ringRoom,
    top,
    width: inner - 40 - ringRoom - beside,
    maxX: multiples.length - 1,
    ...sizes,
  };
  const lowest = test.top + test.height + 44;
  const train: Frame = {
    left: isWide ? inner + 56 : 40,
    top: isWide ? top : lowest + 56,
    width: (isWide ? width - inner - 56 : width - 40) - labelGap - room,
    maxX: Math.max(steps, ...series.map(({ firstStep }) => firstStep + steps)),
    ...sizes,
    ...(measure.isHighBest ? { maxY: lossEnd, minY: 0 } : {}),
    height: isWide ? sizes.height : 170,
  };
  return { test, train: isTrained ? train : undefined, lowest };
}

const title = (x: number, { top }: Frame, text: string, palette: Palette): Mark => ({
  ...heading(palette, x, top - 34, text),
  size: 13,
});

/** Draws loss by length of the test, and beside it the losses during training. */
export const drawLengths =
  (view: LengthView): Draw =>
  (width, palette, measure) => {
    const { series, rings, multiples, words } = view;
    const names = series.filter(reachesEdge).map(({ name }) => name);
    if (rings) names.push(words.guess(rings.name));
    const room = labelRoom(names, width >= 640 ? 110 : 100, measure);
    const entries = keyEntries(view, palette);
    const key = keyMarks(entries, { left: 0, width: width - 40 }, palette, measure);
    const keyHeight = entries.length ? key.rows * keyRowHeight : 0;
    const { test, train, lowest } = framesOf(view, width, keyHeight, room);
    view.onFrame(test);
    const marks: Mark[] = [
      ...key.marks,
      title(0, test, words.testTitle, palette),
      ...testMarks(view, { frame: test, room }, palette, measure),
    ];
    if (train)
      marks.push(
        title(train.left - 40, train, words.trainTitle, palette),
        ...trainMarks(view, { frame: train, room }, palette, measure),
      );
    const results = series.flatMap(({ tested }, row) => (tested.length ? [row] : []));
    const size = { rows: results.length, columns: multiples.length };
    const describe = (row: number, column: number) => view.describe(results[row]!, column);
    const grid = chartGrid(test, size, { id: "lengths", label: words.gridLabel, describe });
    return {
      width,
      height: train ? train.top + train.height + 44 : lowest,
      marks,
      grids: results.length ? [grid] : [],
    };
  };
