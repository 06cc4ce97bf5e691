/**
 * Questions to the worker, and their answers: here those of several figures. A figure adds its own
 * to `Questions` in the `messages.ts` of its folder.
 */
import type { FormulaOptions, SchemeDescription, Variant } from "whereformer";
import type { Answer, Request } from "whereformer/requests";
import type { CacheBytesAnswer, CacheQuestion } from "./cache-messages.js";
import type { CatalogueRow } from "./catalogue-messages.js";
import type { CheckpointQuestions } from "./checkpoint-messages.js";
import type { DistanceAnswer, DistanceQuestion } from "./distance-messages.js";
import type { ElementQuestions } from "./element-messages.js";
import type { Failure } from "./failure.js";
import type { GhostAnswer, GhostQuestion } from "./ghost-messages.js";
import type { FileMapAnswer, FileMapQuestion, MapsAnswer, MapsQuestion } from "./map-messages.js";
import type { OptionValues } from "./scheme-options.js";
import type { OperateAnswer, OperateQuestion } from "./surgery-messages.js";

/** Two orders of the same tokens through one untrained layer. */
export interface PairQuestion {
  idsA: number[];
  idsB: number[];
  order: number[];
  scheme: string;
}

export interface PairAnswer {
  /** Attention maps [n,n] of the first head. */
  mapA: Float32Array;
  mapB: Float32Array;
  /** B in A's order, minus A. */
  difference: Float32Array;
  largestDifference: number;
  /** Largest difference between the mean output vectors of the two sentences. */
  pooledDifference: number;
  seed: number;
  parameterCount: number;
}

/**
 * One sentence and the same with its first two tokens exchanged, through three untrained models.
 */
export interface OrderQuestion {
  idsA: number[];
  idsB: number[];
  seed: number;
}

export interface OrderCase {
  isCausal: boolean;
  numLayers: number;
  /** Maps [n,n] of the first head in the last layer. */
  mapA: Float32Array;
  mapB: Float32Array;
  /** Maps of the first head in all layers [layers,n,n]. */
  allA: Float32Array;
  allB: Float32Array;
  /** Largest difference between the last token's output vectors. */
  lastDifference: number;
  /** Typical size of an entry of that vector. */
  lastSize: number;
}

export interface OrderAnswer {
  cases: OrderCase[];
}

/** Fetches the trained models. */
export interface LoadQuestion {
  folder: string;
  schemes: readonly string[];
}

export interface LoadedModel {
  scheme: string;
  parameterCount: number;
  numLayers: number;
  numHeads: number;
  /** Held-out bits per character by language, if the model folder has them. */
  bitsPerCharacter?: Record<string, number>;
}

export interface LoadAnswer {
  models: LoadedModel[];
  bytes: number;
}

/** Runs a text through every trained model. */
export interface ReadQuestion {
  text: string;
  longest: number;
}

export interface SchemeWeights {
  scheme: string;
  /** [layers, heads, n, n] */
  weights: Float32Array;
  /** Mean distance of attention, [layers × heads] in tokens. */
  meanDistances: Float32Array;
}

export interface ReadAnswer {
  tokens: string[];
  /** True if the text was longer than `longest` tokens. */
  isShortened: boolean;
  numLayers: number;
  numHeads: number;
  byScheme: SchemeWeights[];
  /** For each layer and head in order, a cell to show first, [row, column]. */
  suggested: [number, number][];
  milliseconds: number;
}

/** All numbers of one head for the text of the last "read". */
export interface HeadQuestion {
  layer: number;
  head: number;
}

export interface HeadDetail {
  scheme: string;
  /** Named terms of each logit, [n,n] each; their sum is `logits`. */
  terms: Record<string, Float32Array>;
  logits: Float32Array;
  /** Rotary schemes: part of each channel pair in the logit, [n,n,pairs]. */
  pairs?: Float32Array;
  /** Tokens for one full rotation of each pair. */
  wavelengths?: Float32Array;
  weightByDistance: Float32Array;
  /** Share of attention within four tokens. */
  nearShare: number;
}

export interface HeadAnswer {
  layer: number;
  head: number;
  /** Tokens of the text to which these numbers belong. */
  tokens: string[];
  details: HeadDetail[];
}

/**
 * One scheme in the untrained model of the gallery, with these tokens, or with the cells of a grid
 * if its positions are a grid's.
 */
