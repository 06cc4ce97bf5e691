/** Loss against the length of the test, with a band over seeds, and beside it the losses while training. */
import type { Draw } from "../../controls/scene-view.js";
import { axisMarks, type Frame, heightOf, roundUp, rule } from "../../drawing/axes.js";
import { mix, type Palette } from "../../drawing/colour.js";
import { keyMarks, lineStyles } from "../../drawing/curve.js";
import type { Grid, Mark, Measure, PathMark } from "../../drawing/scene.js";
import { caption } from "../shared/captions.js";

export interface Tested {
  mean: number;
  least: number;
  most: number;
  count: number;
}

export interface Series {
  name: string;
  /** Of each seed, in bits, from `firstStep` on. */
  losses: readonly (readonly number[])[];
  firstStep: number;
  /** At each multiple, once a seed has been tested; `undefined` where it is not defined. */
  tested: readonly (Tested | undefined)[];
}

export interface Guess {
  name: string;
  /** In bits, at each multiple. */
  values: readonly number[];
}

export interface LengthWords {
  x: string;
  y: string;
  trained: string;
  steps: string;
  testTitle: string;
  trainTitle: string;
  guess: (names: string) => string;
  joiner: string;
  notDefined: (name: string) => string;
  gridLabel: string;
}

export interface LengthView {
  series: readonly Series[];
  guesses: readonly Guess[];
  length: number;
  multiples: readonly number[];
  steps: number;
  words: LengthWords;
  describe: (row: number, column: number) => string;
  /** Told where the chart of the test lies, before each painting. */
  onFrame: (frame: Frame) => void;
}

/** More room on the left of the test's chart, so that a ring in its first column covers no number. */
const ringRoom = 12;

export const leastBits = 2;
export const mostBits = 5;

const fixed = (value: number): string => value.toFixed(1);

/** A line through points, with a gap where there is none. */
export function pathThrough(points: readonly (readonly [number, number] | undefined)[]): string {
  let isOpen = false;
  return points
    .map((point) => {
      const step = point ? `${isOpen ? "L" : "M"}${fixed(point[0])} ${fixed(point[1])}` : "";
      isOpen = point !== undefined;
      return step;
    })
    .join("");
}

export const line = (d: string, index: number, palette: Palette, width?: number): PathMark => {
  const style = lineStyles[index % lineStyles.length]!;
  return { kind: "path", d, stroke: palette.ink, width: width ?? style.width, dash: style.dash };
};

