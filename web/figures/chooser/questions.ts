/** What the chooser asks, and where its sentences may come from. */
import { pictureSides, textLengths } from "../../engine/both/chooser-lengths.js";

export const questions = ["what", "sees", "trained", "read", "cache", "start"] as const;
export type Question = (typeof questions)[number];
/** Index of the answer to each question. */
export type Answers = Readonly<Record<Question, number>>;

/** Bytes for a token and layer; the first has no limit. */
export const budgets = [Number.POSITIVE_INFINITY, 4096, 2048, 1024, 512] as const;

/** What a checkpoint has, by the family of the engine's schemes; the first is none. */
export const starts = ["", "rotary", "absolute", "relative", "latent"] as const;

/** How many answers each question has. */
export const counts: Readonly<Record<Question, number>> = {
  what: 2,
  sees: 2,
  trained: textLengths.length,
  read: textLengths.length,
  cache: budgets.length,
  start: starts.length,
};

/** The answers that a list of the address gives, each within its question. */
export function answersIn(written: readonly number[]): Answers {
  const entries = questions.map((question, at) => {
    return [question, Math.min(counts[question] - 1, Math.max(0, written[at] ?? 0))] as const;
  });
  return Object.fromEntries(entries) as Answers;
}

export const isGrid = ({ what }: Answers): boolean => what === 1;

/** Lengths of training and of reading: tokens of a text, or cells of a picture's side. */
export function lengthsOf(answers: Answers): { trained: number; read: number } {
  const steps = isGrid(answers) ? pictureSides : textLengths;
  return { trained: steps[answers.trained]!, read: steps[answers.read]! };
}

export type Source =
  | "claims"
  | "cost"
  | "length"
  | "extension"
  | "image"
  | "mask"
  | "surgery"
  | "table";
