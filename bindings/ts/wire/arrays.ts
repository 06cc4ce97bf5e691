/**
 * Accesses typed arrays with the language's own methods, ignoring properties that their owner
 * added. An own `length`, a subclass, a proxy or a foreign species could run code in the middle of
 * a call, or misstate the memory.
 */

export type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array;

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;

/** The language's own getter of a property, applied to an array whatever its owner defined. */
function getter<T>(name: PropertyKey): (value: unknown) => T {
  const { get } = Object.getOwnPropertyDescriptor(typedArray, name)!;
  return (value) => get!.call(value) as T;
}

/** "Float32Array" and so on; undefined if the value is not a typed array. */
export const tagOf = getter<string | undefined>(Symbol.toStringTag);
export const lengthOf = getter<number>("length");
export const byteLengthOf = getter<number>("byteLength");
export const bufferOf = getter<ArrayBuffer>("buffer");
const offsetOf = getter<number>("byteOffset");

const { set } = typedArray;

export const isFloats = (value: unknown): value is Float32Array => tagOf(value) === "Float32Array";
export const isBytes = (value: unknown): value is Uint8Array => tagOf(value) === "Uint8Array";

/** Copies numbers to a list of the same length. */
export const copyOver = (to: Float32Array, from: Float32Array): void => set.call(to, from);

/** The bytes of an array, as a view. */
export const bytesOf = (list: ArrayBufferView): Uint8Array<ArrayBuffer> =>
  new Uint8Array(bufferOf(list), offsetOf(list), byteLengthOf(list));

/** The elements from `first` to `end`, as a view. */
export function part<T extends Float32Array | Uint8Array>(list: T, first: number, end: number): T {
  const count = end - first;
  return (
    isBytes(list)
      ? new Uint8Array(bufferOf(list), offsetOf(list) + first, count)
      : new Float32Array(bufferOf(list), offsetOf(list) + 4 * first, count)
  ) as T;
}

/**
 * Whether the memory of an array or a view is detached (transferred to another thread), or has
 * shrunk below the array's end. Its length is then 0, or reading it throws.
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

/** Whether both start at the same byte of memory. */
export const beginTogether = (a: ArrayBufferView, b: ArrayBufferView): boolean =>
  offsetOf(a) === offsetOf(b);
