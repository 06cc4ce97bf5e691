/**
 * Loss against the length of the test, with a band over seeds, and beside it the losses while
 * training.
 */
import type { Draw } from "../../controls/scene-view.js";
import { axisMarks, type Frame, heightOf, roundUp } from "../../drawing/axes.js";
import { mix, type Palette } from "../../drawing/colour.js";
import { lineKey } from "../../drawing/curve.js";
import { keyMarks, keyRowHeight } from "../../drawing/key.js";
import type { Mark } from "../../drawing/scene.js";
import type { SharedWords } from "../shared/figure/words.js";
import { caption, heading } from "../shared/pictures/captions.js";
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
import type { TrainWords } from "./words.js";

export interface Series {
  name: string;
  /** Of each seed, in bits, from `firstStep` on. */
  losses: readonly (readonly number[])[];
  firstStep: number;
  /** At each multiple, once a seed has been tested; `undefined` where it is not defined. */
  tested: Tested;
}

export interface Guess {
  name: string;
  /** In bits, at each multiple. */
  values: readonly number[];
}

export interface LengthView {
  series: readonly Series[];
  guesses: readonly Guess[];
  length: number;
  multiples: readonly number[];
  steps: number;
  words: TrainWords & SharedWords["lengths"];
  /** Between the names of several guesses. */
  joiner: string;
  describe: (row: number, column: number) => string;
  /** Told where the chart of the test lies, before each painting. */
  onFrame: (frame: Frame) => void;
}

/**
 * More room on the left of the test's chart, so that a ring in its first column covers no number.
 */
const ringRoom = 12;

export const leastBits = 2;
export const mostBits = 5;

/** Means of ten steps each, so that a line shows where the loss goes and not each batch. */
export function smoothed(losses: readonly number[], span = 10): [step: number, loss: number][] {
  const count = Math.floor(losses.length / span);
  return Array.from({ length: count }, (_, index) => {
    const part = losses.slice(index * span, (index + 1) * span);
    return [(index + 0.5) * span, part.reduce((a, b) => a + b) / span];
  });
}

const guessColour = (palette: Palette): string => mix(palette.paper, palette.ink, 0.32);

