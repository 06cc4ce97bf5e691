/** What of a caller's arguments goes into a message, and what is said of the rest. */

import { checkOptions, refuse } from "../wire/arguments.js";
import { progressOf } from "../wire/binary.js";
import { checkCount } from "../wire/guard.js";
import { signalOf } from "../wire/signal.js";
import type { TaskOptions } from "./remote.js";

const taskNames = ["signal", "onProgress"];

/** No options of the engine's have only these, so that the task is known wherever it stands. */
export function isTask(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => taskNames.includes(name));
}

/** A task, checked; what its onProgress throws is then an error of this package. */
export function taskOf(value: unknown): TaskOptions {
  if (value === undefined) return {};
  checkOptions("task", value, taskNames);
  const { signal, onProgress } = value as Record<string, unknown>;
  const task: TaskOptions = {};
  if (signal !== undefined) task.signal = signalOf(signal)!;
  if (onProgress !== undefined) task.onProgress = progressOf(onProgress)!;
  return task;
}

/**
 * The arguments of a method that takes so many at most, and the task, which is the one after them
 * or stands in the place of options that are not given. Errors: those of `taskOf`;
 * invalid_argument for more arguments.
 */
export function parted(
  name: string,
  given: readonly unknown[],
  most: number,
): { args: unknown[]; task: TaskOptions } {
  checkCount(name, given, most + 1);
  const args = given.slice(0, most);
  if (given[most] !== undefined) return { args, task: taskOf(given[most]) };
  const last = args.findLastIndex((value) => value !== undefined);
  return isTask(args[last])
    ? { args: args.slice(0, last), task: taskOf(args[last]) }
    : { args, task: {} };
}

const mostDepth = 32;
const mostParts = 2 ** 16;

/**
 * A value as a message carries it: addresses in the place of URLs, and what `stand` puts in the
 * place of an object. Errors: invalid_argument for lists and objects that contain themselves.
 */
export function carried(value: unknown, stand: (value: object) => object | undefined): unknown {
  let parts = 0;
  const carry = (item: unknown, depth: number, name: string): unknown => {
    if (item instanceof Promise) refuse(name, item, "what it resolves to");
    if (typeof item === "function")
      refuse(name, item, "data; a function is onProgress of a task, { signal, onProgress }");
    if (typeof item !== "object" || item === null) return item;
    const other = stand(item);
    if (other) return other;
    if (item instanceof URL) return item.href;
    const isList = Array.isArray(item);
    if (isList ? typeof item[0] === "number" : Object.getPrototypeOf(item) !== Object.prototype)
      return item;
    if (depth === mostDepth || ++parts > mostParts)
      refuse("arguments", value, `lists and objects ${mostDepth} deep at most, not in themselves`);
    const fields = Object.fromEntries(
      Object.entries(item).map(([key, part]) => [key, carry(part, depth + 1, key)]),
    );
    // A list keeps its holes, which are the engine's to refuse.
    return isList ? Object.assign(new Array(item.length), fields) : fields;
  };
  return carry(value, 0, "arguments");
}
