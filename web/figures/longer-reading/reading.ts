/** What the picture of the longer text comes to, in sentences. */
import type { StretchMethod } from "../../defaults.js";
import type { LongerAnswer } from "../../engine/both/stretch-messages.js";
import type { LongerScore } from "../../engine/page/extension-results.js";
import type { LongerWords } from "./words.js";

export interface ShownScore {
  method: StretchMethod;
  score: LongerScore;
}

export interface Reading {
  words: LongerWords;
  joiner: string;
  multiple: number;
  /** Bits a token at the model's own length, and at this one with nothing changed. */
  own: number;
  plain: number;
  scores: readonly ShownScore[];
  /** What this tab has read, where that is what is shown. */
  here: LongerAnswer | undefined;
}

/** So much more in the first stretch is more than another text would make. */
const noticeable = 0.1;

export function readingOf({ words, joiner, multiple, own, plain, scores, here }: Reading): string {
  const nameOf = ({ method }: ShownScore) => words.names[method];
  const list = scores
    .filter(({ method }) => method !== "none")
    .map((shown) => words.gain(nameOf(shown), shown.score.bitsPerToken));
  const firstOf = ({ score }: ShownScore) => score.byPosition[0]!;
  const [worst] = [...scores].sort((a, b) => firstOf(b) - firstOf(a));
  // Of the same texts where the line of the unchanged model is drawn beside it.
  const unchanged = scores.find(({ method }) => method === "none");
  const before = unchanged ? firstOf(unchanged) : own;
  // With nothing changed the first stretch is what it was: another text is no finding.
  const isSpoiled = worst && worst.method !== "none" && firstOf(worst) > before + noticeable;
  return [
    words.before(list.join(joiner), plain.toFixed(2), own.toFixed(2), multiple),
    isSpoiled ? words.spoiled(nameOf(worst), firstOf(worst), before, unchanged !== undefined) : "",
    here ? words.here(here) : "",
  ].join("");
}
