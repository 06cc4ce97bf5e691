/** The results of an experiment's tests, in sentences. */
import { fixedBiasScheme, lengthRecipe } from "../../defaults.js";
import type { SharedWords } from "../shared/figure/words.js";
import type { TestMeasure } from "./measures.js";
import { distanceOf, isContinued, type Line } from "./summary.js";
import type { TrainWords } from "./words.js";

export interface SentenceParts {
  words: TrainWords;
  measure: TestMeasure;
  lengths: SharedWords["lengths"];
  /** Separator in a list. */
  join: string;
  nameOf: (line: Line) => string;
}

const { multiples, length, tableMultiple } = lengthRecipe;
/** A change of the loss below this, in bits, is flat. */
const flatBelow = 0.1;
/** The length at which schemes are compared: the longest that a table of positions covers. */
const compared = multiples.indexOf(tableMultiple);

/** Returns the scheme with the best result, once two have been tested. */
export function findingOf(
  lines: readonly Line[],
  { words, measure, nameOf }: SentenceParts,
): string | undefined {
  const tested = lines.flatMap((line) => {
    const at = line.tested[compared];
    return at ? [{ line, mean: at.mean }] : [];
  });
  if (tested.length < 2) return undefined;
  const best = tested.reduce((a, b) => (b.mean > a.mean === measure.isHighBest ? b : a));
  return words.finding(nameOf(best.line), multiples[compared]!, measure.text(best.mean));
}

/** Whether a line is that of the fixed bias, and its loss stays as it was in training. */
function isFlatBias({ scheme, tested }: Line): boolean {
  const [first, far] = [tested[0], tested[compared]];
  return (
    scheme === fixedBiasScheme && !!first && !!far && Math.abs(far.mean - first.mean) < flatBelow
  );
}

/**
 * Returns the change of each curve, its end if it ends early, the error of the guesses, and why the
 * loss with a fixed bias stays flat.
 */
export function changesOf(
  lines: readonly Line[],
  guesses: Readonly<Record<string, readonly number[]>>,
  { words, measure, lengths, join, nameOf }: SentenceParts,
): string {
  const changes = lines.flatMap((line) => {
    const [first, far] = [line.tested[0], line.tested[compared]];
    if (!first || !far) return [];
    const [name, from, to] = [nameOf(line), first.mean, far.mean];
    return measure.isHighBest
      ? [words.fromTo(name, measure.text(from), measure.text(to))]
      : [lengths.change(name, to - from)];
  });
  const ends = lines.flatMap((line) => {
    const end = line.tested.indexOf(undefined);
    return end < 0 ? [] : [words.ends(nameOf(line), multiples[end]! * length)];
  });
  // Right answers to a task stay as they are or not for other reasons.
  const flats = measure.isHighBest ? [] : lines.filter(isFlatBias);
  const offs = lines.flatMap((line) => {
    const guess = isContinued(line) ? undefined : guesses[line.scheme];
    const off = guess && distanceOf(guess, line.tested);
    if (!off) return [];
    const [mean, max] = [measure.text(off.mean), measure.text(off.max)];
    return [words.off(nameOf(line), mean, max, off.multiple)];
  });
  const longer = multiples[compared]! * length;
  const said = words.changes(length, longer, changes.join(join));
  return [said, ...flats.map((line) => words.flat(nameOf(line))), ...ends, ...offs].join("");
}

/** Returns the text of one test, for a screen reader. */
export function cellOf(line: Line, column: number, parts: SentenceParts): string {
  const { words, measure, nameOf } = parts;
  const at = multiples[column]! * length;
  const tested = line.tested[column];
  const name = nameOf(line);
  if (!tested) return words.cellUndefined(name, at);
  const { mean, min, max, count } = tested;
  const spread = count > 1 ? words.spread(measure.text(min), measure.text(max), count) : "";
  return words.cell(name, at, words.result(measure.text(mean))) + spread;
}
