/**
 * What follows from what a reader has: which schemes fit, and sentences that each rest on a claim
 * which the engine tests or on a number that the project measured.
 */
import type { Language } from "../../defaults.js";
import type { CatalogueRow } from "../../engine/both/catalogue-messages.js";
import type { ExtensionResults } from "../../engine/page/extension-results.js";
import type { LengthResults, Spread } from "../../engine/page/length-results.js";
import type { Answers, Source } from "./questions.js";
import type { ChooserWords } from "./words.js";

export interface Line {
  text: string;
  /** Where it comes from. */
  source: Source;
}

export interface Known {
  rows: readonly CatalogueRow[];
  lengths: LengthResults | undefined;
  extension: ExtensionResults | undefined;
  /** Share of right answers about pictures. */
  images: ReadonlyMap<string, number> | undefined;
  language: Language;
  nameOf: (scheme: string) => string;
}

const isGrid = ({ what }: Answers): boolean => what === 1;
const seesBoth = ({ sees }: Answers): boolean => sees === 1;
const isLonger = ({ length }: Answers): boolean => length === 1;
const isCacheDear = ({ cache }: Answers): boolean => cache === 1;
const hasCheckpoint = ({ start }: Answers): boolean => start === 1;

/** Schemes that can do it, in the engine's order. */
export function fitting(answers: Answers, rows: readonly CatalogueRow[]): CatalogueRow[] {
  return rows.filter((row) => {
    const { positionAxes, family, ends } = row;
    if (isGrid(answers)) return positionAxes === 2 && !(isLonger(answers) && ends);
    if (positionAxes > 1 || (isLonger(answers) && ends)) return false;
    // Nothing tells a model without positions and without a mask what stands where.
    return seesBoth(answers) ? row.isBidirectional && family !== "none" : row.decodes;
  });
}

const spreadOf = ({ least, most }: Spread): number => most - least;

interface Measured {
  scheme: string;
  first: Spread;
  far: Spread;
}

/** Of the schemes that fit, those measured at both ends. */
export function measuredOf(rows: readonly CatalogueRow[], known: Known): Measured[] {
  const { lengths, language } = known;
  return rows.flatMap(({ scheme }) => {
    const curve = lengths?.curves.get(scheme)?.[language];
    const [first, far] = [curve?.[0], curve?.at(-1)];
    return first && far ? [{ scheme, first, far }] : [];
  });
}

/** How far seeds alone move a scheme: the largest range that any of them has. */
const chanceOf = (spreads: readonly Spread[]): number => Math.max(...spreads.map(spreadOf));

function sameLength(rows: readonly CatalogueRow[], known: Known, words: ChooserWords): Line[] {
  const firsts = rows.flatMap(({ scheme }) => {
    const first = known.lengths?.curves.get(scheme)?.[known.language][0];
    return first ? [{ scheme, first }] : [];
  });
  if (firsts.length < 2) return [];
  const sorted = [...firsts].sort((a, b) => a.first.mean - b.first.mean);
  const [best, worst] = [sorted[0]!, sorted.at(-1)!];
  const chance = chanceOf(firsts.map(({ first }) => first));
  const close = sorted.filter(({ first }) => first.mean <= best.first.mean + chance);
  const name = known.nameOf;
  const range = { low: best.first.mean, high: worst.first.mean, chance };
  const text =
    close.length === sorted.length
      ? words.noMatter(sorted.length, range)
      : words.same(name(best.scheme), name(worst.scheme), close.length, sorted.length, range);
  return [{ text, source: "length" }];
}

function longerLength(rows: readonly CatalogueRow[], known: Known, words: ChooserWords): Line[] {
  const measured = measuredOf(rows, known);
  if (!measured.length || !known.lengths) return [];
  const rise = ({ first, far }: Measured) => far.mean - first.mean;
  // Far out some differ so much from seed to seed that anything would be level beside them.
  const chance = chanceOf(measured.map(({ first }) => first));
  const level = measured.filter((one) => rise(one) <= chance);
  const steepest = measured.reduce((a, b) => (rise(b) > rise(a) ? b : a));
  const multiple = known.lengths.multiples.at(-1)!;
  const list = level.map(({ scheme }) => known.nameOf(scheme)).join(words.joiner);
  const best = measured.reduce((a, b) => (b.far.mean < a.far.mean ? b : a));
  return [
    { text: words.level(multiple, list, chance), source: "length" },
    {
      text: words.rises(known.nameOf(steepest.scheme), rise(steepest), known.nameOf(best.scheme)),
      source: "length",
    },
  ];
}

function cacheLine(rows: readonly CatalogueRow[], known: Known, words: ChooserWords): Line[] {
  const sizes = rows.map(({ cacheBytes }) => cacheBytes);
  const least = rows.find(({ cacheBytes }) => cacheBytes === Math.min(...sizes));
  const most = Math.max(...sizes);
  if (!least || least.cacheBytes === most) return [{ text: words.cacheSame, source: "cost" }];
  const text = words.cacheLeast(known.nameOf(least.scheme), least.cacheBytes, most);
  return [{ text, source: "cost" }];
}

function checkpointLines(answers: Answers, known: Known, words: ChooserWords): Line[] {
  const keep: Line = { text: words.keep, source: "surgery" };
  const { extension, language } = known;
  const scores = extension?.methods.flatMap((method) => {
    const score = extension.scoreOf(method, 4, language);
    return score ? [{ method, bits: score.bitsPerToken }] : [];
  });
  const plain = scores?.find(({ method }) => method === "none");
  if (!isLonger(answers) || isGrid(answers) || !scores || !plain) return [keep];
  const best = scores.reduce((a, b) => (b.bits < a.bits ? b : a));
  return [
    keep,
    { text: words.stretch(words.methods[best.method], best.bits, plain.bits), source: "extension" },
  ];
}

function gridLine(rows: readonly CatalogueRow[], known: Known, words: ChooserWords): Line[] {
  const { images } = known;
  const blind = known.rows.find(({ family }) => family === "none");
  const none = blind && images?.get(blind.scheme);
  const shares = rows.flatMap(({ scheme }) => images?.get(scheme) ?? []);
  if (none === undefined || !shares.length) return [];
  const text = words.pictures(Math.min(...shares), Math.max(...shares), none);
  return [{ text, source: "image" }];
}

/** The sentences, the most telling first. */
export function followsFrom(answers: Answers, known: Known, words: ChooserWords): Line[] {
  const rows = fitting(answers, known.rows);
  const all = known.rows.length;
  const lines: Line[] = [{ text: words.fit(rows.length, all), source: "claims" }];
  if (hasCheckpoint(answers)) lines.unshift(...checkpointLines(answers, known, words));
  if (isGrid(answers)) lines.push(...gridLine(rows, known, words));
  else if (seesBoth(answers)) lines.push({ text: words.both, source: "mask" });
  // What was measured by length was trained with a mask, on text.
  if (!isGrid(answers) && !seesBoth(answers) && !hasCheckpoint(answers))
    lines.push(...(isLonger(answers) ? longerLength : sameLength)(rows, known, words));
  if (isCacheDear(answers) && !seesBoth(answers) && !isGrid(answers))
    lines.push(...cacheLine(rows, known, words));
  else if (isCacheDear(answers)) lines.push({ text: words.noCache, source: "claims" });
  return lines;
}
