/** What the chooser asks, and where its sentences may come from. */

export const questions = ["what", "sees", "length", "cache", "start"] as const;
export type Question = (typeof questions)[number];
/** Index of the answer to each question. */
export type Answers = Readonly<Record<Question, number>>;

export type Source = "claims" | "cost" | "length" | "extension" | "image" | "mask" | "surgery";
