/** What the figures about longer texts ask, and what they are answered. */
import type { Language, StretchHead, StretchMethod } from "../../defaults.js";

/** The pairs of a head, stretched by a method. */
export interface StretchQuestion {
  method: StretchMethod;
  factor: number;
  head: StretchHead;
  /** Turns within the trained length from which a pair is kept, and up to which it is divided. */
  ramp: readonly [fast: number, slow: number];
}

export const pairKinds = ["kept", "blended", "divided"] as const;
export type PairKind = (typeof pairKinds)[number];

export interface StretchedPair {
  /** Radians for one position, in training and as it is read now. */
  before: number;
  after: number;
  kind: PairKind;
  /** Within the trained length it has come round at least once. */
  hasTurned: boolean;
  /** At the end of the longer text it points where it never pointed in training. */
  isNew: boolean;
}

export interface StretchAnswer extends StretchQuestion {
  headDim: number;
  /** Tokens of the training. */
  length: number;
  theta: number;
  pairs: StretchedPair[];
  /** On cosine and sine: its square multiplies every score. */
  attentionFactor: number;
  /** LongRoPE's divisors, where they are in force. */
  longFactor?: readonly number[];
}

/** A held-out text, read by the trained model in one window, once with each method. */
export interface LongerQuestion {
  folder: string;
  language: Language;
  multiple: number;
  methods: readonly StretchMethod[];
  /** LongRoPE's divisors for this multiple, where they were searched. */
  longFactor?: readonly number[] | undefined;
}

export interface LongerReading {
  method: StretchMethod;
  bitsPerToken: number;
  /** In stretches as long as the training, one after the other. */
  byPosition: number[];
}

export interface LongerAnswer extends Omit<LongerQuestion, "folder" | "longFactor"> {
  tokens: number;
  readings: LongerReading[];
  milliseconds: number;
}
