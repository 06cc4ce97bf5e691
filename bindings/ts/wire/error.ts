import type { ErrorCode } from "../types/index.js";
import { engineTag, isError } from "./platform.js";

/** Facts behind a message, for programs: which argument, what it was, what is allowed. */
export interface ErrorDetails {
  argument?: string;
  value?: unknown;
  allowed?: string;
  url?: string;
  status?: number;
}

/**
 * Every error of this package. `code` is stable and meant for programs; `message` is English and
 * names the argument, its value and what is allowed.
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

/** What was thrown, whatever it is, in few words. */
function reasonOf(cause: unknown): string {
  try {
    return String(cause).slice(0, 200);
  } catch {
    return "what cannot be shown";
  }
}

/** A function of the caller's threw. */
export const threw = (argument: string, cause: unknown): WhereformerError =>
  cause instanceof WhereformerError
    ? cause
    : new WhereformerError(
        "invalid_argument",
        `${argument}: it threw ${reasonOf(cause)}; allowed is a function that returns`,
        { argument },
        cause,
      );

/** What a function of the caller's answers. Errors: invalid_argument where it throws. */
export function answerOf<T>(argument: string, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw threw(argument, cause);
  }
}

/** What engines say where a method is called on what is not its object: each in its own words. */
const isNotItself = (cause: unknown): boolean =>
  isError(cause, "TypeError") && /private (?:member|field|name)|'#/.test(cause.message);

/** What came of reading arguments, of which getters and proxies may throw anything. */
export function typed(cause: unknown): WhereformerError {
  if (cause instanceof WhereformerError) return cause;
  const message = isNotItself(cause)
    ? "this: a proxy of the object; allowed is the object itself, as toRaw or markRaw give it"
    : `arguments: reading them threw ${reasonOf(cause)}; allowed are values that can be read`;
  return new WhereformerError("invalid_argument", message, {}, cause);
}

/**
 * Libraries that follow what a program changes (Vue, and what is like it) put proxies before plain
 * objects, and leave alone what says that it is none.
 */
export const keepFromProxies = ({ prototype }: { prototype: object }): void => {
  Object.defineProperty(prototype, Symbol.toStringTag, { value: engineTag });
};