function guessMarks({ values }: Guess, frame: Frame, palette: Palette): Mark[] {
  const stroke = guessColour(palette);
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

/** Names of the guesses with a sample of their line, in the row under those of the lines. */
function guessKey({ guesses, words, joiner }: LengthView, y: number, palette: Palette): Mark[] {
  if (!guesses.length) return [];
  const text = words.guess(guesses.map(({ name }) => name).join(joiner));
  const x = 6;
  return [
    {
      kind: "path",
      d: `M${x} ${y - 4}L${x + 26} ${y - 4}`,
      stroke: guessColour(palette),
      width: 5,
    },
    { ...caption(palette, x + 33, y, text), size: 13, fill: palette.ink },
  ];
}

function testMarks(view: LengthView, frame: Frame, palette: Palette): Mark[] {
  const { series, guesses, multiples, length, words } = view;
  const columns = multiples.map((multiple, at) => ({ at, text: String(multiple * length) }));
  const axes = { x: words.x, y: words.y, left: frame.left - 34 - ringRoom, gap: 7 + ringRoom };
  const ends = endsOf(series).map(({ name, column }, row) => {
    const isLast = column === multiples.length - 1;
    const x = columnX(frame, column) + (isLast ? 0 : 6);
    // Low, where no loss is and no guess.
    const y = frame.top + frame.height - 8 - row * 17;
    return caption(palette, x, y, words.notDefined(name), isLast ? "right" : "left");
  });
  return [
    ...series.flatMap(({ tested }) => bandOf(tested, frame, palette)),
    ...axisMarks(frame, palette, { ...axes, columns }),
    ...trainedMarks(frame, multiples.indexOf(1), words.trained, palette),
    ...guesses.flatMap((guess) => guessMarks(guess, frame, palette)),
    ...series.flatMap(({ tested }, index) => meanMarks(tested, index, frame, palette)),
    ...ends,
  ];
}

function trainMarks(view: LengthView, frame: Frame, palette: Palette): Mark[] {
  const { series, words } = view;
  const marks = axisMarks(frame, palette, { x: words.steps, y: words.y, left: frame.left - 34 });
  series.forEach(({ losses, firstStep }, index) => {
    for (const run of losses) {
      const points = smoothed(run).map(([step, loss]) => {
        const within = Math.min(frame.mostY, Math.max(leastBits, loss));
        return [
          frame.left + ((firstStep + step) / frame.mostX) * frame.width,
          heightOf(frame, within),
        ] as const;
      });
      if (points.length > 1) marks.push(lineMark(pathThrough(points), index, palette, 1.2));
    }
  });
  return marks;
}

/** Where both charts lie: beside each other where there is room, else one above the other. */
function framesOf(view: LengthView, width: number, keyHeight: number) {
  const { series, guesses, multiples, steps } = view;
  const isWide = width >= 640;
  const values = [
    ...series.flatMap(({ tested }) => tested.map((one) => one?.most ?? 0)),
    ...guesses.flatMap((guess) => guess.values),
  ];
  // Before there is anything to show, the rings have all of their range.
  const highest = Math.max(isTested(view) ? 4 : mostBits, ...values);
  const sizes = { mostY: roundUp(highest), leastY: leastBits, height: isWide ? 280 : 240 };
  const inner = isWide ? Math.round(width * 0.58) : width;
  const top = keyHeight + 52;
  const test: Frame = {
    left: 40 + ringRoom,
    top,
    width: inner - 62 - ringRoom,
    mostX: multiples.length - 1,
    ...sizes,
  };
  const lowest = test.top + test.height + 44;
  const train: Frame = {
    left: isWide ? inner + 44 : 40,
    top: isWide ? top : lowest + 56,
    width: (isWide ? width - inner : width) - 62,
    mostX: Math.max(steps, ...series.map(({ firstStep }) => firstStep + steps)),
    ...sizes,
    height: isWide ? sizes.height : 170,
  };
  // On a narrow screen an empty chart of the training would only push the rest away.
  const hasLosses = series.some(({ losses }) => losses.some((run) => run.length > 0));
  return { test, train: isWide || hasLosses ? train : undefined, lowest };
}

const isTested = ({ series }: LengthView): boolean =>
  series.some(({ tested }) => tested.length > 0);

const title = (x: number, { top }: Frame, text: string, palette: Palette): Mark => ({
  ...heading(palette, x, top - 34, text),
  size: 13,
});

/** Loss by length of the test, and beside it the losses while training. */
export const drawLengths =
  (view: LengthView): Draw =>
  (width, palette, measure) => {
    const { series, multiples, words } = view;
    const names = series.map(({ name }) => name);
    const keyPlace = { left: 6, width: width - 46 };
    const key = keyMarks(lineKey(names, palette), keyPlace, palette, measure);
    const keyHeight = key.rows * keyRowHeight;
    const { test, train, lowest } = framesOf(
      view,
      width,
      keyHeight + (view.guesses.length ? keyRowHeight : 0),
    );
    view.onFrame(test);
    const marks: Mark[] = [
      ...key.marks,
      ...guessKey(view, keyHeight + 12, palette),
      title(6, test, words.testTitle, palette),
      ...testMarks(view, test, palette),
    ];
    if (train)
      marks.push(
        title(train.left - 34, train, words.trainTitle, palette),
        ...trainMarks(view, train, palette),
      );
    const size = { rows: series.length, columns: multiples.length };
    const { describe } = view;
    const grid = chartGrid(test, size, { id: "lengths", label: words.gridLabel, describe });
    return {
      width,
      height: train ? train.top + train.height + 44 : lowest,
      marks,
      grids: isTested(view) ? [grid] : [],
    };
  };
