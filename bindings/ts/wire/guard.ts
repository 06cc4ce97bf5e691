/** Wraps every public method of a class: typed errors, and a check of the number of arguments. */

import { show, synchronousHint } from "./arguments.js";
import { typed, unexpected, WhereformerError } from "./error.js";
import { isPromise } from "./platform.js";

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Methods of all objects that programs pass as callbacks (`forEach`); they take any arguments. */
type Free = "dispose" | "belongsTo" | symbol;

/**
 * Maximum arguments of each method of a class, beside those of `Base`. A number that differs from
 * the method's own parameters does not compile.
 */
export type MaxArguments<T, Base = object> = {
  [K in Exclude<keyof T, keyof Base | Free> as T[K] extends (...args: never[]) => unknown
    ? K
    : never]: T[K] extends (...args: infer Args) => unknown ? Required<Args>["length"] : never;
};

/** Errors: invalid_argument for more arguments than `max`, unless the rest is undefined. */
export function checkCount(name: string, args: readonly unknown[], max: number): void {
  const extra = args.findIndex((value, i) => i >= max && value !== undefined);
  if (extra < 0) return;
  const value = args[extra];
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const shown = show(value) + (keys.length ? ` with ${keys.slice(0, 4).join(", ")}` : "");
  const allowed = max === 0 ? "no arguments" : `at most ${max} argument${max > 1 ? "s" : ""}`;
  throw new WhereformerError(
    "invalid_argument",
    unexpected(`${name}, argument ${extra + 1}`, shown, allowed) +
      (keys.map(synchronousHint).find(Boolean) ?? ""),
    { argument: name, value, allowed },
  );
}

function guarded(name: string, method: Method, max: number | undefined): Method {
  const call: Method = function (...args) {
    try {
      if (max !== undefined) checkCount(name, args, max);
      const answer = method.apply(this, args);
      if (!isPromise(answer)) return answer;
      return answer.then(undefined, (cause: unknown) => {
        throw typed(cause);
      });
    } catch (cause) {
      throw typed(cause);
    }
  };
  // Lets a worker report how many arguments its methods take.
  return Object.defineProperty(call, "length", { value: max ?? method.length });
}

/** Wraps the methods of a class so that all they throw are errors of this package. */
export function guard<T extends object, Base = object>(
  { prototype }: { prototype: T },
  max: MaxArguments<T, Base>,
  _base?: { prototype: Base },
): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const method: unknown = property.value;
    if (typeof method !== "function" || name === "constructor") continue;
    const limit = (max as Record<string, number>)[name];
    const value = guarded(name, method as Method, limit);
    Object.defineProperty(prototype, name, { ...property, value });
  }
}
