/** Messages between page and worker. */

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

/** Handle of the engine itself; objects that methods return have handles from 1. */
export const engineHandle = 0;

/** Represents an object that lives in the worker. */
export interface Reference {
  whereformerHandle: number;
}

/** An object of the worker, with the current values of its properties. */
export interface Snapshot extends Reference {
  kind: Kind;
  properties: Record<string, unknown>;
}

/**
 * The worker's state after its start: the engine, and the methods of each kind of object with the
 * maximum number of arguments of each.
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
  /** Whether the engine cannot be used any more. */
  isFinal: boolean;
}

export type FromWorker =
  /** `touched`: new properties of the objects that the call involves. */
  | { id: number; progress: [done: number, total: number, loss?: number]; touched: Snapshot[] }
  | { id: number; value: unknown; touched: Snapshot[] }
  | { id: number; failure: Failure; touched: Snapshot[] };

/** The id of the answer to `start`, whose value is `Started`. */
export const startId = -1;
