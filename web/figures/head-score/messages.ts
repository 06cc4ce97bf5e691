/**
 * Question of the figure about a head's score by distance: how strong each of its pairs of channels
 * is, and the worker's answer.
 */
import type { Language } from "../../defaults.js";

export interface HeadScoreQuestion {
  /** Folder of the trained models and of the tokenizer. */
  folder: string;
  language: Language;
}

/** A pair of channels adds strength · cos(2π (distance / period − start)) to the mean score. */
export interface HeadPair {
  /** Tokens for one full rotation. */
  period: number;
  strength: number;
  /** Rotation after which the pair scores highest, from 0 to 1. */
  start: number;
}

export interface HeadScoreAnswer {
  language: Language;
  /** Longest text in the training, in tokens. */
  trained: number;
  /** The fastest first. */
  pairs: HeadPair[];
  /** Index of the pair that comes round after the training, and is the strongest of those. */
  returning: number;
  /** What ALiBi adds to the logits of its heads by distance from 0 [heads, distances]. */
  biases: Float32Array;
  heads: number;
}

declare module "../../engine/both/messages.js" {
  interface Questions {
    headScore: [HeadScoreQuestion, HeadScoreAnswer];
  }
}
