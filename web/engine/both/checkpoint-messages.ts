/** What the figure about the reader's own models asks its worker. */
import type { WeightType } from "whereformer";
import type { Failure } from "./failure.js";
import type { MapOperation, MapPart, OperatedMap } from "./map-messages.js";

/** Where a model comes from. */
export type CheckpointSource =
  | { files: readonly File[] }
  /** A model of this page's: its folder's address, and its tokenizer's. */
  | { folder: string; tokenizer: string }
  /** One that this browser keeps, by its name. */
  | { kept: string };

export interface OpenQuestion {
  source: CheckpointSource;
  dtype: WeightType;
  /** Keeps its files in the browser's own storage, under this name. */
  keep?: string;
}

/** How a model turns queries and keys, as it was trained. */
export interface RotaryFacts {
  base: number;
  /** A name of the engine's: "default", "linear", "yarn", … */
  method: string;
  /** Tokens that it was trained on at a time, where its config says so. */
  length: number;
}

/** A stack of layers, and how its positions can be bent. */
export interface StackFacts {
  numLayers: number;
  numHeads: number;
  isCausal: boolean;
  /** Ids of its schemes. */
  schemes: string[];
  /** Undefined where nothing is turned. */
  rotary?: RotaryFacts;
  /** Whether positions can be taken from some layers alone. */
  bendsByLayer: boolean;
}

/** Which attention of a model of two stacks: either's to itself, or the decoder's to the text. */
export type Part = "encoder" | "decoder" | "cross";

/** Its own stack is the only one, or the encoder. */
export interface OpenedModel extends StackFacts {
  family: string;
  parameterCount: number;
  weightBytes: number;
  dtype: WeightType;
  /** Of a model of two stacks: what writes. */
  decoder?: StackFacts;
  /** Whether it says what comes next, so that a text has a loss. */
  predicts: boolean;
  /** False where its files hold no tokenizer that can be read: a text is then token ids. */
  readsText: boolean;
  /** Why not; none where there is no such file. */
  tokenizerProblem?: Failure;
  milliseconds: number;
}

/** Other positions, for layers from `first` to `last`, counted from 0. */
export interface CheckpointBend {
  positions: "trained" | "none";
  /** Of rotary schemes; undefined: their own. */
  base?: number;
  method?: string;
  factor: number;
  length: number;
  first: number;
  last: number;
}

export interface EncodeQuestion {
  text: string;
  longest: number;
  /** What the decoder is to write, which begins with a token of the model's. */
  isWritten?: boolean;
}

export interface EncodeAnswer {
  ids: number[];
  tokens: string[];
  cut: boolean;
}

export interface LossQuestion {
  ids: readonly number[];
  /** What the decoder of a model of two stacks writes, from its first token on. */
  written?: readonly number[];
  bend?: CheckpointBend;
}

/** In nats; `perToken` begins with the second token. */
export interface Loss {
  mean: number;
  perToken: Float32Array;
}

export interface LossAnswer {
  trained: Loss;
  /** Under the bend, where there is one. */
  now?: Loss;
}

/** Maps of a text; of a model of two stacks those of a part. */
export interface MapsQuestion extends LossQuestion {
  part?: Part;
}

/** The maps of all heads in some layers, small. */
export interface ThumbnailsQuestion extends MapsQuestion {
  layers: readonly number[];
}

export interface ThumbnailsAnswer {
  layers: readonly number[];
  /** Cells of a thumbnail. */
  rows: number;
  columns: number;
  /** [layers, heads, rows, columns]: of each block of cells the largest weight. */
  weights: Float32Array;
  /** As `weights`, of maps without their first token. */
  withoutFirst: Float32Array;
}

export interface OneHeadQuestion extends MapsQuestion {
  layer: number;
  head: number;
}

/** One head, [queries, keys] each. */
export interface OneHeadAnswer {
  part?: Part;
  layer: number;
  head: number;
  weights: Float32Array;
  logits: Float32Array;
  /** By name; they sum to the logits. */
  terms: Record<string, Float32Array>;
}

/** One head's map of a text as the lab asks for it, of a model of two stacks the encoder's. */
export interface OpenedMapQuestion {
  text: string;
  longest: number;
  /** Where the model has fewer, the last of them. */
  layer: number;
  head: number;
  part: MapPart;
  operation?: MapOperation | undefined;
}

export interface OpenedMapAnswer extends Omit<OpenedMapQuestion, "operation">, EncodeAnswer {
  /** [tokens, tokens]; what is masked is not a number. */
  values: Float32Array;
  operated?: OperatedMap;
}

/** A model that this browser keeps. */
export interface KeptEntry {
  name: string;
  bytes: number;
}

export interface KeptQuestion {
  /** The name of one to be deleted first. */
  remove?: string;
}

export interface CheckpointQuestions {
  /** Has all come that opening takes. */
  checkpointReady: [Record<never, never>, true];
  checkpointOpen: [OpenQuestion, OpenedModel];
  checkpointEncode: [EncodeQuestion, EncodeAnswer];
  checkpointLoss: [LossQuestion, LossAnswer];
  checkpointThumbnails: [ThumbnailsQuestion, ThumbnailsAnswer];
  checkpointHead: [OneHeadQuestion, OneHeadAnswer];
  checkpointMap: [OpenedMapQuestion, OpenedMapAnswer];
  checkpointKept: [KeptQuestion, KeptEntry[]];
}
