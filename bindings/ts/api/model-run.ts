/** A model's run over a text, and its results. */

import { headMeasures } from "../generated/fields.js";
import type { Code, Model as RawModel } from "../generated/module.js";
import type { ModelResult, Tensor } from "../types/index.js";
import { type Core, space, spaceOfFloats } from "../wire/core.js";
import { type States, withAblations, withMemory } from "./beside.js";
import type { MeasuredLayer } from "./heads.js";
import { type Padding, rawPadding, spaceOfPadding } from "./padding.js";
import {
  joinRecords,
  type RecordLists,
  readRecord,
  recordRequest,
  spaceOfRecord,
} from "./recording.js";
import type { LayerAblations } from "./surgery.js";

interface TextRun {
  ids: Int32Array;
  /** Includes the positions of the tokens; empty if they are the default. */
  padding: Padding;
  /** Layers to record; empty for all. */
  layers: Int32Array;
  record: RecordLists;
  /** Maps of cross-attention to record. */
  beside: RecordLists;
  /** States of the other sequence. */
  states: States | undefined;
  ablations: LayerAblations;
}

export function runText(core: Core, raw: RawModel, run: TextRun): void {
  const { ids, padding, layers, record, beside, states, ablations } = run;
  const { positions } = padding;
  const bytes =
    [ids, positions, layers].reduce((sum, list) => sum + space(list), spaceOfPadding(padding)) +
    spaceOfRecord(record) +
    spaceOfRecord(beside);
  withMemory(core, raw, states, (memory) =>
    withAblations(core, raw, ablations, (ablated) =>
      core.run(bytes, () => {
        const text = {
          ids: core.list(ids),
          positions: core.list(positions),
          padding: rawPadding(core, padding),
        };
        const request = recordRequest(core, record);
        const other = recordRequest(core, beside);
        core.check(raw.run(text, ablated, core.list(layers), request, memory, other));
      }),
    ),
  );
}

/** The records with layers joined; with cross-attention, the second half belongs to it. */
export function takeRecords(
  core: Core,
  raw: RawModel,
  names: ReadonlySet<string>,
  readsOther: boolean,
): Partial<ModelResult> {
  const records = Array.from({ length: core.run(0, () => raw.recordCount()) }, (_, slot) =>
    readRecord(
      core,
      core.run(0, () => core.made(raw.takeRecord(slot))),
      names,
    ),
  );
  if (!readsOther) return joinRecords(records);
  const half = records.length / 2;
  return { ...joinRecords(records.slice(0, half)), cross: joinRecords(records.slice(half)) };
}

/** The measures of the heads of each layer. */
export function takeMeasures(core: Core, raw: RawModel): MeasuredLayer[] {
  return Array.from({ length: core.run(0, () => raw.recordCount()) }, (_, slot) =>
    core.using(
      core.run(0, () => core.made(raw.takeRecord(slot))),
      (record) =>
        core.run(0, () => {
          const heads = record.heads();
          const byDistance = heads * record.rows();
          return {
            values: core.take(record.measures(), heads * headMeasures.length),
            curves: core.take(record.curves(), byDistance),
            counts: core.take(record.curveCounts(), byDistance),
            pairs: core.take(record.pairLengths(), heads * record.measuredPairs()),
          };
        }),
    ),
  );
}

/** Copies an array with one row for each token. */
export function takeRows(
  core: Core,
  tokens: number,
  width: number,
  read: (at: number, count: number) => Code,
): Tensor {
  const count = tokens * width;
  const data = core.run(spaceOfFloats(count), () => {
    const at = core.room(count);
    core.check(read(at, count));
    return core.take(at, count);
  });
  return { data, shape: [tokens, width] };
}
