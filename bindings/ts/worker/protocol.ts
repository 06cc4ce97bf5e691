/** Messages between page and worker. */

import type { ErrorCode } from "../types/index.js";
import type { Compiled } from "../wire/compile.js";
import type { ErrorDetails } from "../wire/error.js";
import type { Answer, Request } from "../wire/requests.js";

export type Kind =
  | "engine"
  | "scheme"
  | "attention"
  | "cache"
  | "matrix"
  | "tensor"
  | "model"
  | "bent"
  | "session"
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

/** The first call starts the engine, and its value is `Started`. */
export type Call = { start: Compiled } | { target: number; method: string; args: unknown[] };

export type ToWorker = Request<Call> | { dispose: number };

/** A result, and the new properties of the objects that the call involves. */
export interface Result {
  value: unknown;
  touched: Snapshot[];
}

export type Step = [done: number, total: number, loss?: number];
export type Progress = [step: Step, touched: Snapshot[]];

export interface Failure {
  code: ErrorCode;
  message: string;
  details: ErrorDetails;
  /** Whether the engine cannot be used any more. */
  isFinal: boolean;
  touched: Snapshot[];
}

export type FromWorker = Answer<Result, Progress, Failure>;
