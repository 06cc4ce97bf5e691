/** What figures may ask the worker, and what it answers. One name, one question, one answer. */
import type { SchemeDescription, Variant } from "whereformer";
import type {
  AbsorbAnswer,
  AbsorbQuestion,
  CacheBytesAnswer,
  CacheQuestion,
  FormsAnswer,
  FormsQuestion,
} from "./cache-messages.js";
import type { CatalogueRow } from "./catalogue-messages.js";
import type { CheckpointQuestions } from "./checkpoint-messages.js";
import type { ElementQuestions } from "./element-messages.js";
import type { Failure } from "./failure.js";
import type { MapsAnswer, MapsQuestion, OwnMapAnswer, OwnMapQuestion } from "./map-messages.js";
import type { OperateAnswer, OperateQuestion } from "./operation-messages.js";
import type { GridAnswer, GridQuestion } from "./picture-messages.js";
import type {
  AddedAnswer,
  AddedQuestion,
  DistanceAnswer,
  DistanceQuestion,
  ProjectedAnswer,
  ProjectedQuestion,
} from "./place-messages.js";
import type {
  LayoutsAnswer,
  LayoutsQuestion,
  MixedAnswer,
  MixedQuestion,
  TurningAnswer,
  TurningQuestion,
} from "./rotation-messages.js";
import type { OptionValues } from "./scheme-options.js";
import type {
  LongerAnswer,
  LongerQuestion,
  StretchAnswer,
  StretchQuestion,
} from "./stretch-messages.js";

/** Two orders of the same tokens through one untrained layer. */
export interface PairQuestion {
  idsA: number[];
  idsB: number[];
  order: number[];
  scheme: string;
}

export interface PairAnswer {
  /** Attention maps [n,n] of head 1. */
  mapA: Float32Array;
  mapB: Float32Array;
  /** B put back in A's order, minus A. */
  difference: Float32Array;
  largestDifference: number;
  /** Largest difference of the mean output vectors of the two sentences. */
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
  /** Maps [n,n] of head 1 in the last layer. */
  mapA: Float32Array;
  mapB: Float32Array;
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
  /** Held-out bits per character by language, where the model folder says so. */
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

export interface SchemeReading {
  scheme: string;
  /** [layers, heads, n, n] */
  weights: Float32Array;
  /** Mean distance looked back, [layers × heads] in tokens. */
  meanDistances: Float32Array;
}

export interface ReadAnswer {
  tokens: string[];
  /** True when the text was longer than `longest` tokens. */
  cut: boolean;
  numLayers: number;
  numHeads: number;
  readings: SchemeReading[];
  /** For each layer and head in turn, a cell worth opening with, [row, column]. */
  suggested: [number, number][];
  milliseconds: number;
}

/** Everything about one head on the text read last. */
export interface HeadQuestion {
  layer: number;
  head: number;
}

export interface HeadDetail {
  scheme: string;
  /** Named terms of each logit, [n,n] each; they sum to `logits`. */
  terms: Record<string, Float32Array>;
  logits: Float32Array;
  /** Rotary schemes: shares of each channel pair of the logit, [n,n,pairs]. */
  pairs?: Float32Array;
  /** Tokens for one full turn of each pair. */
  wavelengths?: Float32Array;
  weightByDistance: Float32Array;
  /** Share of attention that stays within four tokens. */
  nearShare: number;
}

export interface HeadAnswer {
  layer: number;
  head: number;
  /** Tokens of the text these details belong to. */
  tokens: string[];
  details: HeadDetail[];
}

/**
 * One scheme in the untrained model of the gallery, reading these tokens (or, where positions are a
 * grid's, its cells).
 */
export interface PortraitQuestion {
  scheme: string;
  options: OptionValues;
  tokens: readonly string[];
  /** With the terms of an added encoding, which take some work, and with the costs. */
  isDetailed: boolean;
}

/** What is added to token vectors. */
export interface EncodingPicture {
  kind: "encoding";
  /** Positions that the scheme is defined at, from 0. */
  positions: number;
  channels: number;
  /** [positions, channels] */
  values: Float32Array;
}

/** Pairs of channels that turn with the position. */
export interface TurnPicture {
  kind: "turn";
  /** Radians for one unit of position, by pair. */
  frequencies: Float32Array;
  /** Score of a query and a key that are equal, by distance, as a share of that at distance 0. */
  left: Float32Array;
}

/** A bias that needs no content. */
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
  what: "encoding" | "turn" | "bias";
  side: number;
  /** [channels or heads, side, side] */
  values: Float32Array;
}

/** Nothing to show without a text. */
export interface AttentionPicture {
  kind: "attention";
}

