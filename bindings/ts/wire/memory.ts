/** Reads a caller's bytes, in memory of any kind: shared, resizable, or detached. */

import { refuse } from "./arguments.js";
import { bufferOf, bytesOf, isLost, tagOf } from "./arrays.js";
import { classOf } from "./platform.js";

type Memory = ArrayBuffer | SharedArrayBuffer;

export const isMemory = (value: unknown): value is Memory =>
  /^(?:Shared)?ArrayBuffer$/.test(classOf(value));

/** Whether the memory is not shared and has a fixed length. */
const isFixed = (memory: Memory): boolean =>
  classOf(memory) === "ArrayBuffer" && !(memory as { resizable?: boolean }).resizable;

/** Whether every platform function that takes bytes takes this view. */
export const isOrdinary = (view: ArrayBufferView): boolean =>
  isFixed(tagOf(view) ? bufferOf(view) : view.buffer);

/**
 * A view of bytes; undefined if the value is not bytes. Errors: invalid_argument for lost memory.
 */
export function bytesIn(argument: string, value: unknown): Uint8Array<ArrayBuffer> | undefined {
  const isBuffer = isMemory(value);
  if (!isBuffer && !ArrayBuffer.isView(value)) return undefined;
  if (isLost(value)) return refuse(argument, value, "bytes with intact memory");
  if (isBuffer) return new Uint8Array(value as ArrayBuffer);
  if (tagOf(value)) return bytesOf(value);
  return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
}

/** As `bytesIn`, but copied if platform functions would reject the memory. */
export function ordinaryBytes(
  argument: string,
  value: unknown,
): Uint8Array<ArrayBuffer> | undefined {
  const bytes = bytesIn(argument, value);
  return bytes && !isOrdinary(bytes) ? new Uint8Array(bytes) : bytes;
}
