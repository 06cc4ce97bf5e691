/**
 * What follows from what a reader has: which schemes fit, and sentences that each rest on a claim
 * which the engine tests or on a number that the project measured.
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

const seesBoth = ({ sees }: Answers): boolean => sees === 1;
const hasCheckpoint = ({ start }: Answers): boolean => start > 0;

/** How many times as far is read as was trained. */
const factorOf = (answers: Answers): number => {
  const { trained, read } = lengthsOf(answers);
  return read / trained;
};
const isLonger = (answers: Answers): boolean => factorOf(answers) > 1;

/** Whether a scheme is defined as far as is read. */
function reaches(answers: Answers, { hasTable, reach }: CatalogueRow): boolean {
  if (hasTable) return !isLonger(answers);
  return isGrid(answers) || reach >= lengthsOf(answers).read;
}

/** Schemes that can do it, in the engine's order. */
export function fitting(answers: Answers, rows: readonly CatalogueRow[]): CatalogueRow[] {
  const kind = starts[answers.start];
  return rows.filter((row) => {
    const { positionAxes, family, isBidirectional, decodes } = row;
    if (!reaches(answers, row)) return false;
    const isOther = isGrid(answers) ? positionAxes < 2 : positionAxes > 1;
    // Those of a grid are one family in the engine, whatever they do with it.
    if (isOther || (kind && kind !== family && !isGrid(answers))) return false;
    if (!seesBoth(answers)) return decodes;
    // Nothing tells a model without positions and without a mask what stands where.
    return isBidirectional && family !== "none";
  });
}

const spreadOf = ({ least, most }: Spread): number => most - least;

interface Measured {
  scheme: string;
  first: Spread;
  far: Spread;
}

/** The measured multiple of the training length that is nearest to what is asked, from above. */
const multipleFor = (factor: number, multiples: readonly number[]): number =>
  multiples.find((multiple) => multiple >= factor) ?? multiples.at(-1)!;

/** Where the charts and sentences look: as far as is read, or as far as was measured. */
export const measuredMultiple = (answers: Answers, { multiples }: LengthResults): number =>
  isLonger(answers) ? multipleFor(factorOf(answers), multiples) : multiples.at(-1)!;

/** Of the schemes that fit, those measured at both ends. */
function measuredOf(rows: readonly CatalogueRow[], known: Known, multiple: number): Measured[] {
  const { lengths, language } = known;
  const column = lengths?.multiples.indexOf(multiple) ?? -1;
  return rows.flatMap(({ scheme }) => {
    const curve = lengths?.curves.get(scheme)?.[language];
    const [first, far] = [curve?.[0], curve?.[column]];
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
  // As they are shown, in hundredths.
  const shown = (value: number) => Math.round(100 * value);
  const most = shown(best.first.mean) + shown(chance);
  const close = sorted.filter(({ first }) => shown(first.mean) <= most);
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
  // Far out some differ so much from seed to seed that anything would be level beside them.
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
  // Where all are level nobody rises.
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

/** What a budget asks of the heads: groups of them that share keys, all alike for every scheme. */
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
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const name = known.nameOf(rows.find(({ cacheBytes }) => cacheBytes === least)?.scheme ?? "");
  const budget = budgets[answers.cache]!;
  if (budget === Number.POSITIVE_INFINITY)
    return line(least < most ? words.cacheFree(name, least, most) : words.cacheSame(most));
  const groups = Math.floor(budget / (most / costSizes.numHeads));
  const { read } = lengthsOf(answers);
  const tokens = isGrid(answers) ? read ** 2 : read;
  const whole = words.memory(bytesText(budget * tokens * costSizes.numLayers), tokens);
  // Sharing is of no use to the one that keeps a latent vector in the place of heads.
  const latent = least < most ? words.cacheLatent(name, least, least <= budget) : "";
  return line(words.cacheBudget(budget, most) + latent + words.cacheShared(groups) + whole);
}

/** Longer reading with the rotary model, stretched in the ways that were measured. */
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

/** A checkpoint keeps its scheme; how far that reads is the question. */
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
  // What was measured was trained to write.
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

/** Whether it has to stretch, which follows from the two lengths, and how many can. */
function fitLine(answers: Answers, fits: number, all: number, words: ChooserWords): Line {
  const factor = factorOf(answers);
  const must = factor > 1 ? words.mustStretch(factor) : words.needNotStretch;
  const isOfKind = hasCheckpoint(answers) && !isGrid(answers);
  const said = isOfKind ? words.fitKind(fits) : words.fit(fits, all);
  return { text: must + said, source: "claims" };
}

/** The sentences, the most telling first. */
export function followsFrom(answers: Answers, known: Known, words: ChooserWords): Line[] {
  const rows = fitting(answers, known.rows);
  const lines = [fitLine(answers, rows.length, known.rows.length, words)];
  if (hasCheckpoint(answers)) lines.unshift(...checkpointLines(answers, rows, known, words));
  if (isGrid(answers)) lines.push(...gridLines(answers, rows, known, words));
  else if (seesBoth(answers)) lines.push({ text: words.both, source: "mask" });
  // What was measured by length was trained with a mask, on text.
  else if (!hasCheckpoint(answers))
    lines.push(
      ...(isLonger(answers)
        ? longerLength(answers, rows, known, words)
        : sameLength(rows, known, words)),
    );
  if (rows.length) lines.push(cacheLine(answers, rows, known, words));
  return lines;
}
