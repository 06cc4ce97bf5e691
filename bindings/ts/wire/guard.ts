/** What every public method of a class does beside its work: typed errors, arguments counted. */

import { heard, show } from "./arguments.js";
import { typed, WhereformerError } from "./error.js";
import { isPromise } from "./platform.js";

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Methods that everything has, which programs hand on as they are (`forEach`), take what comes. */
type Free = "dispose" | "belongsTo" | symbol;

/**
 * How many arguments each method of a class takes at most, beside those that `Base` has. A number
 * that is not that of the method's own parameters does not compile.
 */
export type Most<T, Base = object> = {
  [K in Exclude<keyof T, keyof Base | Free> as T[K] extends (...args: never[]) => unknown
    ? K
    : never]: T[K] extends (...args: infer Args) => unknown ? Required<Args>["length"] : never;
};

/** Errors: invalid_argument for more arguments than are looked at, unless these are undefined. */
export function checkCount(name: string, args: readonly unknown[], most: number): void {
  const extra = args.findIndex((value, i) => i >= most && value !== undefined);
  if (extra < 0) return;
  const value = args[extra];
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const what = show(value) + (keys.length ? ` with ${keys.slice(0, 4).join(", ")}` : "");
  const allowed = most ? `${most} at most` : "none";
  throw new WhereformerError(
    "invalid_argument",
    `${name}: argument ${extra + 1} is ${what}; allowed are ` +
      `${allowed}${keys.map(heard).find(Boolean) ?? ""}`,
    { argument: name, value, allowed },
  );
}

function guarded(name: string, method: Method, most: number | undefined): Method {
  const call: Method = function (...args) {
    try {
      if (most !== undefined) checkCount(name, args, most);
      const answer = method.apply(this, args);
      if (!isPromise(answer)) return answer;
      return answer.then(undefined, (cause: unknown) => {
        throw typed(cause);
      });
    } catch (cause) {
      throw typed(cause);
    }
  };
  // So that a worker can say what its methods take.
  return Object.defineProperty(call, "length", { value: most ?? method.length });
}

/** Whatever the methods of a class throw is then an error of this package. */
export function guard<T extends object, Base = object>(
  { prototype }: { prototype: T },
  most: Most<T, Base>,
  _base?: { prototype: Base },
): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const method: unknown = property.value;
    if (typeof method !== "function" || name === "constructor") continue;
    const limit = (most as Record<string, number>)[name];
    const value = guarded(name, method as Method, limit);
    Object.defineProperty(prototype, name, { ...property, value });
  }
}
