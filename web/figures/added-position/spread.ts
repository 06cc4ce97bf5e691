/** Products of several queries by distance: how much they differ, and what a softmax leaves. */
import { addedView } from "../../defaults.js";

const { queries, distances } = addedView;

/** Range of the products at one distance, and its share of the range of all. */
export interface Spread {
  gap: number;
  share: number;
}

/**
 * Returns the largest range of the queries' products at one distance, and its share of the range of
 * all.
 */
export function spreadOf(products: Float32Array): Spread {
  let gap = 0;
  for (let distance = 0; distance < distances; distance++) {
    const values = queries.map((_, index) => products[index * distances + distance]!);
    gap = Math.max(gap, Math.max(...values) - Math.min(...values));
  }
  const range = Math.max(...products) - Math.min(...products);
  return { gap, share: range ? gap / range : 0 };
}

/** Returns products less each query's mean over its keys, which a softmax cancels. */
export function withoutMeans(products: Float32Array): Float32Array {
  const means = queries.map((_, index) => {
    const ofQuery = products.subarray(index * distances, (index + 1) * distances);
    return ofQuery.reduce((sum, value) => sum + value, 0) / distances;
  });
  return products.map((value, at) => value - means[Math.floor(at / distances)]!);
}
