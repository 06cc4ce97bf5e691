/** Messages of the figures about what is added to a word, and about biases by distance. */
import type { Language } from "../../defaults.js";

/** What a scheme adds to the token vectors, as a trained model has it. */
export interface AddedQuestion {
  folder: string;
  scheme: string;
  /** Of sinusoids. */
  base: number;
}

/** The question, with what came of it. */
export interface AddedAnswer extends Omit<AddedQuestion, "folder"> {
  /** Positions from 0 that the scheme is defined at, among those shown. */
  positions: number;
  channels: number;
  /** [positions, channels] */
  values: Float32Array;
  /** Radians for one position, by pair of channels; of sinusoids. */
  frequencies?: Float32Array;
  /** Products of the rows of some positions with those before them, [queries, distances]. */
  products: Float32Array;
  /** What the engine says of a position past the end. */
  refusal?: string;
}

/** Products of rows with W_q and W_k of a head between them, in a model's first layer. */
export interface ProjectedQuestion {
  folder: string;
  scheme: string;
  head: number;
}

export interface ProjectedAnswer extends Omit<ProjectedQuestion, "folder"> {
  numHeads: number;
  /** [queries, distances] */
  products: Float32Array;
}

/** What a scheme adds to scores by distance. */
export interface DistanceQuestion {
  folder: string;
  scheme: string;
  /** The scheme's first number that is turned; of some the number of heads. */
  knob: number;
  /** Its others, as the address has them (`distance-numbers.ts`). */
  numbers: readonly number[];
  /** Counted from 0; the last one where there are not so many. */
  layer: number;
  head: number;
  /** Of the held-out text. */
  language: Language;
}

/** One number at each distance from 0 on. */
export interface DistanceLine {
  /** A head's bias; the mean of a term; or what one in ten lies below or above. */
  kind: "head" | "mean" | "low" | "high";
  /** Head from 0, or the name of the term. */
  name: string | number;
  values: Float32Array;
}

/** The question, with what came of it. */
export interface DistanceAnswer extends Omit<DistanceQuestion, "folder"> {
  /** The other numbers as they are in force, trained ones too. */
  values: number[];
  /** The scheme's trained numbers, turned where a reader has; where the bias needs no words. */
  parameters?: Record<string, { data: Float32Array; shape: readonly number[] }>;
  numLayers: number;
  numHeads: number;
  /** Whether its numbers were trained, and whether they differ from text to text. */
  isTrained: boolean;
  isOfContent: boolean;
  lines: DistanceLine[];
  /** Rows and columns of the map. */
  side: number;
  /** What the head adds to each score, [side, side]. */
  map: Float32Array;
  /** Tokens of the map, where it is of a text. */
  tokens: string[];
  /** Of all pairs of tokens at one distance, over so many scores at the farthest. */
  scores: number;
}
