/** The terms of one score under each scheme, on one common scale, and the rotary score pair by pair. */
import type { Draw } from "../../controls/scene-view.js";
import { roundUp } from "../../drawing/axes.js";
import { barPitch, pairBarMarks, signed, sumBarMarks } from "../../drawing/bars.js";
import type { Palette } from "../../drawing/colour.js";
import type { Grid, Mark, Measure } from "../../drawing/scene.js";
import { turns } from "../../text/numbers.js";
import { linesOf } from "../shared/captions.js";
import type { TermsWords } from "./words.js";

export interface Sum {
  scheme: string;
  terms: { name: string; value: number }[];
  total: number;
  pairs?: Float32Array;
  /** Tokens for one full turn of each pair. */
  wavelengths?: Float32Array;
}

interface Names {
  total: string;
  scheme: (id: string) => string;
  term: (name: string) => string;
}

/** Ends of all running sums, with zero inside and a little air. */
function extent(sums: readonly Sum[]): [number, number] {
  const stops = sums.flatMap(({ terms, total }) => {
    let running = 0;
    return [0, total, ...terms.map(({ value }) => (running += value))];
  });
  const low = Math.min(...stops);
  const high = Math.max(...stops);
  const air = Math.max(0.05, (high - low) * 0.04);
  return [low - (low < 0 ? air : 0), high + (high > 0 ? air : 0)];
}

const colourOf = (name: string, palette: Palette): string =>
  name === "content" ? palette.content : palette.position;

/** The channel pairs of one score, their caption in as many lines as it needs; `top` is where the bars begin. */
function pairMarks(
  sum: Sum,
  caption: string,
  y: number,
  width: number,
  words: TermsWords,
  palette: Palette,
  measure: Measure,
): { marks: Mark[]; top: number } {
  const pairs = sum.pairs!;
  const limit = roundUp(Math.max(1e-3, ...pairs.map(Math.abs)));
  const soft = (text: string, x: number, at: number, align: "left" | "right" = "left"): Mark => ({
    kind: "text",
    x,
    y: at,
    text,
    fill: palette.soft,
    size: 12,
    align,
  });
  const lines = [...linesOf(caption, width, measure), words.pairsLimit(String(limit))];
  const top = y + 6 + lines.length * 18;
  const marks = [
    ...lines.map((line, row) => soft(line, 0, y + 14 + row * 18)),
    ...pairBarMarks({ x: 0, y: top, width, height: 76, values: pairs, limit }, palette),
  ];
  if (sum.wavelengths)
    marks.push(
      soft(words.turn(turns(sum.wavelengths[0]!)), 0, top + 92),
      soft(words.turn(turns(sum.wavelengths.at(-1)!)), width, top + 92, "right"),
    );
  return { marks, top };
}

/** Draws the sums of all schemes, then the channel pairs of those that have them. */
export function drawSums(
  sums: readonly Sum[] | undefined,
  schemes: readonly string[],
  names: Names,
  words: TermsWords,
): Draw {
  return (width, palette, measure) => {
    const shown: readonly Sum[] =
      sums ??
      schemes.map((scheme) => ({
        scheme,
        terms: [{ name: "content", value: 0 }],
        total: 0,
      }));
    const [low, high] = extent(shown);
    const termNames = shown.flatMap(({ terms }) => terms.map(({ name }) => names.term(name)));
    const left = Math.max(...[...termNames, names.total].map((name) => measure(name, 13))) + 12;
    const field = Math.min(width, 640) - left - 58;
    const marks: Mark[] = [];
    const grids: Grid[] = [];
    let y = 0;
    shown.forEach((sum) => {
      const terms = sum.terms.map(({ name, value }) => ({
        name: names.term(name),
        value,
        colour: colourOf(name, palette),
      }));
      const total = { name: names.total, value: sum.total };
      const title = names.scheme(sum.scheme);
      marks.push({
        kind: "text",
        x: 0,
        y: y + 14,
        text: title,
        fill: palette.ink,
        size: 14,
        weight: 600,
      });
      y += 24;
      marks.push(
        ...sumBarMarks(
          { x: left, y, width: field, low, high, terms, total, isEmpty: !sums },
          palette,
        ),
      );
      const rows = [...terms, total];
      if (sums) {
        grids.push({
          id: sum.scheme,
          label: `${words.rowLabel}: ${title}`,
          x: 0,
          y,
          cellWidth: Math.min(width, 640),
          cellHeight: barPitch,
          rows: rows.length,
          columns: 1,
          describe: (row) => words.termLabel(title, rows[row]!.name, signed(rows[row]!.value)),
        });
      }
      y += rows.length * barPitch + 18;
    });
    for (const sum of shown) {
      if (!sum.pairs?.length) continue;
      const across = Math.min(width, 640);
      const caption = words.pairs(names.scheme(sum.scheme));
      const pairs = pairMarks(sum, caption, y, across, words, palette, measure);
      marks.push(...pairs.marks);
      grids.push({
        id: `pairs-${sum.scheme}`,
        label: `${words.pairGrid}: ${names.scheme(sum.scheme)}`,
        x: 0,
        y: pairs.top,
        cellWidth: across / sum.pairs.length,
        cellHeight: 76,
        rows: 1,
        columns: sum.pairs.length,
        describe: (_, column) => {
          const wavelength = sum.wavelengths?.[column];
          const turn = wavelength ? words.turn(turns(wavelength)) : "";
          return words.pairLabel(column + 1, signed(sum.pairs![column]!), turn);
        },
      });
      y = pairs.top + 100;
    }
    return { width, height: y, marks, grids };
  };
}
