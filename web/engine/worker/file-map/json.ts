/**
 * JSON of a map: nested lists, `{ "data": […], "shape": […] }`, or `{ "weights": …, "tokens": […]
 * }` with either of them; "rows" and "columns" give the two sides different tokens. `null` is a
 * masked cell.
 */
import type { FileMapAnswer } from "../../both/map-messages.js";
import { malformed, shapeOf, tokensOf } from "./shape.js";

/** Returns the sizes of the first entries; the others are checked when they are read. */
function nestedShape(list: unknown): number[] {
  const shape: number[] = [];
  for (let inner = list; Array.isArray(inner); inner = inner[0]) {
    shape.push(inner.length);
    if (shape.length > 5) break;
  }
  return shape;
}

function numberAt(value: unknown): number {
  if (value === null || value === "NaN") return Number.NaN;
  if (typeof value !== "number") throw malformed("the JSON holds a cell that is no number");
  return value;
}

const listOf = (value: unknown, length: number): unknown[] => {
  if (!Array.isArray(value) || value.length !== length)
    throw malformed("the JSON holds rows of different lengths");
  return value;
};

/** Flattens nested lists. */
export function flatten(nested: unknown, what: string): FileMapAnswer {
  const shape = nestedShape(nested);
  const sizes = shapeOf(shape, what);
  const values = new Float32Array(shape.reduce((product, size) => product * size, 1));
  let to = 0;
  const read = (list: unknown, depth: number): void => {
    for (const inner of listOf(list, shape[depth]!))
      if (depth < shape.length - 1) read(inner, depth + 1);
      else values[to++] = numberAt(inner);
  };
  read(nested, 0);
  return { ...sizes, values };
}

/** Reads `{ "data": […], "shape": […] }`, the form of arrays in many programs. */
function shaped({ data, shape }: Record<string, unknown>): FileMapAnswer {
  if (!Array.isArray(shape)) throw malformed('the JSON has "data" and no list "shape"');
  const sizes = shapeOf(shape.map(Number), "the JSON");
  const count = shape.reduce((product, size) => product * size, 1);
  if (!Array.isArray(data) || data.length !== count)
    throw malformed(`"data" is not a list of ${count} numbers, as "shape" has`);
  return { ...sizes, values: Float32Array.from(data, numberAt) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function readJson(text: string): FileMapAnswer {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw malformed("the file is not JSON");
  }
  if (Array.isArray(content)) return flatten(content, "the JSON");
  if (!isObject(content)) throw malformed("the JSON holds no list");
  const { weights, tokens, rows, columns } = content;
  const inner = isObject(weights) ? weights : content;
  if (!Array.isArray(weights) && !("data" in inner))
    throw malformed('the JSON has no list "weights", and no "data" with a "shape"');
  const map = Array.isArray(weights) ? flatten(weights, '"weights"') : shaped(inner);
  const rowTokens = tokensOf(rows ?? tokens, map.rows, rows ? "rows" : "tokens");
  const columnTokens = tokensOf(columns ?? tokens, map.columns, columns ? "columns" : "tokens");
  return { ...map, ...(rowTokens && { rowTokens }), ...(columnTokens && { columnTokens }) };
}