export type SchemePicture =
  | EncodingPicture
  | TurnPicture
  | BiasPicture
  | GridPicture
  | AttentionPicture;

/** A text read by every head of the layer, [heads, n, n] each. */
export interface TextReading {
  weights: Float32Array;
  logits: Float32Array;
  /** By name; they sum to `logits`. */
  terms: Record<string, Float32Array>;
}

/**
 * What a scheme adds to a model of these sizes: parameters in all, operations of one forward pass
 * without a mask.
 */
export interface CostAnswer {
  tokens: number;
  numHeads: number;
  headDim: number;
  numLayers: number;
  parameters: number;
  onceFlops: number;
  layerFlops: number;
  /** Attention's own two products, in a layer. */
  attentionFlops: number;
  /** Of a KV cache, for each token and layer. */
  cacheBytes: number;
}

export interface PortraitAnswer {
  scheme: string;
  numHeads: number;
  /** What was read, and whether each token sees only those before it. */
  labels: string[];
  ids: number[];
  isCausal: boolean;
  /** True where the scheme is not defined at the rest of the text. */
  isCut: boolean;
  picture: SchemePicture;
  reading: TextReading;
  /** Of a detailed question: what it costs, and whether positions or distances end somewhere. */
  cost?: CostAnswer;
  ends?: boolean;
}

/** Sizes of the attention layer whose time is measured. */
export interface CostSizes {
  tokens: number;
  headDim: number;
  numHeads: number;
}

/** Medians over interleaved rounds. */
export interface MeasuredScheme {
  scheme: string;
  /** The time of the layer without positions, times the ratio. */
  microseconds: number;
  /** Of its time to that of the layer without positions, formed inside each round. */
  ratio: number;
  /** Between which the middle half of the rounds lies, of which `ratio` is the median. */
  range: readonly [number, number];
  /** Of its operations to those of the layer without positions, by formula. */
  formula: number;
  rounds: number;
  /** Trained numbers that the scheme adds to one layer, those of the whole model included. */
  parameters: number;
  /** Of a KV cache, for each token and layer. */
  cacheBytes: number;
}

export interface SchemeCostsAnswer {
  sizes: CostSizes;
  /** The layer without positions. */
  base: MeasuredScheme;
  /** Of its time in microseconds, over all rounds: far from each other where the device is busy. */
  quartiles: readonly [number, number];
  /** All others, the cheapest by formula first. */
  rows: MeasuredScheme[];
  /** Of the layer without positions, in one pass. */
  operations: number;
  variant: string;
}

export interface Questions extends CheckpointQuestions, ElementQuestions {
  pair: [PairQuestion, PairAnswer];
  order: [OrderQuestion, OrderAnswer];
  turning: [TurningQuestion, TurningAnswer];
  added: [AddedQuestion, AddedAnswer];
  projected: [ProjectedQuestion, ProjectedAnswer];
  distance: [DistanceQuestion, DistanceAnswer];
  stretch: [StretchQuestion, StretchAnswer];
  longer: [LongerQuestion, LongerAnswer];
  grid: [GridQuestion, GridAnswer];
  layouts: [LayoutsQuestion, LayoutsAnswer];
  mixed: [MixedQuestion, MixedAnswer];
  cache: [CacheQuestion, CacheBytesAnswer];
  absorb: [AbsorbQuestion, AbsorbAnswer];
  forms: [FormsQuestion, FormsAnswer];
  load: [LoadQuestion, LoadAnswer];
  read: [ReadQuestion, ReadAnswer];
  head: [HeadQuestion, HeadAnswer];
  operate: [OperateQuestion, OperateAnswer | undefined];
  catalogue: [Record<never, never>, CatalogueRow[]];
  schemes: [Record<never, never>, readonly SchemeDescription[]];
  portrait: [PortraitQuestion, PortraitAnswer];
  costs: [CostSizes, SchemeCostsAnswer];
  maps: [MapsQuestion, MapsAnswer];
  ownMap: [OwnMapQuestion, OwnMapAnswer];
  /** Addresses of what the worker has fetched whole. */
  fetched: [Record<never, never>, string[]];
}

export type Kind = keyof Questions;

/** Where the engine's binaries are, by variant. */
export type Binaries = Partial<Record<Variant, string>>;

export type ToWorker =
  | { id: number; kind: Kind; question: unknown }
  | { cancel: number }
  /** Said first to a script that does not know where it lies. */
  | { wasm: Binaries }
  /** Those that answer the first figures alone, said before the first question. */
  | { firstWasm: Binaries };

export type FromWorker =
  /** The first message: its script runs. */
  | { started: true }
  | { id: number; answer: unknown }
  | { id: number; failure: Failure }
  | { id: number; progress: { loaded: number; total: number } };
