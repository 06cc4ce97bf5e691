import type { ErrorCode } from "../types/index.js";
import { engineTag, isError } from "./platform.js";

/** Facts behind a message, for programs: the argument, its value, and the allowed values. */
export interface ErrorDetails {
  argument?: string;
  /** Where in the argument, a formula, the value begins; counted from 1. */
  character?: number;
  value?: unknown;
  allowed?: string;
  url?: string;
  status?: number;
}

/**
 * Every error of this package. `code` is stable and meant for programs; `message` is English and
 * names the argument, its value and the allowed ones.
 */
export class WhereformerError extends Error {
  override readonly name = "WhereformerError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/** The form of every message about a value: "numKvHeads: 3 (expected a divisor of numHeads, 8)". */
export const unexpected = (name: string, value: string, expected: string): string =>
  `${name}: ${value} (expected ${expected})`;

const pointing = /^(.+?), character (\d+): (.*) \(expected (.*)\)$/s;

/** The error for a message of the engine, with the facts of one that points into a formula. */
export function engineError(code: ErrorCode, message: string): WhereformerError {
  const found = pointing.exec(message);
  if (!found) return new WhereformerError(code, message);
  const [, argument, character, value, allowed] = found as unknown as string[];
  const details = { argument: argument!, character: Number(character), value, allowed: allowed! };
  return new WhereformerError(code, message, details);
}

/** A short description of a thrown value of any type. */
function reasonOf(cause: unknown): string {
  try {
    return String(cause).slice(0, 200);
  } catch {
    return "an unreadable value";
  }
}

/** The error for a caller's function that threw. */
export const threw = (argument: string, cause: unknown): WhereformerError =>
  cause instanceof WhereformerError
    ? cause
    : new WhereformerError(
        "invalid_argument",
        unexpected(argument, `threw ${reasonOf(cause)}`, "a function that does not throw"),
        { argument },
        cause,
      );

/** Calls a caller's function. Errors: invalid_argument if it throws. */
export function answerOf<T>(argument: string, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw threw(argument, cause);
  }
}

/** Messages of JavaScript engines for a method that is called on another object. */
const isNotItself = (cause: unknown): boolean =>
  isError(cause, "TypeError") && /private (?:member|field|name)|'#/.test(cause.message);

/** Converts an error from reading arguments, where getters and proxies may throw anything. */
export function typed(cause: unknown): WhereformerError {
  if (cause instanceof WhereformerError) return cause;
  const message = isNotItself(cause)
    ? unexpected("this", "a Proxy", "the original object; in Vue: toRaw(object)")
    : unexpected("arguments", `threw ${reasonOf(cause)} when read`, "readable values");
  return new WhereformerError("invalid_argument", message, {}, cause);
}

/**
 * Reactive libraries (Vue and similar ones) wrap plain objects in proxies, but leave objects alone
 * that are marked as not plain.
 */
export const keepFromProxies = ({ prototype }: { prototype: object }): void => {
  Object.defineProperty(prototype, Symbol.toStringTag, { value: engineTag });
};
