/** Question of the figure about stretched rotations, and the worker's answer. */
import type { StretchHead, StretchMethod } from "../../defaults.js";
import type { StretchedPair } from "../../engine/both/stretched-pairs.js";

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

declare module "../../engine/both/messages.js" {
  interface Questions {
    stretch: [StretchQuestion, StretchAnswer];
  }
}
