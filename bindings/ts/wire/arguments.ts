/**
 * Checks of arguments. The compiled engine checks no types: NaN would become 0 there, and a
 * misspelt word the first choice. So all arguments are checked here, and a message names the
 * argument, its value and the expected ones.
 */

import type { ErrorCode } from "../types/index.js";
import { isLost, tagOf } from "./arrays.js";
import { unexpected, WhereformerError } from "./error.js";
import { classOf, engineTag, isOfAnEngine, isPromise, kindKey } from "./platform.js";
import { suggestion } from "./suggestion.js";

export const maxInt32 = 2 ** 31 - 1;

const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** An object in a message, by its class: "a Blob", "an object". */
function shownObject(value: object): string {
  const name = tagOf(value) ?? classOf(value);
  if (name === engineTag) return `a ${(value as { [kindKey]?: string })[kindKey] ?? name}`;
  const known = /^[A-Z][\w.]{0,39}$/.test(name) && name !== "Object" ? name : "object";
  const isGone = (ArrayBuffer.isView(value) || /ArrayBuffer$/.test(name)) && isLost(value as never);
  return `${/^[AEIOaeio]/.test(known) ? "an" : "a"} ${known}${isGone ? lost : ""}`;
}

const lost = " whose memory was transferred (detached) or shrunk";

/** Nested lists, which may contain themselves, are shown down to `depth`. */
function shown(value: unknown, depth: number): string {
  if (typeof value === "string") return `"${shortened(value)}"`;
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return shortened(String(value));
  if (isPromise(value)) return "a promise (await it)";
  if (!Array.isArray(value)) return shownObject(value);
  if (depth === 0 || value.length > 8) return `a list of ${value.length}`;
  const parts = Array.from({ length: value.length }, (_, i) => shown(value[i], depth - 1));
  return `[${parts.join(", ")}]`;
}

/** A value as it appears in a message: always short. */
export function show(value: unknown): string {
  try {
    return shown(value, 2);
  } catch {
    return "an unreadable value";
  }
}

export function refuse(
  argument: string,
  value: unknown,
  allowed: string,
  code: ErrorCode = "invalid_argument",
): never {
  throw new WhereformerError(code, unexpected(argument, show(value), allowed), {
    argument,
    value,
    allowed,
  });
}

/** Refuses a value that is not an engine's object; the message tells if it is another engine's. */
export function refuseOther(
  argument: string,
  value: unknown,
  noun: string,
  allowed: string,
): never {
  return refuse(argument, value, isOfAnEngine(value) ? `a ${noun} of the same engine` : allowed);
}

export function checkObject(
  argument: string,
  value: unknown,
): asserts value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    refuse(argument, value, "an object");
}

/**
 * The end of a message about `signal` or `on…` options, which synchronous calls do not take, and
 * about `threads`, which the engine for one thread does not.
 */
export const synchronousHint = (key: string): string =>
  /^(?:signal|on[A-Z]\w*)$/.test(key)
    ? "; only whereformer/worker takes signal and onProgress"
    : key === "threads"
      ? "; whereformer/worker and whereformer/threads take threads"
      : "";

/** Checks an options object for unknown keys. Keys whose value is undefined count as absent. */
export function checkOptions(argument: string, value: unknown, known: readonly string[]): void {
  checkObject(argument, value);
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const allowed = known.length ? `one of ${[...new Set(known)].join(", ")}` : "no options";
    throw new WhereformerError(
      "unknown_option",
      unexpected(argument, `unknown option "${key}"`, allowed) +
        (suggestion(key, known) || synchronousHint(key)),
      {
        argument: key,
        value: value[key],
        allowed,
      },
    );
  }
}

export function integer(argument: string, value: unknown, min: number, max = maxInt32): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max)
    return value;
  const to = max === maxInt32 && min >= 0 ? "" : ` to ${max}`;
  return refuse(argument, value, `an integer from ${min}${to}`);
}

/** Seeds are integers that JavaScript represents exactly. */
export const seedOf = (value: unknown, absent = 0): number =>
  value === undefined ? absent : integer("seed", value, 0, Number.MAX_SAFE_INTEGER);

export function number(argument: string, value: unknown, min = -Infinity, max = Infinity): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= min && value <= max)
    return value;
  const above = min === Number.MIN_VALUE;
  const from = above ? " above 0" : min === -Infinity ? "" : ` from ${min}`;
  const to = max === Infinity ? "" : above ? `, up to ${max}` : ` to ${max}`;
  return refuse(argument, value, `a finite number${from}${to}`);
}

export function boolean(argument: string, value: unknown): boolean {
  return typeof value === "boolean" ? value : refuse(argument, value, "true or false");
}

export function choice<T extends string>(
  argument: string,
  value: unknown,
  allowed: readonly T[],
): T {
  if (typeof value === "string" && (allowed as readonly string[]).includes(value))
    return value as T;
  return refuse(argument, value, `one of ${allowed.map((word) => `"${word}"`).join(", ")}`);
}

export function text(argument: string, value: unknown): string {
  return typeof value === "string" ? value : refuse(argument, value, "a string");
}

/**
 * Applies `item` to each element of a list, holes included. Each is read once, by its index: other
 * properties that the caller may have defined (a species, an iterator) are not used.
 */
export function listOf<T>(
  argument: string,
  value: unknown,
  allowed: string,
  item: (element: unknown, index: number) => T,
): T[] {
  if (!Array.isArray(value)) return refuse(argument, value, allowed);
  const length = integer(`${argument}.length`, value.length, 0, 2 ** 32 - 1);
  const list: T[] = [];
  for (let i = 0; i < length; i++) list.push(item(value[i], i));
  return list;
}

/** Keys visible to a query, itself included: `{ before }` as a number; other values unchanged. */
export function windowSize(argument: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  checkOptions(argument, value, ["before"]);
  return 1 + integer(`${argument}.before`, (value as { before: unknown }).before, 0, maxInt32 - 1);
}
