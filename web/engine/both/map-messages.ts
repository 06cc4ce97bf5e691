/** Questions whose answers are maps to be zoomed: of schemes and models, and of a reader's file. */
import type { Failure } from "./failure.js";
import type {
  OperationInForce,
  OperationLoss,
  OperationOffer,
  OperationWish,
} from "./operation-messages.js";

/** What of a head is shown: its weights, or the scores before the softmax and what they sum of. */
export const mapParts = ["weights", "sum", "content", "position"] as const;
export type MapPart = (typeof mapParts)[number];

/** Who reads: the untrained layer of the lab with a scheme, or a trained model. */
export const mapReaders = ["model", "scheme"] as const;
export type MapReader = (typeof mapReaders)[number];

/** Surgery on one of the trained models; "none" asks only what it offers. */
export interface MapOperation extends Omit<OperationWish, "operation" | "layer" | "head"> {
  operation: OperationWish["operation"] | "none";
}

export interface MapsQuestion {
  /** Of the trained models; the tokenizer lies there. */
  folder: string;
  reader: MapReader;
  schemes: readonly string[];
  /** What is read; where it is empty, so many tokens of the held-out text of that language. */
  text: string;
  length: number;
  language: "en" | "zh";
  /** Token by token as the tokenizer cuts, or character by character. */
  unit: "token" | "character";
  longest: number;
  layer: number;
  head: number;
  part: MapPart;
  operation?: MapOperation | undefined;
  /** Every head of the layer, small, in the place of one head's whole map. */
  allHeads?: boolean;
}

/** Heads of a layer made small: of each block of cells the number of the largest size. */
export interface SmallHeads {
  heads: number;
  rows: number;
  columns: number;
  /** [heads, rows, columns]; not a number where the whole block is masked. */
  values: Float32Array;
}

/** One scheme's map; what is masked is not a number. */
export interface SchemeMap {
  scheme: string;
  /** [tokens, tokens] */
  values?: Float32Array;
  small?: SmallHeads;
  failure?: Failure;
}

/** The map of a model that was operated on, beside its own. */
export interface OperatedMap extends SchemeMap {
  offer: OperationOffer;
  /** Absent where no operation was asked for. */
  inForce?: OperationInForce;
  /** Before and after; none for a moved token that no window of the held-out text has. */
  losses: OperationLoss[];
  /** Held-out tokens that were predicted. */
  scored: number;
  /** Bits a token of the text in view, of a reader's own model that predicts. */
  ownLoss?: { before: number; after: number };
}

export interface MapsAnswer extends Omit<MapsQuestion, "folder"> {
  tokens: string[];
  ids: number[];
  /** True where the text was longer than `longest`. */
  cut: boolean;
  numLayers: number;
  numHeads: number;
  maps: SchemeMap[];
  operated?: OperatedMap;
  /** Of reading, without what came over the network. */
  milliseconds: number;
}

/** A reader's own file, which only this tab sees. */
export interface OwnMapQuestion {
  file: Blob;
  name: string;
}

export interface OwnMapAnswer {
  layers: number;
  heads: number;
  rows: number;
  columns: number;
  /** [layers, heads, rows, columns] */
  values: Float32Array;
  /** Texts of rows and columns, where the file has some. */
  rowTokens?: string[];
  columnTokens?: string[];
}

/** The longest side of a map. */
export const longestMapSide = 4096;
/** The most numbers of a file: 256 MB of them as the page holds them. */
export const mostMapNumbers = 1 << 26;