export const ring = (x: number, y: number, radius: number): string =>
  `M${fixed(x - radius)} ${fixed(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;

/** Means of ten steps each, so that a line shows where the loss goes and not each batch. */
export function smoothed(losses: readonly number[], span = 10): [step: number, loss: number][] {
  const count = Math.floor(losses.length / span);
  return Array.from({ length: count }, (_, index) => {
    const part = losses.slice(index * span, (index + 1) * span);
    return [(index + 0.5) * span, part.reduce((a, b) => a + b) / span];
  });
}

export const columnX = (frame: Frame, column: number): number =>
  frame.left + (column / frame.mostX) * frame.width;

/** A line through the means, and a dot on each. */
export function meanMarks(
  tested: Series["tested"],
  index: number,
  frame: Frame,
  palette: Palette,
): Mark[] {
  const points = tested.map((one, column) =>
    one ? ([columnX(frame, column), heightOf(frame, one.mean)] as const) : undefined,
  );
  const dots = points.flatMap((point): Mark[] =>
    point
      ? [
          {
            kind: "path",
            d: ring(point[0], point[1], 2.5),
            stroke: palette.ink,
            width: 1,
            fill: palette.ink,
          },
        ]
      : [],
  );
  return [line(pathThrough(points), index, palette), ...dots];
}

export function bandOf({ tested }: Pick<Series, "tested">, frame: Frame, palette: Palette): Mark[] {
  const known = tested.flatMap((one, column) =>
    one && one.count > 1 ? [{ ...one, x: columnX(frame, column) }] : [],
  );
  if (known.length < 2) return [];
  const edge = (list: typeof known, key: "least" | "most") =>
    list.map((one) => `${fixed(one.x)} ${fixed(heightOf(frame, one[key]))}`).join("L");
  const d = `M${edge(known, "most")}L${edge([...known].reverse(), "least")}Z`;
  const fill = mix(palette.paper, palette.ink, 0.22);
  return [{ kind: "path", d, stroke: fill, width: 0, fill }];
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
        d: ring(x, y, 5),
        stroke,
        width: 2,
        fill: palette.paper,
      }),
    ),
  ];
}

/** Names of the guesses with a sample of their line, in the row under those of the lines. */
function guessKey({ guesses, words }: LengthView, y: number, palette: Palette): Mark[] {
  if (!guesses.length) return [];
  const text = words.guess(guesses.map(({ name }) => name).join(words.joiner));
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
  const trained = multiples.indexOf(1);
  const x = columnX(frame, trained);
  const marks: Mark[] = [
    ...series.flatMap((one) => bandOf(one, frame, palette)),
    ...axisMarks(frame, palette, {
      x: words.x,
      y: words.y,
      left: frame.left - 34 - ringRoom,
      gap: 7 + ringRoom,
      columns,
    }),
    {
      ...(rule(x, frame.top, x, frame.top + frame.height, palette.position, 1) as PathMark),
      dash: [4, 4],
    },
    { ...caption(palette, x + 7, frame.top + 13, words.trained), fill: palette.position },
    ...guesses.flatMap((guess) => guessMarks(guess, frame, palette)),
  ];
  series.forEach(({ tested }, index) => {
    marks.push(...meanMarks(tested, index, frame, palette));
  });
  const ends = series.flatMap(({ name, tested }) => {
    const column = tested.indexOf(undefined);
    return column < 0 ? [] : [{ name, column }];
  });
  ends.forEach(({ name, column }, row) => {
    const isLast = column === multiples.length - 1;
    const at = columnX(frame, column);
    // Low, where no loss is and no guess.
    const y = frame.top + frame.height - 8 - row * 17;
    marks.push(
      caption(palette, isLast ? at : at + 6, y, words.notDefined(name), isLast ? "right" : "left"),
    );
  });
  return marks;
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
      if (points.length > 1) marks.push(line(pathThrough(points), index, palette, 1.2));
    }
  });
  return marks;
}

/** Rows that the names of the lines take. */
export function keyRows(names: readonly string[], width: number, measure: Measure): number {
  let rows = 1;
  let x = 0;
  for (const name of names) {
    const wide = 34 + measure(name, 13);
    if (x > 0 && x + wide > width) {
      rows++;
      x = 0;
    }
    x += wide + 18;
  }
  return rows;
}

/** Both charts: beside each other where there is room, else one above the other. */
export const drawLengths =
  (view: LengthView): Draw =>
  (width, palette, measure) => {
    const { series, multiples, words } = view;
    const isWide = width >= 640;
    const hasLosses = series.some(({ losses }) => losses.some((run) => run.length > 0));
    const names = series.map(({ name }) => name);
    const keysHigh = keyRows(names, width - 40, measure) * 20;
    const guessHigh = view.guesses.length ? 20 : 0;
    const values = [
      ...series.flatMap(({ tested }) => tested.map((one) => one?.most ?? 0)),
      ...view.guesses.flatMap((guess) => guess.values),
    ];
    // Before there is anything to show, the rings have all of their range.
    const isTested = series.some(({ tested }) => tested.length > 0);
    const highest = Math.max(isTested ? 4 : mostBits, ...values);
    const sizes = { mostY: roundUp(highest), leastY: leastBits, height: isWide ? 280 : 240 };
    const inner = isWide ? Math.round(width * 0.58) : width;
    const top = keysHigh + guessHigh + 52;
    const test: Frame = {
      left: 40 + ringRoom,
      top,
      width: inner - 62 - ringRoom,
      mostX: multiples.length - 1,
      ...sizes,
    };
    view.onFrame(test);
    const lowest = test.top + test.height + 44;
    const train: Frame = {
      left: isWide ? inner + 44 : 40,
      top: isWide ? top : lowest + 56,
      width: (isWide ? width - inner : width) - 62,
      mostX: Math.max(view.steps, ...series.map(({ firstStep }) => firstStep + view.steps)),
      ...sizes,
      height: isWide ? sizes.height : 170,
    };
    const title = (x: number, frame: Frame, text: string): Mark => ({
      ...caption(palette, x, frame.top - 34, text),
      fill: palette.ink,
      weight: 600,
      size: 13,
    });
    const showsTraining = isWide || hasLosses;
    const marks: Mark[] = [
      ...keyMarks(series, { ...test, width: width - 46, left: 6, keyTop: 0 }, palette, measure),
      ...guessKey(view, keysHigh + 12, palette),
      title(6, test, words.testTitle),
      ...testMarks(view, test, palette),
      ...(showsTraining
        ? [title(train.left - 34, train, words.trainTitle), ...trainMarks(view, train, palette)]
        : []),
    ];
    const pitch = test.width / Math.max(1, multiples.length - 1);
    const grid: Grid = {
      id: "lengths",
      label: words.gridLabel,
      x: test.left - pitch / 2,
      y: test.top,
      cellWidth: pitch,
      cellHeight: test.height / Math.max(1, series.length),
      rows: series.length,
      columns: multiples.length,
      describe: view.describe,
    };
    return {
      width,
      height: showsTraining ? train.top + train.height + 44 : lowest,
      marks,
      grids: isTested ? [grid] : [],
    };
  };
