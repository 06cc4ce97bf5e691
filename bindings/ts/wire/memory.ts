/** Bytes that a caller gives, in memory of any kind: shared, resizable, or gone. */

import { refuse } from "./arguments.js";
import { bufferOf, bytesOf, isLost, tagOf } from "./arrays.js";
import { classOf } from "./platform.js";

type Memory = ArrayBuffer | SharedArrayBuffer;

export const isMemory = (value: unknown): value is Memory =>
  /^(?:Shared)?ArrayBuffer$/.test(classOf(value));

/** Whether a program has all of it to itself, at a length that stays. */
const isFixed = (memory: Memory): boolean =>
  classOf(memory) === "ArrayBuffer" && !(memory as { resizable?: boolean }).resizable;

/** Whether the platform takes a view wherever it takes bytes. */
export const isOrdinary = (view: ArrayBufferView): boolean =>
  isFixed(tagOf(view) ? bufferOf(view) : view.buffer);

/** Bytes where they lie; undefined for what are none. Errors: invalid_argument for lost memory. */
export function bytesIn(argument: string, value: unknown): Uint8Array<ArrayBuffer> | undefined {
  const isBuffer = isMemory(value);
  if (!isBuffer && !ArrayBuffer.isView(value)) return undefined;
  if (isLost(value)) return refuse(argument, value, "bytes that are there");
  if (isBuffer) return new Uint8Array(value as ArrayBuffer);
  if (tagOf(value)) return bytesOf(value);
  return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
}

/** As `bytesIn`, copied where the platform would not take them. */
export function ordinaryBytes(
  argument: string,
  value: unknown,
): Uint8Array<ArrayBuffer> | undefined {
  const bytes = bytesIn(argument, value);
  return bytes && !isOrdinary(bytes) ? new Uint8Array(bytes) : bytes;
}
