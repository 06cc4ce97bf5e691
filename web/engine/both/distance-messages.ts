/** Questions about vectors that are added to words, and about biases by distance. */
import type { Language } from "../../defaults.js";

/** Bias that a scheme adds to logits by distance. */
export interface DistanceQuestion {
  folder: string;
  scheme: string;
  /** First number of the scheme that the reader sets; for some schemes the number of heads. */
  knob: number;
  /** The further numbers, as the address holds them (`distance-numbers.ts`). */
  numbers: readonly number[];
  /** Counted from 0; in a model with fewer layers, the last one. */
  layer: number;
  head: number;
  /** Language of the held-out text. */
  language: Language;
}

/** A curve with one number at each distance from 0. */
export interface DistanceLine {
  /** A head's bias; the mean of a term; or the term's 10th or 90th percentile. */
  kind: "head" | "mean" | "low" | "high";
  /** Head, from 0, or name of the term. */
  name: string | number;
  values: Float32Array;
}

/** The question as it was answered, with the numbers. */
export interface DistanceAnswer extends Omit<DistanceQuestion, "folder"> {
  /** The further numbers in force, with trained ones filled in. */
  values: number[];
  /**
   * The scheme's trained parameters, with the reader's changes; only if the bias does not depend on
   * the words.
   */
  parameters?: Record<string, { data: Float32Array; shape: readonly number[] }>;
  numLayers: number;
  numHeads: number;
  /** Whether the numbers were trained, and whether they differ from text to text. */
  isTrained: boolean;
  isOfContent: boolean;
  lines: DistanceLine[];
  /** Rows and columns of the map. */
  side: number;
  /** Bias that the head adds to each logit, [side, side]. */
  map: Float32Array;
  /** Tokens of the map, if it shows a text. */
  tokens: string[];
  /**
   * Number of logits at the farthest distance; the curves are over all pairs of tokens at a
   * distance.
   */
  scores: number;
}
