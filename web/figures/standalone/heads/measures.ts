/** Measures of attention heads: where a head looks on average, and how widely. */
import { yieldToEvents } from "whereformer/yield";
import type { Numbers } from "../../shared/data/numbers.js";
import type { Measures } from "../../shared/pictures/shown-heads.js";

/** Shares on three tokens, the entropy in bits, and the mean distance in tokens. */
export const measureIds = ["previous", "self", "first", "entropy", "distance"] as const;
export type MeasureId = (typeof measureIds)[number];

/**
 * Returns the means over the queries of one map, without the first one, which often sees only
 * itself. A map that is not square has only those of the first token and of the entropy.
 */
function measuresOfHead(map: Float32Array, rows: number, columns: number): number[] {
  const [isSquare, first] = [rows === columns, Math.min(1, rows - 1)];
  const sums: number[] = measureIds.map(() => 0);
  let queries = 0;
  for (let row = first; row < rows; row++) {
    const weights = map.subarray(row * columns, (row + 1) * columns);
    if (weights.every(Number.isNaN)) continue;
    const at = (column: number) => weights[column] || 0;
    let [entropy, distance] = [0, 0];
    for (let column = 0; column < columns; column++) {
      const weight = at(column);
      if (weight > 0) entropy -= weight * Math.log2(weight);
      distance += weight * Math.abs(row - column);
    }
    const near = isSquare ? [at(row - 1), at(row)] : [Number.NaN, Number.NaN];
    const found = [...near, at(0), entropy, isSquare ? distance : Number.NaN];
    for (const [index, value] of found.entries()) sums[index]! += value;
    queries++;
  }
  return sums.map((sum) => sum / queries);
}

/** Measures every head; a measure that no head has is left out. */
export async function measuresOfMaps(numbers: Numbers): Promise<Measures> {
  const { layers, heads, rows, columns, values } = numbers;
  const found: number[][] = [];
  for (let head = 0; head < layers * heads; head++) {
    const map = values.subarray(head * rows * columns, (head + 1) * rows * columns);
    found.push(measuresOfHead(map, rows, columns));
    await yieldToEvents();
  }
  const lists = measureIds.map((id, at) => [id, found.map((one) => one[at]!)] as const);
  return Object.fromEntries(lists.filter(([, list]) => !list.every(Number.isNaN)));
}
