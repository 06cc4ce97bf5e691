/**
 * Conclusions from the reader's answers: the schemes that fit, and sentences, each based on a
 * property that the engine tests or on a number that the project measured.
 */
import { costSizes, type Language } from "../../defaults.js";
import type { CatalogueRow } from "../../engine/both/catalogue-messages.js";
import type { ExtensionResults } from "../../engine/page/extension-results.js";
import type { LengthResults, Spread } from "../../engine/page/length-results.js";
import { bytesText } from "../../text/bytes.js";
import { type Answers, budgets, isGrid, lengthsOf, type Source, starts } from "./questions.js";
import type { ChooserWords } from "./words.js";

export interface Line {
  text: string;
  /** Basis of the sentence. */
  source: Source;
}

export interface Known {
  rows: readonly CatalogueRow[];
  lengths: LengthResults | undefined;
  extension: ExtensionResults | undefined;
  /** Share of correct answers about pictures. */
  images: ReadonlyMap<string, number> | undefined;
  language: Language;
  nameOf: (scheme: string) => string;
}

const seesBoth = ({ sees }: Answers): boolean => sees === 1;
const hasCheckpoint = ({ start }: Answers): boolean => start > 0;

/** Returns the length of reading in training lengths. */
const factorOf = (answers: Answers): number => {
  const { trained, read } = lengthsOf(answers);
  return read / trained;
};
const isLonger = (answers: Answers): boolean => factorOf(answers) > 1;

/** Whether a scheme is defined up to the length of reading. */
function reaches(answers: Answers, { hasTable, reach }: CatalogueRow): boolean {
  if (hasTable) return !isLonger(answers);
  return isGrid(answers) || reach >= lengthsOf(answers).read;
}

/** Returns the schemes that fit, in the engine's order. */
export function fitting(answers: Answers, rows: readonly CatalogueRow[]): CatalogueRow[] {
  const kind = starts[answers.start];
  return rows.filter((row) => {
    const { positionAxes, family, isBidirectional, decodes } = row;
    if (!reaches(answers, row)) return false;
    const isOther = isGrid(answers) ? positionAxes < 2 : positionAxes > 1;
    // All grid schemes are one family in the engine, whatever their method.
    if (isOther || (kind && kind !== family && !isGrid(answers))) return false;
    if (!seesBoth(answers)) return decodes;
    // Without positions and without a mask, a model cannot tell the order.
    return isBidirectional && family !== "none";
  });
}

const spreadOf = ({ min, max }: Spread): number => max - min;

interface Measured {
  scheme: string;
  first: Spread;
  far: Spread;
}

/**
 * Returns the smallest measured multiple of the training length that is not below `factor`; else
 * the largest.
 */
const multipleFor = (factor: number, multiples: readonly number[]): number =>
  multiples.find((multiple) => multiple >= factor) ?? multiples.at(-1)!;

/**
 * Returns the multiple for charts and sentences: that of the length of reading, or the largest that
 * was measured.
 */
export const measuredMultiple = (answers: Answers, { multiples }: LengthResults): number =>
  isLonger(answers) ? multipleFor(factorOf(answers), multiples) : multiples.at(-1)!;

/** Returns those of the schemes that were measured at both lengths. */
function measuredOf(rows: readonly CatalogueRow[], known: Known, multiple: number): Measured[] {
  const { lengths, language } = known;
  const column = lengths?.multiples.indexOf(multiple) ?? -1;
  return rows.flatMap(({ scheme }) => {
    const curve = lengths?.curves.get(scheme)?.[language];
    const [first, far] = [curve?.[0], curve?.[column]];
    return first && far ? [{ scheme, first, far }] : [];
  });
}

/** Returns the variation by seed alone: the largest range that any scheme has. */
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
  // Rounded to hundredths, as in the sentence.
  const shown = (value: number) => Math.round(100 * value);
  const max = shown(best.first.mean) + shown(chance);
  const close = sorted.filter(({ first }) => shown(first.mean) <= max);
  const name = known.nameOf;
  const range = { low: best.first.mean, high: worst.first.mean, chance };
  const text =
    close.length === sorted.length
      ? words.noMatter(sorted.length, range)
      : words.same(name(best.scheme), name(worst.scheme), close.length, sorted.length, range);
  return [{ text, source: "length" }];
}

function longerLength(
  answers: Answers,
  rows: readonly CatalogueRow[],
  known: Known,
  words: ChooserWords,
): Line[] {
  if (!known.lengths) return [];
  const multiple = measuredMultiple(answers, known.lengths);
  const measured = measuredOf(rows, known, multiple);
  if (!measured.length) return [];
  const rise = ({ first, far }: Measured) => far.mean - first.mean;
  // Ranges at the training length: at longer lengths some are so wide that all schemes would count
  // as equal.
  const chance = chanceOf(measured.map(({ first }) => first));
  const level = measured.filter((one) => rise(one) <= chance);
  const steepest = measured.reduce((a, b) => (rise(b) > rise(a) ? b : a));
  const listOf = (some: readonly Measured[]) =>
    some.map(({ scheme }) => known.nameOf(scheme)).join(words.joiner);
  const others = measured.filter((one) => !level.includes(one));
  const best = measured.reduce((a, b) => (b.far.mean < a.far.mean ? b : a));
  const factor = factorOf(answers);
  const beyond = factor > multiple ? words.beyond(factor, multiple) : "";
  const said =
    others.length < level.length
      ? words.levelBut(multiple, measured.length, listOf(others), chance)
      : words.level(multiple, listOf(level), chance);
  const lines: Line[] = [{ text: beyond + said, source: "length" }];
  // Only if some scheme's loss rises.
  if (others.length) {
    const text = words.rises(
      known.nameOf(steepest.scheme),
      rise(steepest),
      known.nameOf(best.scheme),
    );
    lines.push({ text, source: "length" });
  }
  return lines;
}

