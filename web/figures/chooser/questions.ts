/** Questions of the chooser, and the sources of its sentences. */
import { pictureSides, textLengths } from "../../engine/both/chooser-lengths.js";

export const questions = ["what", "sees", "trained", "read", "cache", "start"] as const;
export type Question = (typeof questions)[number];
/** Index of the chosen answer to each question. */
export type Answers = Readonly<Record<Question, number>>;

/** Bytes for a token and layer; the first is no limit. */
export const budgets = [Number.POSITIVE_INFINITY, 4096, 2048, 1024, 512] as const;

/**
 * Families of positions in the reader's checkpoint, as the engine names them; the first is no
 * checkpoint.
 */
export const starts = ["", "rotary", "absolute", "relative", "latent"] as const;

/** Number of answers to each question. */
export const counts: Readonly<Record<Question, number>> = {
  what: 2,
  sees: 2,
  trained: textLengths.length,
  read: textLengths.length,
  cache: budgets.length,
  start: starts.length,
};

/** Returns the answers from a list in the address, each clamped to its question. */
export function answersIn(written: readonly number[]): Answers {
  const entries = questions.map((question, at) => {
    return [question, Math.min(counts[question] - 1, Math.max(0, written[at] ?? 0))] as const;
  });
  return Object.fromEntries(entries) as Answers;
}

export const isGrid = ({ what }: Answers): boolean => what === 1;

/**
 * Returns the lengths of training and of reading: tokens of a text, or cells on a side of a
 * picture.
 */
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
