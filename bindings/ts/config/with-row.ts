/** Maps that grow while a text is written. */

import type { Tensor, TensorLike } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { part } from "../wire/arrays.js";
import { typed } from "../wire/error.js";
import { checkCount } from "../wire/guard.js";
import { tensor } from "../wire/lists.js";

/**
 * Maps with the row of a further token below: `maps` `[…,T,T]`, such as `weights` of a run, and
 * `row` `[…,1,T+1]`, that of a generated token, become `[…,T+1,T+1]`. No earlier token sees the
 * new one: its column is 0 above its own row. Errors: `invalid_argument`.
 */
export function withRow(maps: TensorLike, row: TensorLike): Tensor;
export function withRow(...args: [TensorLike, TensorLike]): Tensor {
  checkCount("withRow", args, 2);
  try {
    return grown(...args);
  } catch (cause) {
    // A getter of the caller may throw anything.
    throw typed(cause);
  }
}

function grown(maps: TensorLike, row: TensorLike): Tensor {
  const { data, shape } = tensor("maps", maps);
  const added = tensor("row", row);
  const size = shape.at(-1)!;
  if (shape.length < 2 || shape.at(-2) !== size) refuse("maps.shape", shape, "[…,T,T]");
  const outer = shape.slice(0, -2);
  const expected = [...outer, 1, size + 1];
  if (added.shape.join() !== expected.join())
    refuse("row.shape", added.shape, `[${expected.join(", ")}], a row of these maps`);
  const side = size + 1;
  const count = outer.reduce((product, length) => product * length, 1);
  const larger = new Float32Array(count * side * side);
  for (let map = 0; map < count; map++) {
    const [from, to] = [map * size * size, map * side * side];
    for (let r = 0; r < size; r++)
      larger.set(part(data, from + r * size, from + (r + 1) * size), to + r * side);
    larger.set(part(added.data, map * side, (map + 1) * side), to + size * side);
  }
  return { data: larger, shape: [...outer, side, side] };
}
