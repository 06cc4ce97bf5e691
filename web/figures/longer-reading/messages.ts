/** Question of the figure about longer texts, and the worker's answer. */
import type { Language, StretchMethod } from "../../defaults.js";

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

declare module "../../engine/both/messages.js" {
  interface Questions {
    longer: [LongerQuestion, LongerAnswer];
  }
}
