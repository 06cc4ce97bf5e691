/**
 * The tensors of a model's safetensors bytes: reads one, or writes a file with some rows left out.
 */

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

interface Saved {
  header: Record<string, Entry>;
  /** Offset of the numbers. */
  start: number;
}

function readHeader(bytes: Uint8Array): Saved {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  return { header, start: 8 + length };
}

/**
 * Returns the entries by name from the first bytes of a file, and the offset of its numbers;
 * undefined if the header is longer than these bytes.
 */
export function headerOf(
  bytes: Uint8Array,
): { entries: Record<string, Entry | undefined>; start: number } | undefined {
  const start = 8 + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  if (start > bytes.length) return undefined;
  return { entries: readHeader(bytes).header, start };
}

/** Converts 16 bits of IEEE 754 binary16 to a number. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Infinity;
  return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24);
}

/** Reads f16 tensors by name from a piece of a file that begins `from` bytes into its numbers. */
export function halfTensorsIn(
  piece: Uint8Array,
  entries: Record<string, Entry | undefined>,
  from: number,
): (name: string) => Float32Array {
  const view = new DataView(piece.buffer, piece.byteOffset);
  return (name) => {
    const [begin, end] = entries[name]!.data_offsets;
    return Float32Array.from({ length: (end - begin) / 2 }, (_, at) =>
      half(view.getUint16(begin - from + 2 * at, true)),
    );
  };
}

/**
 * Returns a function that reads a float32 tensor by the end of its name; of several endings, the
 * first that exists.
 */
export function tensorsOf(bytes: Uint8Array): (...endings: string[]) => Float32Array {
  const { header, start } = readHeader(bytes);
  const names = Object.keys(header);
  return (...endings) => {
    const found = endings.map((ending) => names.find((each) => each.endsWith(ending)));
    const name = found.find((each) => each !== undefined)!;
    const [from, to] = header[name]!.data_offsets;
    return new Float32Array(bytes.slice(start + from, start + to).buffer);
  };
}

/** Rows of a table to keep: `rows` of them, from `first`. */
export interface Rows {
  first: number;
  rows: number;
}

/**
 * Returns a file with only those rows of each tensor that `keeps` returns; with all rows if it
 * returns undefined.
 */
export function withFewerRows(
  bytes: Uint8Array,
  keeps: (name: string, rows: number) => Rows | undefined,
): Uint8Array {
  const { header, start } = readHeader(bytes);
  const parts: Uint8Array[] = [];
  let at = 0;
  const kept = Object.entries(header).map(([name, entry]): [string, unknown] => {
    if (name === "__metadata__") return [name, entry];
    const [from, to] = entry.data_offsets;
    const all = entry.shape[0]!;
    const { first, rows } = keeps(name, all) ?? { first: 0, rows: all };
    const row = (to - from) / all;
    const part = bytes.subarray(start + from + first * row, start + from + (first + rows) * row);
    const offsets = [at, at + part.length];
    at += part.length;
    parts.push(part);
    return [name, { ...entry, shape: [rows, ...entry.shape.slice(1)], data_offsets: offsets }];
  });
  const head = new TextEncoder().encode(JSON.stringify(Object.fromEntries(kept)));
  const result = new Uint8Array(8 + head.length + at);
  new DataView(result.buffer).setBigUint64(0, BigInt(head.length), true);
  result.set(head, 8);
  let offset = 8 + head.length;
  for (const part of parts) {
    result.set(part, offset);
    offset += part.length;
  }
  return result;
}

/** Returns a file with the rows of its tensors reordered, if `orderOf` returns an order. */
export function withOtherRows(
  bytes: Uint8Array,
  orderOf: (name: string, rows: number) => readonly number[] | undefined,
): Uint8Array {
  const { header, start } = readHeader(bytes);
  const result = bytes.slice();
  for (const [name, entry] of Object.entries(header)) {
    const order = name === "__metadata__" ? undefined : orderOf(name, entry.shape[0]!);
    if (!order) continue;
    const [from, to] = entry.data_offsets;
    const row = (to - from) / order.length;
    const at = (index: number) => start + from + index * row;
    order.forEach((old, index) => {
      result.set(bytes.subarray(at(old), at(old + 1)), at(index));
    });
  }
  return result;
}
