/** Tokens for one full rotation of every pair, on a logarithmic scale, before and after scaling. */
import { rule } from "../../../drawing/axes.js";
import { mix, type Palette } from "../../../drawing/colour.js";
import { type KeyEntry, keyMarks } from "../../../drawing/key.js";
import type { Grid, Mark, Measure } from "../../../drawing/scene.js";
import type { PairKind, StretchedPair } from "../../../engine/both/stretched-pairs.js";
import { wavelength } from "../../../engine/both/stretched-pairs.js";
import { grouped } from "../../../text/numbers.js";
import { caption } from "./captions.js";
import type { WavelengthWords } from "./wavelength-words.js";

/** Pairs of a head, its training length, and the length of the text. */
export interface Wavelengths {
  pairs: readonly StretchedPair[];
  /** Length of the text as a multiple of the trained length. */
  factor: number;
  /** Trained length in tokens. */
  length: number;
}

/** The chart's words, with the picture's name. */
export type ChartWords = WavelengthWords & { name: string };

export interface Area {
  x: number;
  y: number;
  width: number;
}

const height = 300;

/** Dots that distinguish the kinds without colour: full, half, ring. */
export function kindMarks(
  kind: PairKind,
  x: number,
  y: number,
  radius: number,
  { position, paper }: Palette,
): Mark[] {
  const arc = (sweep: number) => `A${radius} ${radius} 0 1 ${sweep}`;
  const whole = `M${x - radius} ${y}${arc(1)} ${x + radius} ${y}${arc(1)} ${x - radius} ${y}Z`;
  const half = `M${x} ${y - radius}A${radius} ${radius} 0 0 0 ${x} ${y + radius}Z`;
  const ring = { kind: "path", d: whole, stroke: position, width: 1.5 } as const;
  if (kind === "kept") return [{ ...ring, fill: position }];
  if (kind === "divided") return [{ ...ring, fill: paper }];
  return [
    { ...ring, fill: paper },
    { kind: "path", d: half, stroke: position, width: 0, fill: position },
  ];
}

interface Axes {
  left: number;
  top: number;
  width: number;
  columnX: (pair: number) => number;
  heightOf: (tokens: number) => number;
  decades: number[];
}

function axesOf(
  { pairs, factor, length }: Wavelengths,
  area: Area,
  top: number,
  measure: Measure,
): Axes {
  const longest = Math.max(...pairs.map(({ after }) => wavelength(after)), factor * length);
  const last = Math.ceil(Math.log10(longest));
  const decades = Array.from({ length: last + 1 }, (_, power) => 10 ** power);
  const left = area.x + measure(grouped(decades.at(-1)!), 13) + 9;
  const width = area.x + area.width - 8 - left;
  return {
    left,
    top,
    width,
    columnX: (pair) => left + ((pair + 0.5) / pairs.length) * width,
    heightOf: (tokens) => top + height * (1 - Math.log10(tokens) / last),
    decades,
  };
}

/** Draws the kinds as bands behind the chart, each with its name if it fits. */
function bands(
  answer: Wavelengths,
  axes: Axes,
  words: ChartWords,
  palette: Palette,
  measure: Measure,
): Mark[] {
  const { pairs } = answer;
  const step = axes.width / pairs.length;
  const shades: Record<PairKind, number> = { kept: 0, blended: 0.05, divided: 0.11 };
  const marks: Mark[] = [];
  for (let from = 0; from < pairs.length; ) {
    const { kind } = pairs[from]!;
    let to = from;
    while (to < pairs.length && pairs[to]!.kind === kind) to++;
    const x = axes.left + from * step;
    const width = (to - from) * step;
    const fill = mix(palette.paper, palette.ink, shades[kind]);
    marks.push({ kind: "rect", x, y: axes.top, width, height, fill });
    if (measure(words.kinds[kind], 13) < width - 6)
      marks.push(caption(palette, x + width / 2, axes.top + 15, words.kinds[kind], "center"));
    from = to;
  }
  return marks;
}