export interface PortraitQuestion {
  scheme: string;
  options: OptionValues;
  tokens: readonly string[];
  /** The reader's formula, in place of options of a registered scheme. */
  formula?: FormulaOptions;
  /** Adds the terms of an added encoding, which take time to compute, and the costs. */
  isDetailed: boolean;
}

/** Rows that are added to token vectors. */
export interface EncodingPicture {
  kind: "encoding";
  /** Number of positions for which the scheme is defined, from 0. */
  positions: number;
  channels: number;
  /** [positions, channels] */
  values: Float32Array;
}

/** Pairs of channels that rotate with the position. */
export interface RotationPicture {
  kind: "rotation";
  /** Radians per position, by pair. */
  frequencies: Float32Array;
  /** Logit of an equal query and key, by distance, as a share of that at distance 0. */
  left: Float32Array;
}

/** A bias that does not depend on the words. */
export interface BiasPicture {
  kind: "bias";
  positions: number;
  mapPositions: number;
  /** The last query's bias for every key, [heads, positions]. */
  curves: Float32Array;
  /** [heads, mapPositions, mapPositions] */
  maps: Float32Array;
}

/** Positions on a grid: one map of side × side for each channel or head. */
export interface GridPicture {
  kind: "grid";
  what: "encoding" | "rotation" | "bias";
  side: number;
  /** [channels or heads, side, side] */
  values: Float32Array;
}

/** A scheme without a picture of its own: only its attention to a text can be shown. */
export interface AttentionPicture {
  kind: "attention";
}

export type SchemePicture =
  | EncodingPicture
  | RotationPicture
  | BiasPicture
  | GridPicture
  | AttentionPicture;

/** Every head's attention to a text, [heads, n, n] each. */
export interface TextRecord {
  weights: Float32Array;
  logits: Float32Array;
  /** Terms by name; their sum is `logits`. */
  terms: Record<string, Float32Array>;
}

/**
 * Cost that a scheme adds to a model of these sizes: all parameters, and the operations of one
 * forward pass without a mask.
 */
export interface CostAnswer {
  tokens: number;
  numHeads: number;
  headDim: number;
  numLayers: number;
  parameters: number;
  onceFlops: number;
  layerFlops: number;
  /** Operations of q·k and of weights × values, in a layer. */
  attentionFlops: number;
  /** Bytes of a KV cache for each token and layer. */
  cacheBytes: number;
}

export interface PortraitAnswer {
  scheme: string;
  numHeads: number;
  /** Labels of the tokens or cells, and whether the mask is causal. */
  labels: string[];
  ids: number[];
  isCausal: boolean;
  /** True if the text was cut to the positions for which the scheme is defined. */
  isShortened: boolean;
  picture: SchemePicture;
  record: TextRecord;
  /** If the question is detailed: the cost, and whether there is a largest position or distance. */
  cost?: CostAnswer;
  ends?: boolean;
}

/** By name, a question and its answer. */
export interface Questions extends CheckpointQuestions, ElementQuestions {
  pair: [PairQuestion, PairAnswer];
  order: [OrderQuestion, OrderAnswer];
  distance: [DistanceQuestion, DistanceAnswer];
  ghosts: [GhostQuestion, GhostAnswer];
  cache: [CacheQuestion, CacheBytesAnswer];
  load: [LoadQuestion, LoadAnswer];
  read: [ReadQuestion, ReadAnswer];
  head: [HeadQuestion, HeadAnswer];
  operate: [OperateQuestion, OperateAnswer | undefined];
  catalogue: [Record<never, never>, CatalogueRow[]];
  schemes: [Record<never, never>, readonly SchemeDescription[]];
  portrait: [PortraitQuestion, PortraitAnswer];
  maps: [MapsQuestion, MapsAnswer];
  fileMap: [FileMapQuestion, FileMapAnswer];
  /** Addresses that the worker has fetched whole. */
  fetched: [Record<never, never>, string[]];
}

export type Kind = keyof Questions;

/** Addresses of the engine's binaries, by variant. */
export type Binaries = Partial<Record<Variant, string>>;

export interface Call {
  kind: Kind;
  question: unknown;
}

export type Progress = [loaded: number, total: number];

export type ToWorker =
  | Request<Call>
  /** First message to a script that cannot find the binaries relative to itself. */
  | { wasm: Binaries }
  /** Binaries of the small engine for the first figures; sent before the first question. */
  | { firstWasm: Binaries };

export type FromWorker =
  /** First message from the worker: its script runs. */
  { started: true } | Answer<unknown, Progress, Failure>;
