import type { ErrorCode } from "../types/index.js";

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

/** Throws `aborted` if the signal says so. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new WhereformerError("aborted", "aborted by its signal", {}, signal.reason);
}
