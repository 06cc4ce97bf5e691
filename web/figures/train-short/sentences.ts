/** The results of an experiment's tests, in sentences. */
import { lengthRecipe } from "../../defaults.js";
import type { SharedWords } from "../shared/figure/words.js";
import { distanceOf, isContinued, type Line } from "./summary.js";
import type { TrainWords } from "./words.js";

export interface SentenceParts {
  words: TrainWords;
  lengths: SharedWords["lengths"];
  /** Separator in a list. */
  join: string;
  nameOf: (line: Line) => string;
}

const { multiples, length, tableMultiple } = lengthRecipe;
/** The length at which schemes are compared: the longest that a table of positions covers. */
const compared = multiples.indexOf(tableMultiple);

/** Returns the scheme with the smallest loss, once two have been tested. */
export function findingOf(
  lines: readonly Line[],
  { words, nameOf }: SentenceParts,
): string | undefined {
  const tested = lines.flatMap((line) => {
    const at = line.tested[compared];
    return at ? [{ line, mean: at.mean }] : [];
  });
  if (tested.length < 2) return undefined;
  const best = tested.reduce((a, b) => (b.mean < a.mean ? b : a));
  return words.finding(nameOf(best.line), multiples[compared]!, best.mean.toFixed(2));
}

/** Returns the rise of each curve, its end if it ends early, and the error of the guesses. */
export function changesOf(
  lines: readonly Line[],
  guesses: Readonly<Record<string, readonly number[]>>,
  { words, lengths, join, nameOf }: SentenceParts,
): string {
  const changes = lines.flatMap((line) => {
    const [first, far] = [line.tested[0], line.tested[compared]];
    return first && far ? [lengths.change(nameOf(line), far.mean - first.mean)] : [];
  });
  const ends = lines.flatMap((line) => {
    const end = line.tested.indexOf(undefined);
    return end < 0 ? [] : [words.ends(nameOf(line), multiples[end]! * length)];
  });
  const offs = lines.flatMap((line) => {
    const guess = isContinued(line) ? undefined : guesses[line.scheme];
    const off = guess && distanceOf(guess, line.tested);
    return off ? [words.off(nameOf(line), off)] : [];
  });
  const longer = multiples[compared]! * length;
  return [words.changes(length, longer, changes.join(join)), ...ends, ...offs].join("");
}

/** Returns the text of one test, for a screen reader. */
export function cellOf(line: Line, column: number, { words, nameOf }: SentenceParts): string {
  const at = multiples[column]! * length;
  const tested = line.tested[column];
  const name = nameOf(line);
  return tested ? words.cell(name, at, tested) : words.cellUndefined(name, at);
}
