/** Numbers given by a program, as one list with its sizes. */
import type { MapNumbers } from "whereformer/elements";
import { longestMapSide } from "../../../engine/both/map-messages.js";
import { cellOf, isTooLong, type MapSizes, mapSizes } from "../../../engine/both/map-shape.js";
import { isList, isObject } from "../given/kinds.js";
import { refused } from "../given/refused.js";

/** Maps of one layer. */
export interface HeadNumbers extends Omit<MapSizes, "layers"> {
  /** [heads, rows, columns]; NaN in masked cells. */
  values: Float32Array;
}

export interface Numbers extends MapSizes {
  /** [layers, heads, rows, columns] */
  values: Float32Array;
}

/** Cells between two calls of `yieldAndCheck`. */
const slice = 1 << 18;
const deepest = 5;

function checkedSizes(name: string, shape: readonly number[]): MapSizes {
  const sizes = mapSizes(shape);
  if (!sizes) throw refused(`${name}.shape`, shape, { expected: "shape" });
  if (isTooLong(sizes))
    throw refused(`${name}.shape`, shape, { expected: "side", max: longestMapSide });
  return sizes;
}

const countOf = ({ layers, heads, rows, columns }: MapSizes): number =>
  layers * heads * rows * columns;

/** A flat list has a square map for the given tokens, or one such map for each head. */
function flatShape(name: string, flat: ArrayLike<unknown>, tokens: number): number[] {
  const side = tokens || Math.round(Math.sqrt(flat.length));
  const heads = flat.length / (side * side);
  if (!Number.isInteger(heads) || heads < 1)
    throw refused(name, flat, { expected: "squares", max: side });
  return heads === 1 ? [side, side] : [heads, side, side];
}

/** Returns the sizes of the first entries; the others are checked when they are read. */
function nestedShape(nested: ArrayLike<unknown>): number[] {
  const shape: number[] = [];
  for (let inner: unknown = nested; isList(inner) && shape.length <= deepest; inner = inner[0])
    shape.push(inner.length);
  return shape;
}

const subscripts = (indices: readonly number[]): string => indices.map((at) => `[${at}]`).join("");

/**
 * Returns the row of a nested list at the given indices; checks that each list is as long as the
 * first one beside it.
 */
function rowAt(name: string, nested: unknown, indices: readonly number[], shape: number[]) {
  let inner = nested;
  for (const [depth, size] of shape.entries()) {
    const path = indices.slice(0, depth);
    if (!isList(inner) || inner.length !== size) {
      const choices = `${name}${subscripts(path.map(() => 0))}`;
      throw refused(name + subscripts(path), inner, { expected: "alike", max: size, choices });
    }
    if (depth < indices.length) inner = inner[indices[depth]!];
  }
  return inner as ArrayLike<unknown>;
}

type YieldAndCheck = () => Promise<void>;

/** Flattens nested lists. */
async function flattened(
  name: string,
  nested: unknown,
  shape: number[],
  yieldAndCheck: YieldAndCheck,
) {
  const columns = shape.at(-1)!;
  const outer = shape.slice(0, -1);
  const count = outer.reduce((product, size) => product * size, 1);
  const values = new Float32Array(count * columns);
  for (let row = 0, to = 0; row < count; row++) {
    let rest = row;
    const indices = outer.map(() => 0);
    for (let depth = outer.length - 1; depth >= 0; depth--) {
      indices[depth] = rest % outer[depth]!;
      rest = Math.floor(rest / outer[depth]!);
    }
    const list = rowAt(name, nested, indices, shape);
    for (let column = 0; column < columns; column++, to++) {
      const cell = cellOf(list[column]);
      const cellName = () => name + subscripts([...indices, column]);
      if (cell === undefined) throw refused(cellName(), list[column], { expected: "cell" });
      values[to] = cell;
    }
    if (row % 64 === 63) await yieldAndCheck();
  }
  return values;
}

/** Returns a Float32Array of valid cells unchanged, and a copy of any other list. */
async function listed(name: string, list: ArrayLike<unknown>, yieldAndCheck: YieldAndCheck) {
  const isSame = list instanceof Float32Array;
  let values = isSame ? list : new Float32Array(list.length);
  for (let at = 0; at < list.length; at++) {
    const cell = cellOf(list[at]);
    if (cell === undefined) throw refused(`${name}[${at}]`, list[at], { expected: "cell" });
    if (isSame && !Object.is(cell, list[at])) {
      if (values === list) values = list.slice();
      values[at] = cell;
    }
    if (!isSame) values[at] = cell;
    if (at % slice === slice - 1) await yieldAndCheck();
  }
  return values;
}

async function readNumbers(
  weights: unknown,
  tokens: number,
  yieldAndCheck: YieldAndCheck,
  name: string,
) {
  if (isList(weights) && isList(weights[0])) {
    const shape = nestedShape(weights);
    const sizes = checkedSizes(name, shape);
    return { ...sizes, values: await flattened(name, weights, shape, yieldAndCheck) };
  }
  if (isList(weights)) {
    const sizes = checkedSizes(name, flatShape(name, weights, tokens));
    return { ...sizes, values: await listed(name, weights, yieldAndCheck) };
  }
  const { data, shape } = isObject(weights) ? weights : {};
  if (!isList(data)) throw refused(name, weights, { expected: "map" });
  if (!isList(shape)) throw refused(`${name}.shape`, shape, { expected: "shape" });
  const sizes = checkedSizes(name, Array.from(shape, Number));
  const max = countOf(sizes);
  if (data.length !== max)
    throw refused(`${name}.data`, data, { expected: "count", max, choices: `${name}.shape` });
  return { ...sizes, values: await listed(`${name}.data`, data, yieldAndCheck) };
}

/** Reads in pieces, with `yieldAndCheck` between them. `name` is the property's. */
export async function numbersOf(
  weights: MapNumbers,
  tokens: number,
  yieldAndCheck: YieldAndCheck,
  name = "weights",
): Promise<Numbers> {
  const numbers = await readNumbers(weights, tokens, yieldAndCheck, name);
  if (numbers.values.every(Number.isNaN)) throw refused(name, weights, { expected: "any" });
  return numbers;
}

/** Whether the numbers can be shares of attention, unlike logits or sums of heads. */
export const areShares = (values: Float32Array): boolean =>
  !values.some((value) => value < 0 || value > 1.001);

/** Returns the maps of one layer. */
export function layerOf(
  { layers, heads, rows, columns, values }: Numbers,
  wanted: number,
): HeadNumbers {
  const count = heads * rows * columns;
  const layer = Math.min(wanted, layers - 1);
  return { heads, rows, columns, values: values.subarray(layer * count, (layer + 1) * count) };
}