// Wavelengths increase to the right: there is space above a rule on the left, below it on the
// right.
function lengthRule(
  tokens: number,
  name: string,
  axes: Axes,
  palette: Palette,
  isAbove: boolean,
): Mark[] {
  const y = axes.heightOf(tokens);
  const right = axes.left + axes.width;
  return [
    { ...rule(axes.left, y, right, y, palette.query, 1.5), dash: isAbove ? [2, 3] : [7, 4] },
    isAbove
      ? { ...caption(palette, axes.left + 5, y - 6, name), fill: palette.query }
      : { ...caption(palette, right - 5, y + 15, name, "right"), fill: palette.query },
  ];
}

/** Returns the meanings of the dots, if some pair is not kept. */
function kindEntries(
  pairs: readonly StretchedPair[],
  { kinds }: ChartWords,
  palette: Palette,
): KeyEntry[] {
  const met = new Set(pairs.map(({ kind }) => kind));
  if (met.size === 1 && met.has("kept")) return [];
  return (["kept", "blended", "divided"] as const)
    .filter((kind) => met.has(kind))
    .map((kind) => ({
      name: kinds[kind],
      sample: (x, y) => kindMarks(kind, x + 13, y - 4, 4, palette),
    }));
}

const pathOf = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

function scaleMarks(
  { decades, heightOf, left, width, top }: Axes,
  answer: Wavelengths,
  words: ChartWords,
  palette: Palette,
): Mark[] {
  const { pairs } = answer;
  const count = pairs.length;
  const shown = new Set([1, count / 4, count / 2, (3 * count) / 4, count].map(Math.floor));
  const step = width / pairs.length;
  return [
    ...decades.flatMap((tokens) => [
      rule(left, heightOf(tokens), left + width, heightOf(tokens), palette.hair),
      caption(palette, left - 7, heightOf(tokens) + 4, grouped(tokens), "right"),
    ]),
    ...[...shown]
      .filter((pair) => pair > 0)
      .map((pair) =>
        caption(palette, left + (pair - 0.5) * step, top + height + 18, String(pair), "center"),
      ),
    caption(palette, left + width, top + height + 36, words.pair, "right"),
  ];
}

export function chartMarks(
  answer: Wavelengths,
  area: Area,
  words: ChartWords,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; grid: Grid; bottom: number } {
  const { pairs, factor, length } = answer;
  const key = keyMarks(
    [
      {
        name: words.beforeKey,
        sample: (x, y) => rule(x, y - 4, x + 26, y - 4, palette.soft, 1.5),
      },
      {
        name: words.afterKey,
        sample: (x, y) => rule(x, y - 4, x + 26, y - 4, palette.position, 2.5),
      },
      ...kindEntries(pairs, words, palette),
    ],
    { left: area.x, top: area.y, width: area.width },
    palette,
    measure,
  );
  const top = key.baseline + 36;
  const axes = axesOf(answer, area, top, measure);
  const points = (which: "before" | "after") =>
    pairs.map((pair, at): readonly [number, number] => [
      axes.columnX(at),
      axes.heightOf(wavelength(pair[which])),
    ]);
  const after = points("after");
  const radius = pairs.length > 24 ? 2.5 : 4;
  const marks: Mark[] = [
    ...key.marks,
    caption(palette, area.x, top - 12, words.wavelength),
    ...bands(answer, axes, words, palette, measure),
    ...scaleMarks(axes, answer, words, palette),
    ...lengthRule(length, words.trained(length), axes, palette, false),
    ...(factor > 1
      ? lengthRule(factor * length, words.text(factor * length), axes, palette, true)
      : []),
    { kind: "path", d: pathOf(points("before")), stroke: palette.soft, width: 1.5 },
    { kind: "path", d: pathOf(after), stroke: palette.position, width: 2.5 },
    ...after.flatMap(([x, y], pair) => kindMarks(pairs[pair]!.kind, x, y, radius, palette)),
  ];
  const grid: Grid = {
    id: "wavelengths",
    label: words.name,
    x: axes.left,
    y: top,
    cellWidth: axes.width / pairs.length,
    cellHeight: height,
    rows: 1,
    columns: pairs.length,
    describe: (_, pair) => describePair(answer, pair, words),
  };
  return { marks, grid, bottom: top + height + 44 };
}

export function describePair({ pairs }: Wavelengths, pair: number, words: ChartWords): string {
  const { before, after, kind, isNew } = pairs[pair]!;
  return words.cell(pair + 1, wavelength(before), wavelength(after), words.kinds[kind], isNew);
}
