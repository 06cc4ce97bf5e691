/** Signals that cancel, asked by the platform's own getter whatever their owner put on them. */
import { refuse } from "./arguments.js";
import { WhereformerError } from "./error.js";

/** Undefined where the value is no signal at all, as one that only inherits from a real one. */
function isAborted(signal: unknown): boolean | undefined {
  try {
    const { get } = Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted")!;
    return get!.call(signal) as boolean;
  } catch {
    return undefined;
  }
}

/** A signal that was given, if one was. */
export function signalOf(value: unknown): AbortSignal | undefined {
  if (value === undefined) return undefined;
  return isAborted(value) === undefined
    ? refuse("signal", value, "an AbortSignal")
    : (value as AbortSignal);
}

export const aborted = (signal: AbortSignal | undefined, cause?: unknown): WhereformerError =>
  new WhereformerError("aborted", "aborted by its signal", {}, cause ?? signal?.reason);

/** Throws `aborted` if the signal says so. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal && isAborted(signal)) throw aborted(signal);
}
