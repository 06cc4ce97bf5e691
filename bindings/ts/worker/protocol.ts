/** What page and worker say to each other. */

import type { ErrorCode } from "../types/index.js";
import type { Compiled } from "../wire/compile.js";
import type { ErrorDetails } from "../wire/error.js";

export type Kind =
  | "engine"
  | "scheme"
  | "attention"
  | "cache"
  | "matrix"
  | "tensor"
  | "model"
  | "bent"
  | "generation"
  | "trainer";

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

/**
 * What the worker has when it has started: the engine, and the methods that each kind may be asked
 * for, with the number of arguments that each takes at most.
 */
export interface Started {
  engine: Snapshot;
  methods: Record<Kind, Readonly<Record<string, number>>>;
}

export const isReference = (value: unknown): value is Reference =>
  typeof value === "object" && value !== null && "whereformerHandle" in value;

export type ToWorker =
  | { start: Compiled }
  | { id: number; target: number; method: string; args: unknown[] }
  | { cancel: number }
  | { dispose: number };

export interface Failure {
  code: ErrorCode;
  message: string;
  details: ErrorDetails;
  /** The engine cannot be used any more. */
  isFinal: boolean;
}

export type FromWorker =
  /** `touched`: new properties of the objects that the call has to do with. */
  | { id: number; progress: [done: number, total: number, loss?: number]; touched: Snapshot[] }
  | { id: number; value: unknown; touched: Snapshot[] }
  | { id: number; failure: Failure; touched: Snapshot[] };

/** The id of the answer to `start`, whose value is `Started`. */
export const startId = -1;
