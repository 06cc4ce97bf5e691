/** What page and worker say to each other. */

import type { ErrorCode, Variant } from "../types/index.js";
import type { ErrorDetails } from "../wire/error.js";

export type Kind =
  | "engine"
  | "scheme"
  | "attention"
  | "cache"
  | "matrix"
  | "tensor"
  | "model"
  | "generation"
  | "trainer";

/** The methods that may be called from afar, and how many arguments each takes before the task. */
export const methods: Record<Kind, Record<string, number>> = {
  engine: {
    scheme: 2,
    schemeFromConfig: 2,
    attention: 1,
    model: 1,
    trainer: 1,
    positionsWithPictures: 3,
    matmul: 3,
    matrix: 2,
    tensor: 1,
    softmax: 1,
    layerNorm: 2,
    memory: 0,
  },
  scheme: { parameters: 0, rotate: 2, embeddings: 2, bias: 2, cost: 1, frequencies: 1 },
  attention: { run: 1, cache: 1, decode: 2 },
  cache: { truncate: 1, clone: 0 },
  matrix: {},
  tensor: { read: 0 },
  model: { run: 2, loss: 2, generate: 2, save: 1 },
  generation: { next: 0, return: 0 },
  trainer: { step: 1, evaluate: 1, save: 0, model: 0 },
};

/** The engine itself; objects that methods return are numbered from 1. */
export const engineHandle = 0;

/** Stands for an object that lives in the worker. */
export interface Reference {
  whereformerHandle: number;
}

/** An object of the worker, with its properties as they are now. */
export interface Snapshot extends Reference {
  kind: Kind;
  properties: Record<string, unknown>;
}

export const isReference = (value: unknown): value is Reference =>
  typeof value === "object" && value !== null && "whereformerHandle" in value;

export type ToWorker =
  | { start: { variant: Variant; module: WebAssembly.Module } }
  | { id: number; target: number; method: string; args: unknown[] }
  | { cancel: number }
  | { dispose: number };

export interface Failure {
  code: ErrorCode;
  message: string;
  details: ErrorDetails;
}

export type FromWorker =
  | { started: Snapshot }
  | { id: number; progress: [done: number, total: number] }
  /** `touched`: new properties of the objects that the call had to do with. */
  | { id: number; value: unknown; touched: Snapshot[] }
  | { id: number; failure: Failure };
