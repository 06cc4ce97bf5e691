/** Questions whose answers are zoomable maps: from schemes and models, or from a reader's file. */
import type { FormulaOptions } from "whereformer";
import type { Failure } from "./failure.js";
import type {
  SurgeryInForce,
  SurgeryLoss,
  SurgeryOffer,
  SurgeryRequest,
} from "./surgery-messages.js";

/** Shown numbers of a head: its weights, its logits, or one part of the logits. */
export const mapParts = ["weights", "sum", "content", "position"] as const;
export type MapPart = (typeof mapParts)[number];

/** Source of the map: the untrained layer of the lab with a scheme, or a trained model. */
export const mapReaders = ["model", "scheme"] as const;
export type MapReader = (typeof mapReaders)[number];

/** Surgery on one of the trained models; "none" returns only the offer. */
export interface MapSurgery extends Omit<SurgeryRequest, "operation" | "layer" | "head"> {
  operation: SurgeryRequest["operation"] | "none";
}

export interface MapsQuestion {
  /** Folder of the trained models and of the tokenizer. */
  folder: string;
  reader: MapReader;
  schemes: readonly string[];
  /** Text; if empty, this many tokens of the held-out text in that language. */
  text: string;
  length: number;
  language: "en" | "zh";
  /** Tokens of the tokenizer, or characters. */
  unit: "token" | "character";
  longest: number;
  layer: number;
  head: number;
  part: MapPart;
  operation?: MapSurgery | undefined;
  /** The reader's formula, if it is among the schemes; or why it cannot be read. */
  formula?: FormulaOptions | { failure: Failure };
  /** Returns small maps of every head of the layer, instead of one head's whole map. */
  allHeads?: boolean;
}

/**
 * Small maps of a layer's heads: in each block of cells the number with the largest absolute value.
 */
export interface SmallHeads {
  heads: number;
  rows: number;
  columns: number;
  /** [heads, rows, columns]; NaN in blocks that are wholly masked. */
  values: Float32Array;
}

/** The map of one scheme; NaN in masked cells. */
export interface SchemeMap {
  scheme: string;
  /** [tokens, tokens] */
  values?: Float32Array;
  small?: SmallHeads;
  failure?: Failure;
}

/** The map of a model after surgery, beside its own. */
export interface OperatedMap extends SchemeMap {
  offer: SurgeryOffer;
  /** Undefined without surgery. */
  inForce?: SurgeryInForce;
  /**
   * Losses before and after; empty for a moved token that occurs in no window of the held-out text.
   */
  losses: SurgeryLoss[];
  /** Held-out tokens that were predicted. */
  scored: number;
  /** Bits per token of the shown text, for a reader's own model that predicts. */
  textLoss?: { before: number; after: number };
}

export interface MapsAnswer extends Omit<MapsQuestion, "folder"> {
  tokens: string[];
  ids: number[];
  /** True if the text was longer than `longest`. */
  isShortened: boolean;
  numLayers: number;
  numHeads: number;
  maps: SchemeMap[];
  operated?: OperatedMap;
  /** Time of computing, without that of the network. */
  milliseconds: number;
}

/** A reader's own file, which never leaves this tab. */
export interface FileMapQuestion {
  file: Blob;
  name: string;
}

export interface FileMapAnswer {
  layers: number;
  heads: number;
  rows: number;
  columns: number;
  /** [layers, heads, rows, columns] */
  values: Float32Array;
  /** Labels of rows and columns, if the file has them. */
  rowTokens?: string[];
  columnTokens?: string[];
}

/** Maximum length of a side of a map. */
export const longestMapSide = 4096;
/** Maximum numbers in a file: 256 MB in the page's memory. */
export const maxMapNumbers = 1 << 26;
