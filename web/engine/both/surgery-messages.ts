/** Questions about surgery on a trained model: the surgery on offer, and its effect. */
import type { Surgery } from "whereformer";
import type { Language, SurgeryKind, SurgeryScope } from "../../defaults.js";

/** The surgery that the reader has chosen. */
export interface SurgeryRequest {
  scheme: string;
  operation: SurgeryKind;
  where: SurgeryScope;
  /** Layer and head in view; the surgery applies to this head, unless it applies everywhere. */
  layer: number;
  head: number;
  /**
   * A term, a pair, an option's value, a method and its window, a scheme or a distance; an invalid
   * value is replaced.
   */
  value: string;
  /** Index of the token that is moved; if negative, one is chosen. */
  token: number;
}

/**
 * Surgery that a model offers: operations, terms, an option with its limits, schemes to swap in.
 */
export interface SurgeryOffer {
  operations: SurgeryKind[];
  terms: string[];
  option?: { key: string; initial: number; min: number; max: number };
  schemes: string[];
  /** Largest window of a remapping. */
  farthest: number;
  /** Tokens for one full rotation of each pair. */
  wavelengths?: Float32Array;
}

/** The chosen surgery, with open or invalid choices filled in. */
export interface SurgeryInForce extends SurgeryRequest, SurgeryOffer {
  /** New position of the token. */
  to: number;
  /** The engine's argument. */
  surgery?: Surgery;
  positions?: number[];
}

/** Bits per character. */
export interface SurgeryLoss {
  language: Language;
  before: number;
  after: number;
}

/**
 * Surgery on one trained model, with its effect on the text of the last "read" and on held-out
 * text.
 */
export interface OperateQuestion extends SurgeryRequest {
  folder: string;
}

export interface OperateAnswer extends SurgeryInForce {
  tokens: string[];
  ids: number[];
  /** The head's map [n,n]. */
  before: Float32Array;
  after: Float32Array;
  losses: SurgeryLoss[];
  /** Held-out tokens that were predicted. */
  scored: number;
  milliseconds: number;
}
