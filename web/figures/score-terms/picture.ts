/**
 * The terms of one logit under each scheme, on a common scale, and the rotary logit pair by pair.
 */
import type { Draw } from "../../controls/scene-view.js";
import { roundUp } from "../../drawing/axes.js";
import { barPitch, pairBarMarks, signed, sumBarMarks, sumExtent } from "../../drawing/bars.js";
import type { Palette } from "../../drawing/colour.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { wavelengthText } from "../../text/numbers.js";
import { caption, heading, linesOf } from "../shared/pictures/captions.js";
import type { TermsWords } from "./words.js";

export interface Sum {
  scheme: string;
  terms: { name: string; value: number }[];
  total: number;
  pairs?: Float32Array;
  /** Tokens for one full rotation of each pair. */
  wavelengths?: Float32Array;
}

interface Names {
  total: string;
  scheme: (id: string) => string;
  term: (name: string) => string;
}

const colourOf = (name: string, palette: Palette): string =>
  name === "content" ? palette.content : palette.position;

const widest = 640;
const pairsHeight = 76;

interface View {
  width: number;
  names: Names;
  words: TermsWords;
  palette: Palette;
  measure: Measure;
}

interface Part {
  marks: Mark[];
  grids: Grid[];
  /** Top of the next part. */
  bottom: number;
}

/** Draws the sum of one scheme on the common scale; without numbers while there are none. */
function sumPart(
  sum: Sum,
  y: number,
  scale: { left: number; low: number; high: number; isEmpty: boolean },
  { width, names, words, palette }: View,
): Part {
  const { left: x, low, high, isEmpty } = scale;
  const terms = sum.terms.map(({ name, value }) => ({
    name: names.term(name),
    value,
    colour: colourOf(name, palette),
  }));
  const total = { name: names.total, value: sum.total };
  const rows = [...terms, total];
  const title = names.scheme(sum.scheme);
  const top = y + 24;
  const bars = { x, y: top, width: Math.min(width, widest) - x - 58, low, high };
  const grid: Grid = {
    id: sum.scheme,
    label: `${words.rowLabel}: ${title}`,
    x: 0,
    y: top,
    cellWidth: Math.min(width, widest),
    cellHeight: barPitch,
    rows: rows.length,
    columns: 1,
    describe: (row) => words.termLabel(title, rows[row]!.name, signed(rows[row]!.value)),
  };
  return {
    marks: [
      heading(palette, 0, y + 14, title),
      ...sumBarMarks({ ...bars, terms, total, isEmpty }, palette),
    ],
    grids: isEmpty ? [] : [grid],
    bottom: top + rows.length * barPitch + 18,
  };
}

/** Draws the channel pairs of one logit, under a caption in several lines if needed. */
function pairPart(
  { scheme, wavelengths, ...sum }: Sum,
  y: number,
  isEmpty: boolean,
  { width, names, words, palette, measure }: View,
): Part {
  const values = sum.pairs!;
  const across = Math.min(width, widest);
  const limit = roundUp(Math.max(1e-3, ...values.map(Math.abs)));
  const name = names.scheme(scheme);
  const lines = [...linesOf(words.pairs(name), across, measure), words.pairsLimit(String(limit))];
  const top = y + 6 + lines.length * 18;
  const rotationOf = (pair: number) => words.wavelength(wavelengthText(wavelengths!.at(pair)!));
  const marks: Mark[] = [
    ...lines.map((line, row) => caption(palette, 0, y + 14 + row * 18, line)),
    ...pairBarMarks({ x: 0, y: top, width: across, height: pairsHeight, values, limit }, palette),
  ];
  if (wavelengths)
    marks.push(
      caption(palette, 0, top + 92, rotationOf(0)),
      caption(palette, across, top + 92, rotationOf(-1), "right"),
    );
  const grid: Grid = {
    id: `pairs-${scheme}`,
    label: `${words.pairGrid}: ${name}`,
    x: 0,
    y: top,
    cellWidth: across / values.length,
    cellHeight: pairsHeight,
    rows: 1,
    columns: values.length,
    describe: (_, column) =>
      words.pairLabel(column + 1, signed(values[column]!), wavelengths ? rotationOf(column) : ""),
  };
  return { marks, grids: isEmpty ? [] : [grid], bottom: top + 100 };
}

/**
 * Draws the sums of all schemes, then the channel pairs if there are any; without numbers, to
 * reserve space, if the sums have not been computed.
 */
export function drawSums(
  shown: readonly Sum[],
  isEmpty: boolean,
  names: Names,
  words: TermsWords,
): Draw {
  return (width, palette, measure) => {
    const view: View = { width, names, words, palette, measure };
    const [low, high] = sumExtent(shown);
    const termNames = shown.flatMap(({ terms }) => terms.map(({ name }) => names.term(name)));
    const left = Math.max(...[...termNames, names.total].map((name) => measure(name, 13))) + 12;
    const scale = { left, low, high, isEmpty };
    const parts: Part[] = [];
    const below = () => parts.at(-1)?.bottom ?? 0;
    for (const sum of shown) parts.push(sumPart(sum, below(), scale, view));
    for (const sum of shown)
      if (sum.pairs?.length) parts.push(pairPart(sum, below(), isEmpty, view));
    return {
      width,
      height: below(),
      marks: parts.flatMap(({ marks }) => marks),
      grids: parts.flatMap(({ grids }) => grids),
    };
  };
}
