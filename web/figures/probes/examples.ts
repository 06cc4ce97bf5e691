/** One small case of each task: what is read, what is to be said, and where the answer stands. */
import type { ProbeTask } from "../../defaults.js";

export interface Example {
  read: readonly string[];
  /** By place in what is read; a place without one is not asked. */
  answers: Readonly<Record<number, string>>;
  /** From a place that is asked to a place that decides the answer. */
  arcs: readonly (readonly [from: number, to: number])[];
}

/** Those that need no language. */
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
  // 42 + 39 = 081, the ones first.
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
