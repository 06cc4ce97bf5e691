/**
 * Typed arrays as the language has them, whatever their owner put on them. An own `length`, a
 * subclass, a proxy or a foreign species would run in the middle of a call, or lie about memory.
 */

export type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array;

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;

/** A getter of the language's own, which asks the array and nothing that its owner defined. */
function getter<T>(name: PropertyKey): (value: unknown) => T {
  const { get } = Object.getOwnPropertyDescriptor(typedArray, name)!;
  return (value) => get!.call(value) as T;
}

/** "Float32Array" and so on; undefined for whatever is no typed array. */
export const tagOf = getter<string | undefined>(Symbol.toStringTag);
export const lengthOf = getter<number>("length");
export const byteLengthOf = getter<number>("byteLength");
export const bufferOf = getter<ArrayBuffer>("buffer");
const offsetOf = getter<number>("byteOffset");

const { set } = typedArray;

export const isFloats = (value: unknown): value is Float32Array => tagOf(value) === "Float32Array";
export const isBytes = (value: unknown): value is Uint8Array => tagOf(value) === "Uint8Array";

/** Copies numbers over those of a list that is as long. */
export const copyOver = (to: Float32Array, from: Float32Array): void => set.call(to, from);

/** The bytes of an array, where they lie. */
export const bytesOf = (list: ArrayBufferView): Uint8Array<ArrayBuffer> =>
  new Uint8Array(bufferOf(list), offsetOf(list), byteLengthOf(list));

/** The elements from `first` to `end`, where they lie. */
export function part<T extends Float32Array | Uint8Array>(list: T, first: number, end: number): T {
  const count = end - first;
  return (
    isBytes(list)
      ? new Uint8Array(bufferOf(list), offsetOf(list) + first, count)
      : new Float32Array(bufferOf(list), offsetOf(list) + 4 * first, count)
  ) as T;
}

/**
 * Whether the memory of an array or a view is gone: handed over to another thread, or shrunk until
 * it ended before the array. Its length is then 0, or cannot be asked.
 */
export function isLost(value: ArrayBufferView | ArrayBuffer | SharedArrayBuffer): boolean {
  try {
    if (tagOf(value)) typedArray.at.call(value, 0);
    else if (ArrayBuffer.isView(value)) return value.byteLength < 0;
    else new Uint8Array(value);
    return false;
  } catch {
    return true;
  }
}

/** Whether they begin at the same byte. */
export const beginTogether = (a: ArrayBufferView, b: ArrayBufferView): boolean =>
  offsetOf(a) === offsetOf(b);
