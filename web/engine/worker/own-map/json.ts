/**
 * JSON of a map: `[[…]]`, `[[[…]]]`, or `{ "weights": …, "tokens": […] }`, where "rows" and
 * "columns" may name the sides apart. `null` is a masked cell.
 */
import type { OwnMapAnswer } from "../../both/map-messages.js";
import { malformed, shapeOf, tokensOf } from "./shape.js";

/** Sizes by the first entries; whether the others agree is seen when they are read. */
function nestedShape(list: unknown): number[] {
  const shape: number[] = [];
  for (let inner = list; Array.isArray(inner); inner = inner[0]) {
    shape.push(inner.length);
    if (shape.length > 3) break;
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

/** Nested lists as one list. */
export function flatten(nested: unknown, what: string): OwnMapAnswer {
  const shape = nestedShape(nested);
  const sizes = shapeOf(shape, what);
  const { heads, rows, columns } = sizes;
  const values = new Float32Array(heads * rows * columns);
  const maps = shape.length === 2 ? [nested] : listOf(nested, heads);
  let to = 0;
  for (const map of maps)
    for (const row of listOf(map, rows))
      for (const value of listOf(row, columns)) values[to++] = numberAt(value);
  return { ...sizes, values };
}

export function readJson(text: string): OwnMapAnswer {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw malformed("the file is not JSON");
  }
  if (Array.isArray(content)) return flatten(content, "the JSON");
  if (!content || typeof content !== "object") throw malformed("the JSON holds no list");
  const { weights, tokens, rows, columns } = content as Record<string, unknown>;
  if (!Array.isArray(weights)) throw malformed('the JSON has no list "weights"');
  const map = flatten(weights, '"weights"');
  const rowTokens = tokensOf(rows ?? tokens, map.rows, rows ? "rows" : "tokens");
  const columnTokens = tokensOf(columns ?? tokens, map.columns, columns ? "columns" : "tokens");
  return { ...map, ...(rowTokens && { rowTokens }), ...(columnTokens && { columnTokens }) };
}
