/** What may be recorded, on its way into the engine and back. */

import type { AttentionRecord, RecordName, Region, Tensor } from "../types/index.js";
import { checkOptions, choice, indices, refuse } from "../wire/arguments.js";
import type { Answer, Item } from "../wire/core.js";

/** Bits as in attention/recorder.h. */
const bits: Record<RecordName, number> = {
  weights: 1,
  logits: 2,
  maskedLogits: 4,
  terms: 8,
  pairs: 16,
};
export const recordNames = Object.keys(bits) as RecordName[];

/** The names of a `record` list, each once. */
export function checkRecord<T extends string>(record: unknown, allowed: readonly T[]): Set<T> {
  if (record === undefined) return new Set();
  if (!Array.isArray(record))
    return refuse("record", record, `a list of ${allowed.map((name) => `"${name}"`).join(", ")}`);
  return new Set(record.map((name, i) => choice(`record[${i}]`, name, allowed)));
}

export function recordRequest(
  names: ReadonlySet<string>,
  region: Region | undefined,
  sizes: { heads: number; rows: number; columns: number },
): Item[] {
  if (region !== undefined) checkOptions("region", region, ["layers", "heads", "rows", "columns"]);
  return [
    recordNames.reduce((sum, name) => sum + (names.has(name) ? bits[name] : 0), 0),
    indices("region.heads", region?.heads, sizes.heads),
    indices("region.rows", region?.rows, sizes.rows),
    indices("region.columns", region?.columns, sizes.columns),
  ];
}

/** What was recorded of one layer. */
export function readRecord(answer: Answer, names: ReadonlySet<string>): AttentionRecord {
  const [heads, rows, columns, pairs] = [0, 1, 2, 3].map(() => answer.number()) as [
    number,
    number,
    number,
    number,
  ];
  const tensor = (...inner: number[]): Tensor => ({
    data: answer.floats(),
    shape: [heads, rows, columns, ...inner],
  });
  const record: AttentionRecord = {};
  if (names.has("weights")) record.weights = tensor();
  if (names.has("logits")) record.logits = tensor();
  if (names.has("maskedLogits")) record.maskedLogits = tensor();
  if (names.has("pairs")) {
    const shares = tensor(pairs);
    if (pairs) record.pairs = shares;
  }
  if (names.has("terms"))
    record.terms = Object.fromEntries(answer.list(() => [answer.text(), tensor()]));
  return record;
}

function joinTensors(parts: readonly (Tensor | undefined)[]): Tensor {
  const { data: first, shape } = parts.find((part) => part)!;
  const data = new Float32Array(first.length * parts.length);
  parts.forEach((part, i) => {
    if (part) data.set(part.data, i * first.length);
  });
  return { data, shape: [parts.length, ...shape] };
}

/**
 * Records of the entries of a batch, or of layers, as one with these outermost. Where one lacks a term
 * that another has, it adds nothing.
 */
export function joinRecords<T extends AttentionRecord>(parts: readonly T[]): T {
  const joined: Record<string, unknown> = {};
  for (const name of Object.keys(parts[0]!)) {
    if (name !== "terms") {
      joined[name] = joinTensors(parts.map((part) => part[name as keyof T] as Tensor));
      continue;
    }
    const terms = new Set(parts.flatMap((part) => Object.keys(part.terms!)));
    joined[name] = Object.fromEntries(
      Array.from(terms, (term) => [term, joinTensors(parts.map((part) => part.terms![term]))]),
    );
  }
  return joined as T;
}
