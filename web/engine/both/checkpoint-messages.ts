/** Questions about the reader's own model, and the answers of its worker. */
import type { Picture, PictureGrid, WeightType } from "whereformer";
import type { Failure } from "./failure.js";
import type { MapPart, MapSurgery, OperatedMap } from "./map-messages.js";

/** Source of a model. */
export type CheckpointSource =
  | { files: readonly File[] }
  /** One of the page's models: addresses of its folder and, if it reads texts, of its tokenizer. */
  | { folder: string; tokenizer?: string }
  /** A model kept in the browser's storage, by its name. */
  | { kept: string };

export interface OpenQuestion {
  source: CheckpointSource;
  /** What the model must read; another one is refused. */
  reads: "texts" | "pictures";
  dtype: WeightType;
  /** Keeps the model's files in the browser's storage, under this name. */
  keep?: string;
}

/** Rotation of queries and keys in a model as it was trained. */
export interface RotaryFacts {
  base: number;
  /** The engine's name of the scaling: "default", "linear", "yarn", … */
  method: string;
  /** Tokens in a training window, if the config has that number. */
  length: number;
}

/** A stack of layers, and the bends that it allows. */
export interface LayerTypeFacts {
  numLayers: number;
  numHeads: number;
  isCausal: boolean;
  /** Ids of its schemes. */
  schemes: string[];
  /** Undefined without a rotation. */
  rotary?: RotaryFacts;
  /** Whether a bend can apply to some layers alone. */
  bendsByLayer: boolean;
}

/**
 * Attention of an encoder-decoder model: the encoder's, the decoder's, or the decoder's to the
 * text.
 */
export type Part = "encoder" | "decoder" | "cross";

/** The facts of its own stack are those of the only one, or of the encoder. */
export interface OpenedModel extends LayerTypeFacts {
  family: string;
  parameterCount: number;
  weightBytes: number;
  dtype: WeightType;
  /** The decoder of an encoder-decoder model. */
  decoder?: LayerTypeFacts;
  /** Whether the model predicts the next token, so that a text has a loss. */
  predicts: boolean;
  /** False without a tokenizer that can be read: a text is then a list of token ids. */
  readsText: boolean;
  /** Reason for that; undefined if there is no tokenizer file. */
  tokenizerProblem?: Failure;
  milliseconds: number;
}

/** Other positions, in the layers from `first` to `last`, counted from 0. */
export interface CheckpointBend {
  positions: "trained" | "none";
  /** Base of rotary schemes; undefined for the model's own. */
  base?: number;
  method?: string;
  factor: number;
  length: number;
  /** Method and window of other positions for distant keys, and how many of these become one. */
  remap?: string;
  group?: number;
  first: number;
  last: number;
}

export interface EncodeQuestion {
  text: string;
  longest: number;
  /** Whether the text is for the decoder, which puts the model's start token before it. */
  isWritten?: boolean;
}

export interface EncodeAnswer {
  ids: number[];
  tokens: string[];
  isShortened: boolean;
}

export interface LossQuestion {
  ids: readonly number[];
  /** Ids that the decoder of an encoder-decoder model reads, with its start token. */
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
  /** Loss under the bend, if there is one. */
  now?: Loss;
}

/** Maps of a text; of an encoder-decoder model, those of one part. */
export interface MapsQuestion extends LossQuestion {
  part?: Part;
}

/** Small maps of all heads in some layers. */
export interface ThumbnailsQuestion extends MapsQuestion {
  layers: readonly number[];
}

export interface ThumbnailsAnswer {
  layers: readonly number[];
  /** Rows and columns of a thumbnail. */
  rows: number;
  columns: number;
  /** [layers, heads, rows, columns]: the largest weight of each block of cells. */
  weights: Float32Array;
  /** As `weights`, from maps without their first token. */
  withoutFirst: Float32Array;
}

/** What each head of the model does with a text. */
export interface MeasuredHeadsQuestion {
  ids: readonly number[];
}

export interface MeasuredHeadsAnswer {
  /** By name, a number for each head of each layer; NaN where the text defines none. */
  measures: Record<string, Float32Array>;
  /**
   * [layers, heads, pairs]: the share of each rotated pair of channels in the variance of the
   * scores; and the tokens for one full rotation of each. Undefined without a rotation.
   */
  pairs?: { shares: Float32Array; wavelengths: Float32Array };
}

export interface OneHeadQuestion extends MapsQuestion {
  layer: number;
  head: number;
}

/** Maps of one head, [queries, keys] each. */
export interface OneHeadAnswer {
  part?: Part;
  layer: number;
  head: number;
  weights: Float32Array;
  logits: Float32Array;
  /** Terms by name; their sum is the logits. */
  terms: Record<string, Float32Array>;
}

/** One head's map of a text for the lab; of an encoder-decoder model, the encoder's. */
export interface OpenedMapQuestion {
  text: string;
  longest: number;
  /** Layer, counted from 0; in a model with fewer layers, the last one. */
  layer: number;
  head: number;
  part: MapPart;
  operation?: MapSurgery | undefined;
}

export interface OpenedMapAnswer extends Omit<OpenedMapQuestion, "operation">, EncodeAnswer {
  /** [tokens, tokens]; NaN in masked cells. */
  values: Float32Array;
  operated?: OperatedMap;
}

/** A picture to look at, for a model that reads pictures. */
export interface LookQuestion {
  picture: Picture;
}

export interface LookAnswer {
  grid: PictureGrid;
  milliseconds: number;
}

/** The attention of one token, a patch or one of those before, in the picture last looked at. */
export interface LookRowQuestion {
  token: number;
  /** The layer in view; of a large model only this one is answered. */
  layer: number;
}

export interface LookRowAnswer {
  token: number;
  layers: readonly number[];
  /** [layers, heads, tokens] */
  weights: Float32Array;
}

/** A model kept in the browser's storage. */
export interface KeptEntry {
  name: string;
  bytes: number;
}

export interface KeptQuestion {
  /** Name of a model to delete before the list is made. */
  remove?: string;
}

export interface CheckpointQuestions {
  /** Loads all code that opening a model needs. */
  checkpointReady: [Record<never, never>, true];
  checkpointOpen: [OpenQuestion, OpenedModel];
  checkpointEncode: [EncodeQuestion, EncodeAnswer];
  checkpointLoss: [LossQuestion, LossAnswer];
  checkpointThumbnails: [ThumbnailsQuestion, ThumbnailsAnswer];
  checkpointHead: [OneHeadQuestion, OneHeadAnswer];
  checkpointMeasures: [MeasuredHeadsQuestion, MeasuredHeadsAnswer];
  checkpointMap: [OpenedMapQuestion, OpenedMapAnswer];
  checkpointLook: [LookQuestion, LookAnswer];
  checkpointLookRow: [LookRowQuestion, LookRowAnswer];
  checkpointKept: [KeptQuestion, KeptEntry[]];
}
