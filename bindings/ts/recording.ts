/** What may be recorded, on its way into the engine and back. */
import { checkOptions, choice, indices, refuse } from "./arguments.js";
import type { RawRecord, RawRecordRequest } from "./core.js";
import type { AttentionRecord, RecordName, Region, Tensor } from "./types.js";

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
): RawRecordRequest {
  if (region !== undefined) checkOptions("region", region, ["layers", "heads", "rows", "columns"]);
  return {
    kinds: recordNames.reduce((sum, name) => sum + (names.has(name) ? bits[name] : 0), 0),
    heads: indices("region.heads", region?.heads, sizes.heads),
    rows: indices("region.rows", region?.rows, sizes.rows),
    columns: indices("region.columns", region?.columns, sizes.columns),
  };
}

/** Puts shapes to what came back. `outer` goes before `[H',T',S']`. */
export function shapedRecord(raw: RawRecord, outer: readonly number[]): AttentionRecord {
  const shape = [...outer, raw.heads ?? 0, raw.rows ?? 0, raw.columns ?? 0];
  const shaped = (data: Float32Array): Tensor => ({ data, shape: [...shape] });
  const record: AttentionRecord = {};
  if (raw.weights) record.weights = shaped(raw.weights);
  if (raw.logits) record.logits = shaped(raw.logits);
  if (raw.maskedLogits) record.maskedLogits = shaped(raw.maskedLogits);
  if (raw.terms) {
    record.terms = Object.fromEntries(
      Object.entries(raw.terms).map(([name, data]) => [name, shaped(data)]),
    );
  }
  if (raw.pairShares) record.pairs = { data: raw.pairShares, shape: [...shape, raw.pairs ?? 0] };
  return record;
}

function joinTensors(parts: readonly Tensor[]): Tensor {
  const size = parts[0]!.data.length;
  const data = new Float32Array(size * parts.length);
  parts.forEach((part, i) => {
    data.set(part.data, i * size);
  });
  return { data, shape: [parts.length, ...parts[0]!.shape] };
}

/** Records of the entries of a batch as one, batch outermost. */
export function joinRecords<T extends AttentionRecord>(parts: readonly T[]): T {
  const joined: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parts[0]!)) {
    if (name === "terms") {
      const terms = Object.keys(value as Record<string, Tensor>);
      joined[name] = Object.fromEntries(
        terms.map((term) => [term, joinTensors(parts.map((part) => part.terms![term]!))]),
      );
    } else {
      joined[name] = joinTensors(parts.map((part) => part[name as keyof T] as Tensor));
    }
  }
  return joined as unknown as T;
}
