/** Recording: checks the request, passes it to the engine and reads the records. */

import { recordKinds } from "../generated/fields.js";
import type { Record as RawRecord, RecordRequest } from "../generated/module.js";
import type { AttentionRecord, ModelResult, RecordName, Region, Tensor } from "../types/index.js";
import { checkOptions, choice, listOf } from "../wire/arguments.js";
import { type Core, space } from "../wire/core.js";
import { indices } from "../wire/lists.js";

/** Of every map that a layer can have, by its name and its bit. */
const allKinds = Object.entries(recordKinds) as [RecordName | "effectiveWeights", number][];
/** Maps of attention. */
export const recordNames = allKinds.flatMap(([name]) => (name === "effectiveWeights" ? [] : name));

/** The names in a `record` list, each once. */
export function checkRecord<T extends string>(record: unknown, allowed: readonly T[]): Set<T> {
  if (record === undefined) return new Set();
  const names = `a list of ${allowed.map((name) => `"${name}"`).join(", ")}`;
  return new Set(
    listOf("record", record, names, (name, i) => choice(`record[${i}]`, name, allowed)),
  );
}

/** The kinds and the region of a record, as lists for the block. */
export interface RecordLists {
  kinds: number;
  heads: Int32Array;
  rows: Int32Array;
  columns: Int32Array;
}

const none = new Int32Array(0);
export const noRecord: RecordLists = { kinds: 0, heads: none, rows: none, columns: none };

export function recordLists(
  names: ReadonlySet<string>,
  region: Region | undefined,
  sizes: { heads: number; rows: number; columns: number },
): RecordLists {
  if (region !== undefined) checkOptions("region", region, ["layers", "heads", "rows", "columns"]);
  return {
    kinds: allKinds.reduce((sum, [name, bit]) => sum + (names.has(name) ? bit : 0), 0),
    heads: indices("region.heads", region?.heads, sizes.heads),
    rows: indices("region.rows", region?.rows, sizes.rows),
    columns: indices("region.columns", region?.columns, sizes.columns),
  };
}

export const spaceOfRecord = ({ heads, rows, columns }: RecordLists): number =>
  space(heads) + space(rows) + space(columns);

export const recordRequest = (
  core: Core,
  { kinds, heads, rows, columns }: RecordLists,
): RecordRequest => ({
  kinds,
  heads: core.list(heads),
  rows: core.list(rows),
  columns: core.list(columns),
});

/** The record of one layer. */
export const readRecord = (
  core: Core,
  taken: RawRecord,
  names: ReadonlySet<string>,
): AttentionRecord => core.using(taken, (raw) => core.run(0, () => recordOf(core, raw, names)));

function recordOf(core: Core, raw: RawRecord, names: ReadonlySet<string>): AttentionRecord {
  const outer = [raw.heads(), raw.rows(), raw.columns()];
  const pairs = raw.pairs();
  const count = outer.reduce((product, size) => product * size);
  const tensor = (at: number, ...inner: number[]): Tensor => ({
    data: core.take(at, count * (inner[0] ?? 1)),
    shape: [...outer, ...inner],
  });
  const record: AttentionRecord & Pick<ModelResult, "effectiveWeights"> = {};
  if (names.has("nobody"))
    record.nobody = {
      data: core.take(raw.floats(recordKinds.nobody), outer[0]! * outer[1]!),
      shape: outer.slice(0, 2),
    };
  if (names.has("gates"))
    record.gates = {
      data: core.take(raw.floats(recordKinds.gates), outer[0]! * outer[2]!),
      shape: [outer[0]!, outer[2]!],
    };
  if (names.has("weightedValues")) {
    const shape = [outer[0]!, outer[1]!, raw.valueChannels()];
    const size = shape.reduce((product, each) => product * each);
    const at = raw.floats(recordKinds.weightedValues);
    record.weightedValues = { data: core.take(at, size), shape };
  }
  for (const name of ["weights", "logits", "maskedLogits", "effectiveWeights"] as const)
    if (names.has(name)) record[name] = tensor(raw.floats(recordKinds[name]));
  if (names.has("pairs") && pairs) record.pairs = tensor(raw.floats(recordKinds.pairs), pairs);
  if (names.has("terms"))
    record.terms = Object.fromEntries(
      Array.from({ length: raw.termCount() }, (_, i) => [raw.termName(i), tensor(raw.term(i))]),
    );
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
 * Joins the records of batch entries, or of layers, with these as the outermost dimension. A term
 * that one record lacks and another has is zero there.
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
