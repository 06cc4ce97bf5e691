/** Questions about surgery on a trained model: what may be done to it, and what came of it. */
import type { Surgery } from "whereformer";
import type { Language, Operation, SurgeryPlace } from "../../defaults.js";

/** What is to be done to a model. */
export interface OperationWish {
  scheme: string;
  operation: Operation;
  where: SurgeryPlace;
  /** The head in view; also where the operation is done, unless it is everywhere. */
  layer: number;
  head: number;
  /**
   * A term, a pair, an option's value, a scheme or a distance; what does not fit is chosen anew.
   */
  value: string;
  /** Token that is moved; below 0 one is chosen. */
  token: number;
}

/**
 * What a model offers: operations, terms, an option to turn and between what, schemes to swap in.
 */
export interface OperationOffer {
  operations: Operation[];
  terms: string[];
  option?: { key: string; own: number; least: number; most: number };
  schemes: string[];
  /** Tokens for one full turn of each pair. */
  wavelengths?: Float32Array;
}

/** The wish, with what was chosen where it was left open or missed. */
export interface OperationInForce extends OperationWish, OperationOffer {
  /** Position that the token has been given. */
  to: number;
  /** What the engine was asked for. */
  surgery?: Surgery;
  positions?: number[];
}

/** Bits a character. */
export interface OperationLoss {
  language: Language;
  before: number;
  after: number;
}

/** An operation on one trained model, seen on the text read last and on held-out text. */
export interface OperateQuestion extends OperationWish {
  folder: string;
}

export interface OperateAnswer extends OperationInForce {
  tokens: string[];
  ids: number[];
  /** The head's map [n,n]. */
  before: Float32Array;
  after: Float32Array;
  losses: OperationLoss[];
  /** Held-out tokens that were predicted. */
  scored: number;
  milliseconds: number;
}
