/** A scheme's bias on logits, if it does not depend on the words. */
import type { Model, SchemeDescription } from "whereformer";
import { largestDifference } from "../both/measures.js";

/** Returns the names of the terms that biases add; those of a transform come before them. */
export const biasTerms = ({ hooks, terms }: SchemeDescription): readonly string[] =>
  hooks.includes("transform") ? terms.slice(1) : terms;

/**
 * Returns the bias of some query rows in the first layer, [heads, rows, n]; undefined without one.
 */
function added(model: Model, description: SchemeDescription, ids: number[], rows: number[]) {
  const { terms } = model.run(ids, { record: ["terms"], region: { layers: [0], rows } });
  const parts = biasTerms(description).flatMap((name) => (terms?.[name] ? [terms[name].data] : []));
  return parts.length
    ? parts.reduce((sum, term) => sum.map((value, index) => value + term[index]!))
    : undefined;
}

/**
 * Returns the bias of some query rows if it does not depend on the words, which it checks with a
 * second text.
 */
export function fixedBias(
  model: Model,
  description: SchemeDescription,
  length: number,
  rows: number[],
): Float32Array | undefined {
  const { vocabSize } = model.config;
  const ids = Array.from({ length }, (_, index) => index % vocabSize);
  const found = added(model, description, ids, rows);
  if (!found) return undefined;
  const size = found.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  // A learned bias that is initially zero shows nothing.
  if (size === 0) return undefined;
  const others = ids.map((id) => vocabSize - 1 - id);
  const changed = added(model, description, others, rows)!;
  return largestDifference(found, changed) > 1e-5 * size ? undefined : found;
}
