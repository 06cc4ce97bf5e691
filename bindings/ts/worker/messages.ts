/** Converts a caller's arguments for messages, and reports those that cannot be sent. */

import { checkOptions, refuse } from "../wire/arguments.js";
import { isLost, lengthOf, tagOf } from "../wire/arrays.js";
import { progressOf } from "../wire/binary.js";
import { checkCount } from "../wire/guard.js";
import { isMemory, isOrdinary, ordinaryBytes } from "../wire/memory.js";
import { isOfAnEngine, isPlain, isPromise, isUrl } from "../wire/platform.js";
import { signalOf } from "../wire/signal.js";
import type { TaskOptions } from "./remote.js";

const taskNames = ["signal", "onProgress"];

/** No options of the engine have only these keys, so task options are recognised at any index. */
export function isTask(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => taskNames.includes(name));
}

/** Checks task options; errors of its onProgress become errors of this package. */
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
 * Separates the arguments of a method with at most `max` of them from the task options, which come
 * after them or in place of omitted options. Errors: those of `taskOf`; invalid_argument for more
 * arguments.
 */
export function parted(
  name: string,
  given: readonly unknown[],
  max: number,
): { args: unknown[]; task: TaskOptions } {
  checkCount(name, given, max + 1);
  const args = given.slice(0, max);
  if (given[max] !== undefined) return { args, task: taskOf(given[max]) };
  const last = args.findLastIndex((value) => value !== undefined);
  return isTask(args[last])
    ? { args: args.slice(0, last), task: taskOf(args[last]) }
    : { args, task: {} };
}

const maxDepth = 32;
const maxParts = 2 ** 16;
/** Maximum elements of lists and fields of objects, in total. */
const maxElements = 2 ** 24;

/** Copies bytes that a message would share or reject. */
function carriedBytes(name: string, value: ArrayBufferView | ArrayBuffer | SharedArrayBuffer) {
  if (isLost(value)) return refuse(name, value, "an array with intact memory");
  const isView = ArrayBuffer.isView(value);
  if (isView && isOrdinary(value)) return value;
  const tag = tagOf(value);
  const bytes = ordinaryBytes(name, value)!;
  if (!isView) return bytes.buffer;
  return tag ? new (arrayOf(tag))(bytes.buffer, bytes.byteOffset, lengthOf(value)) : bytes;
}

type AnyArray = new (buffer: ArrayBuffer, offset: number, length: number) => ArrayBufferView;
const arrayOf = (tag: string) => (globalThis as unknown as Record<string, AnyArray>)[tag]!;

/** An object's fields, including a tensor's that its class defines as getters. */
const keysOf = (item: object): string[] => [
  ...new Set([...Object.keys(item), ...["data", "shape"].filter((key) => key in item)]),
];

/**
 * Converts a value for a message: plain copies of lists and objects, since messages reject proxies,
 * addresses for URLs, and the result of `stand` for an object of the engine. Errors:
 * invalid_argument for lists and objects that contain themselves, and for endless ones.
 */
export function carried(value: unknown, stand: (value: object) => object | undefined): unknown {
  let parts = 0;
  let elements = 0;
  const counted = (item: object, count: number, name: string) => {
    elements += count;
    if (elements > maxElements) refuse(name, item, `at most ${maxElements} elements in total`);
    return count;
  };
  const carry = (item: unknown, depth: number, name: string): unknown => {
    if (typeof item === "symbol") refuse(name, item, "data");
    if (typeof item === "function")
      refuse(name, item, "data; pass functions as { onProgress }, the last argument");
    if (typeof item !== "object" || item === null) return item;
    const other = stand(item);
    if (other) return other;
    if (isOfAnEngine(item)) refuse(name, item, "an object of the same engine, in the worker");
    if (isPromise(item)) refuse(name, item, "the value that it resolves to");
    if (isUrl(item)) return item.href;
    if (ArrayBuffer.isView(item) || isMemory(item)) return carriedBytes(name, item);
    const isList = Array.isArray(item);
    if (!isList && !isPlain(item)) return item;
    if (depth === maxDepth || ++parts > maxParts)
      refuse("arguments", value, `lists and objects without cycles, at most ${maxDepth} deep`);
    if (!isList) {
      const keys = keysOf(item);
      counted(item, keys.length, name);
      return Object.fromEntries(keys.map((key) => [key, carry(item[key], depth + 1, key)]));
    }
    const list: unknown[] = [];
    const count = counted(item, item.length, name);
    for (let i = 0; i < count; i++) {
      const one: unknown = item[i];
      // The name is composed only when it is needed: texts are long.
      const isPart =
        typeof one === "object" || typeof one === "function" || typeof one === "symbol";
      list.push(isPart ? carry(one, depth + 1, `${name}[${i}]`) : one);
    }
    return list;
  };
  return carry(value, 0, "arguments");
}