/**
 * Returns the sentence on a cache's budget: groups of heads that share keys, equal for every
 * scheme.
 */
function cacheLine(
  answers: Answers,
  rows: readonly CatalogueRow[],
  known: Known,
  words: ChooserWords,
): Line {
  const line = (text: string): Line => ({ text, source: "cost" });
  if (seesBoth(answers)) return { text: words.noCache, source: "claims" };
  if (hasCheckpoint(answers)) return line(words.cacheKept);
  const sizes = rows.map(({ cacheBytes }) => cacheBytes);
  const [min, max] = [Math.min(...sizes), Math.max(...sizes)];
  const name = known.nameOf(rows.find(({ cacheBytes }) => cacheBytes === min)?.scheme ?? "");
  const budget = budgets[answers.cache]!;
  if (budget === Number.POSITIVE_INFINITY)
    return line(min < max ? words.cacheFree(name, min, max) : words.cacheSame(max));
  // Without what a scheme such as the forget gate keeps of each token beside them.
  const ofHead = 2 * Float32Array.BYTES_PER_ELEMENT * costSizes.headDim;
  const heads = costSizes.numHeads * ofHead;
  const groups = Math.floor(budget / ofHead);
  const { read } = lengthsOf(answers);
  const tokens = isGrid(answers) ? read ** 2 : read;
  const whole = words.memory(bytesText(budget * tokens * costSizes.numLayers), tokens);
  // Sharing does not help the scheme that caches a latent vector in place of heads.
  const latent = min < heads ? words.cacheLatent(name, min, min <= budget) : "";
  return line(words.cacheBudget(budget, heads) + latent + words.cacheShared(groups) + whole);
}

/** Returns the sentence on longer texts with the rotary model, for the measured methods. */
function stretchLines(answers: Answers, known: Known, words: ChooserWords): Line[] {
  const { extension, language } = known;
  if (!extension) return [];
  const multiple = multipleFor(factorOf(answers), extension.multiples);
  const scores = extension.methods.flatMap((method) => {
    const score = extension.scoreOf(method, multiple, language);
    return score ? [{ method, bits: score.bitsPerToken }] : [];
  });
  const plain = scores.find(({ method }) => method === "none");
  if (!plain) return [];
  const best = scores.reduce((a, b) => (b.bits < a.bits ? b : a));
  const factor = factorOf(answers);
  const beyond = factor > multiple ? words.beyond(factor, multiple) : "";
  const method = best.method === "none" ? undefined : words.methods[best.method];
  const text = beyond + words.stretch(multiple, method, best.bits, plain.bits);
  return [{ text, source: "extension" }];
}

/**
 * Returns the sentences for a checkpoint: its scheme is fixed, and the question is how far it
 * extends.
 */
function checkpointLines(
  answers: Answers,
  rows: readonly CatalogueRow[],
  known: Known,
  words: ChooserWords,
): Line[] {
  const keep: Line = { text: words.keep, source: "surgery" };
  const kind = starts[answers.start];
  if (!isLonger(answers)) return [keep];
  if (isGrid(answers))
    return kind === "absolute" ? [keep, { text: words.tableDrawn, source: "table" }] : [keep];
  // The measured models are causal language models.
  const measured = seesBoth(answers) ? [] : longerLength(answers, rows, known, words);
  if (kind === "rotary") return [keep, ...stretchLines(answers, known, words)];
  const ends: Line[] = kind === "absolute" ? [{ text: words.tableEnds, source: "claims" }] : [];
  return [keep, ...ends, ...measured];
}

function gridLines(
  answers: Answers,
  rows: readonly CatalogueRow[],
  known: Known,
  words: ChooserWords,
): Line[] {
  const writes: Line[] = seesBoth(answers) ? [] : [{ text: words.gridWrites, source: "claims" }];
  const { images } = known;
  const blind = known.rows.find(({ family }) => family === "none");
  const none = blind && images?.get(blind.scheme);
  const shares = rows.flatMap(({ scheme }) => images?.get(scheme) ?? []);
  if (none === undefined || !shares.length) return writes;
  const text = words.pictures(Math.min(...shares), Math.max(...shares), none);
  return [...writes, { text, source: "image" }];
}

/** Returns whether the model must extend beyond its training length, and how many schemes can. */
function fitLine(answers: Answers, fits: number, all: number, words: ChooserWords): Line {
  const factor = factorOf(answers);
  const must = factor > 1 ? words.mustStretch(factor) : words.needNotStretch;
  const isOfKind = hasCheckpoint(answers) && !isGrid(answers);
  const said = isOfKind ? words.fitKind(fits) : words.fit(fits, all);
  return { text: must + said, source: "claims" };
}

/** Returns the sentences, the most important first. */
export function followsFrom(answers: Answers, known: Known, words: ChooserWords): Line[] {
  const rows = fitting(answers, known.rows);
  const lines = [fitLine(answers, rows.length, known.rows.length, words)];
  if (hasCheckpoint(answers)) lines.unshift(...checkpointLines(answers, rows, known, words));
  if (isGrid(answers)) lines.push(...gridLines(answers, rows, known, words));
  else if (seesBoth(answers)) lines.push({ text: words.both, source: "mask" });
  // Losses by length were measured with a mask, on text.
  else if (!hasCheckpoint(answers))
    lines.push(
      ...(isLonger(answers)
        ? longerLength(answers, rows, known, words)
        : sameLength(rows, known, words)),
    );
  if (rows.length) lines.push(cacheLine(answers, rows, known, words));
  return lines;
}
