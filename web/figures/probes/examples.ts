/** One small example of each task: its input, its answers, and the tokens that decide them. */
import type { ProbeTask } from "../../defaults.js";

export interface Example {
  read: readonly string[];
  /** Answers by index in the input; an index without one has no question. */
  answers: Readonly<Record<number, string>>;
  /** From the index of a question to an index that decides its answer. */
  arcs: readonly (readonly [from: number, to: number])[];
}

/** Examples that do not depend on the language. */
export const examples: Record<Exclude<ProbeTask, "agent">, Example> = {
  copy: {
    read: ["f", "b", "d", "|", "f", "b"],
    answers: { 3: "f", 4: "b", 5: "d" },
    arcs: [
      [3, 0],
      [4, 1],
      [5, 2],
    ],
  },
  k_back: {
    read: ["c", "a", "f", "b", "d", "e", "a"],
    answers: { 4: "c", 5: "a", 6: "f" },
    arcs: [
      [4, 0],
      [5, 1],
      [6, 2],
    ],
  },
  reverse: {
    read: ["f", "b", "d", "|", "d", "b"],
    answers: { 3: "d", 4: "b", 5: "f" },
    arcs: [
      [3, 2],
      [4, 1],
      [5, 0],
    ],
  },
  ordered_recall: {
    read: ["f", "b", "d", "2.", "b", "1."],
    answers: { 3: "b", 5: "f" },
    arcs: [
      [3, 1],
      [5, 0],
    ],
  },
  count: {
    read: ["+", "a", "+", "0", "c", "+"],
    answers: { 0: "1", 1: "1", 2: "2", 3: "0", 4: "0", 5: "1" },
    arcs: [
      [2, 0],
      [5, 3],
    ],
  },
  sort: {
    read: ["d", "a", "c", "|", "a", "c"],
    answers: { 3: "a", 4: "c", 5: "d" },
    arcs: [
      [3, 1],
      [4, 2],
      [5, 0],
    ],
  },
  // 42 + 39 = 081, with the lowest digit first.
  addition: {
    read: ["2", "4", "+", "9", "3", "=", "1", "8"],
    answers: { 5: "1", 6: "8", 7: "0" },
    arcs: [
      [5, 0],
      [5, 3],
      [6, 1],
      [6, 4],
    ],
  },
};
