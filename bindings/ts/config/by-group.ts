/** Maps read by word instead of by token. */

import type { Tensor, TensorLike } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { typed } from "../wire/error.js";
import { checkCount } from "../wire/guard.js";
import { integers, tensor } from "../wire/lists.js";
import { mapsByGroup } from "../wire/words.js";

/**
 * Maps of attention by word instead of by token: columns of a group are summed and its rows
 * averaged, so rows of weights still sum to 1. `maps` has the shape `[…,T,T]`, as `weights` of a
 * run; `groups` has the index of each token's group, from 0 and ascending, as `groups` of its
 * result. Returns `[…,G,G]`. Errors: `invalid_argument`.
 */
export function byGroup(maps: TensorLike, groups: readonly number[]): Tensor;
export function byGroup(...args: [TensorLike, readonly number[]]): Tensor {
  checkCount("byGroup", args, 2);
  try {
    return readByGroup(...args);
  } catch (cause) {
    // A getter of the caller may throw anything.
    throw typed(cause);
  }
}

function readByGroup(maps: TensorLike, groups: readonly number[]): Tensor {
  const { data, shape } = tensor("maps", maps);
  const list = [...integers("groups", groups, 0)];
  list.forEach((group, at) => {
    const before = at ? list[at - 1]! : -1;
    if (group !== before + 1 && (group !== before || !at))
      refuse(`groups[${at}]`, group, at ? `${before} or ${before + 1}` : "0");
  });
  const outer = shape.slice(0, -2);
  const sides = shape.slice(-2);
  if (sides.length < 2 || sides.some((size) => size !== list.length))
    refuse("maps.shape", shape, `[…,${list.length},${list.length}], the number of groups given`);
  const count = list.at(-1)! + 1;
  return { data: mapsByGroup(data, list, list), shape: [...outer, count, count] };
}
