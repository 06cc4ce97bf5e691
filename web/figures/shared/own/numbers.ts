/** What a program gives as numbers of its own, as one list with its sizes. */

export interface Numbers {
  heads: number;
  rows: number;
  columns: number;
  values: Float32Array;
}

type Row = ArrayLike<number>;

export type Weights =
  | { data: ArrayLike<number>; shape: readonly number[] }
  | ArrayLike<number>
  | readonly Row[]
  | readonly (readonly Row[])[];

const refuse = (message: string): Error =>
  Object.assign(new Error(message), { code: "malformed_map" });

const longestSide = 4096;

function checkedShape(
  name: string,
  shape: readonly number[],
  count: number,
): Omit<Numbers, "values"> {
  const [heads, rows, columns] = shape.length === 2 ? [1, ...shape] : shape;
  const isSize = (size: number | undefined) => Number.isInteger(size) && size! > 0;
  const written = `${name}: [${shape.join(", ")}]`;
  if ((shape.length !== 2 && shape.length !== 3) || ![heads, rows, columns].every(isSize))
    throw refuse(`${written}; allowed: [T, S] or [H, T, S]`);
  if (rows! > longestSide || columns! > longestSide)
    throw refuse(`${written}; a side has at most ${longestSide} cells`);
  if (heads! * rows! * columns! !== count)
    throw refuse(`${written} is ${heads! * rows! * columns!} numbers; given: ${count}`);
  return { heads: heads!, rows: rows!, columns: columns! };
}

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || ArrayBuffer.isView(value);

/** A flat list is a square map for so many tokens, or as many of them as there are heads. */
function flatShape(name: string, count: number, tokens: number): number[] {
  const side = tokens || Math.round(Math.sqrt(count));
  const heads = count / (side * side);
  if (!Number.isInteger(heads) || heads < 1)
    throw refuse(
      `${name}: ${count} numbers are no maps of ${side} × ${side}; give { data, shape }`,
    );
  return heads === 1 ? [side, side] : [heads, side, side];
}

/** Reads in pieces, between which `breathe` lets the page live; `name` is that of the property. */
export async function numbersOf(
  weights: Weights,
  tokens: number,
  breathe: () => Promise<void>,
  name = "weights",
): Promise<Numbers> {
  if (!isList(weights)) {
    const { data, shape } = weights as { data?: unknown; shape?: unknown };
    if (!isList(data) || !isList(shape))
      throw refuse(`${name}: neither a list nor { data, shape }`);
    const sizes = checkedShape(name, Array.from(shape as ArrayLike<number>), data.length);
    return { ...sizes, values: listed(data as ArrayLike<number>) };
  }
  if (!weights.length) throw refuse(`${name}: an empty list`);
  if (!isList(weights[0])) {
    const flat = weights as ArrayLike<number>;
    return {
      ...checkedShape(name, flatShape(name, flat.length, tokens), flat.length),
      values: listed(flat),
    };
  }
  const isHeads = isList(weights[0][0]);
  const maps = (isHeads ? weights : [weights]) as ArrayLike<ArrayLike<Row>>;
  const [rows, columns] = [maps[0]!.length, maps[0]![0]!.length];
  const count = maps.length * rows * columns;
  const sizes = checkedShape(name, [maps.length, rows, columns], count);
  const values = new Float32Array(count);
  for (let head = 0, to = 0; head < maps.length; head++) {
    if (maps[head]!.length !== rows) throw refuse(`${name}: heads with different numbers of rows`);
    for (let row = 0; row < rows; row++, to += columns) {
      const from = maps[head]![row]!;
      if (from.length !== columns) throw refuse(`${name}: rows of different lengths`);
      for (let column = 0; column < columns; column++)
        values[to + column] = from[column] ?? Number.NaN;
      if (row % 64 === 63) await breathe();
    }
  }
  return { ...sizes, values };
}

const listed = (data: ArrayLike<number>): Float32Array =>
  data instanceof Float32Array ? data : new Float32Array(data);
