/**
 * Reads abort signals with the platform's own getter, ignoring properties that their owner added.
 */
import { refuse } from "./arguments.js";
import { WhereformerError } from "./error.js";
import { isForeignSignal } from "./platform.js";

/** Undefined if the value is not a signal, or only inherits from one. */
function isAborted(signal: unknown): boolean | undefined {
  try {
    const { get } = Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted")!;
    return get!.call(signal) as boolean;
  } catch {
    return undefined;
  }
}

/** Checks a signal, if there is one. */
export function signalOf(value: unknown): AbortSignal | undefined {
  if (value === undefined) return undefined;
  if (isAborted(value) !== undefined) return value as AbortSignal;
  return isForeignSignal(value) ? followed(value) : refuse("signal", value, "an AbortSignal");
}

/** Makes a platform signal that follows one of an emulated page, which `fetch` does not take. */
function followed(other: AbortSignal): AbortSignal {
  const control = new AbortController();
  const abort = () => control.abort(other.reason);
  if (other.aborted) abort();
  else other.addEventListener("abort", abort, { once: true });
  return control.signal;
}

export const aborted = (signal: AbortSignal | undefined, cause?: unknown): WhereformerError =>
  new WhereformerError("aborted", "aborted by its signal", {}, cause ?? signal?.reason);

/** Throws `aborted` if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal && isAborted(signal)) throw aborted(signal);
}
