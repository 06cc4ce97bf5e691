/** Questions about longer texts, and the worker's answers. */
import type { Language, StretchHead, StretchMethod } from "../../defaults.js";

/** The pairs of a head, stretched by a method. */
export interface StretchQuestion {
  method: StretchMethod;
  factor: number;
  head: StretchHead;
  /**
   * Rotations within the trained length above which a pair is kept, and below which it is divided.
   */
  ramp: readonly [fast: number, slow: number];
}

export const pairKinds = ["kept", "blended", "divided"] as const;
export type PairKind = (typeof pairKinds)[number];

export interface StretchedPair {
  /** Radians per position, in training and after stretching. */
  before: number;
  after: number;
  kind: PairKind;
  /** Makes at least one full rotation within the trained length. */
  hasRotated: boolean;
  /** Reaches angles at the end of the longer text that did not occur in training. */
  isNew: boolean;
}

export interface StretchAnswer extends StretchQuestion {
  headDim: number;
  /** Tokens of the training. */
  length: number;
  theta: number;
  pairs: StretchedPair[];
  /** Factor of cosine and sine: its square multiplies every logit. */
  attentionFactor: number;
  /** LongRoPE's divisors, if they apply. */
  longFactor?: readonly number[];
}

/** A held-out text that the trained model reads in one window, once with each method. */
export interface LongerQuestion {
  folder: string;
  language: Language;
  multiple: number;
  methods: readonly StretchMethod[];
  /** LongRoPE's divisors for this factor, if they were searched. */
  longFactor?: readonly number[] | undefined;
}

export interface MethodLoss {
  method: StretchMethod;
  bitsPerToken: number;
  /** Loss in consecutive pieces as long as the training window. */
  byPosition: number[];
}

export interface LongerAnswer extends Omit<LongerQuestion, "folder" | "longFactor"> {
  tokens: number;
  losses: MethodLoss[];
  milliseconds: number;
}
