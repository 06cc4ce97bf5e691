/** A model's run over a text, and its results. */

import { headMeasures } from "../generated/fields.js";
import type { Code, List, Pass, Model as RawModel } from "../generated/module.js";
import type { ModelResult, Tensor } from "../types/index.js";
import { type Core, space, spaceOfFloats } from "../wire/core.js";
import { type States, withChanges, withMemory } from "./beside.js";
import type { HeadPass, MeasuredLayer } from "./heads.js";
import { emptyList, type Padding, rawPadding, spaceOfPadding } from "./padding.js";
import {
  joinRecords,
  type RecordLists,
  readRecord,
  recordRequest,
  spaceOfRecord,
} from "./recording.js";
import type { Changes } from "./states.js";
import type { Given } from "./vectors.js";

interface TextRun extends Given {
  /** Includes the positions of the tokens; empty if they are the default. */
  padding: Padding;
  /** Layers to record; empty for all. */
  layers: Int32Array;
  record: RecordLists;
  /** Maps of cross-attention to record. */
  beside: RecordLists;
  /** States of the other sequence. */
  states: States | undefined;
  changes: Changes;
  /** Shapes of states to record. */
  residual?: number[];
  headOutputs?: number[];
}

const noVectors = new Float32Array(0);

const countOf = (shape: readonly number[]) =>
  shape.length && shape.reduce((product, size) => product * size);

/** Returns the recorded states. */
export function runText(
  core: Core,
  raw: RawModel,
  run: TextRun,
): Pick<ModelResult, "residual" | "headOutputs"> {
  const { ids, vectors = noVectors, padding, layers, record, beside, states, changes } = run;
  const { residual = [], headOutputs = [] } = run;
  const [stream, outputs] = [countOf(residual), countOf(headOutputs)];
  const { positions } = padding;
  const bytes =
    [ids, positions, layers].reduce((sum, list) => sum + space(list), spaceOfPadding(padding)) +
    space(vectors) +
    spaceOfRecord(record) +
    spaceOfRecord(beside) +
    spaceOfFloats(stream) +
    spaceOfFloats(outputs);
  return withMemory(core, raw, states, (memory) =>
    withChanges(core, raw, changes, (changed) =>
      core.run(bytes, () => {
        const text = {
          ids: core.list(ids),
          positions: core.list(positions),
          padding: rawPadding(core, padding),
          vectors: core.list(vectors),
        };
        const request = recordRequest(core, record);
        const other = recordRequest(core, beside);
        const chosen = core.list(layers);
        const to = {
          stream: { address: core.room(stream), length: stream },
          outputs: { address: core.room(outputs), length: outputs },
        };
        core.check(raw.run(text, changed, chosen, request, memory, other, to));
        const taken = ({ address, length }: List, shape: number[]) => ({
          data: core.take(address, length),
          shape,
        });
        return {
          ...(stream && { residual: taken(to.stream, residual) }),
          ...(outputs && { headOutputs: taken(to.outputs, headOutputs) }),
        };
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

/** Begins to measure heads over a text. */
export function beginHeads(
  core: Core,
  raw: RawModel,
  { ids, padding, layers, record }: Pick<TextRun, "ids" | "padding" | "layers" | "record">,
): HeadPass {
  const bytes = space(ids) + space(layers) + spaceOfPadding(padding) + spaceOfRecord(record);
  const pass = core.run(bytes + space(padding.positions), (module) => {
    const text = {
      ids: core.list(ids),
      positions: core.list(padding.positions),
      padding: rawPadding(core, padding),
      vectors: emptyList,
    };
    return core.made(module.Pass.make(raw, text, core.list(layers), recordRequest(core, record)));
  });
  return {
    step: () =>
      core.run(0, () => {
        const { code, layers: done } = pass.step();
        core.check(code);
        return done;
      }),
    layers: () => takeMeasures(core, pass),
    free: () => core.free(pass),
  };
}

function takeMeasures(core: Core, pass: Pass): MeasuredLayer[] {
  return Array.from({ length: core.run(0, () => pass.recordCount()) }, (_, slot) =>
    core.using(
      core.run(0, () => core.made(pass.takeRecord(slot))),
      (record) =>
        core.run(0, () => {
          const heads = record.heads();
          const [byDistance, pairs] = [heads * record.rows(), heads * record.measuredPairs()];
          return {
            values: core.take(record.measures(), heads * headMeasures.length),
            curves: core.take(record.curves(), byDistance),
            counts: core.take(record.curveCounts(), byDistance),
            pairs: core.take(record.pairLengths(), pairs),
            pairShares: core.take(record.pairShares(), pairs),
          };
        }),
    ),
  );
}

/** Copies an array with one row for each of the chosen tokens; an empty list means all. */
export function takeRows(
  core: Core,
  tokens: number,
  rows: Int32Array,
  width: number,
  read: (rows: List, at: number, count: number) => Code,
): Tensor {
  const rowCount = rows.length || tokens;
  const count = rowCount * width;
  const data = core.run(space(rows) + spaceOfFloats(count), () => {
    const list = core.list(rows);
    const at = core.room(count);
    core.check(read(list, at, count));
    return core.take(at, count);
  });
  return { data, shape: [rowCount, width] };
}

/** Logits [rows,V] of rows of the stream. */
export function lensLogits(
  core: Core,
  raw: RawModel,
  stream: Float32Array,
  { hiddenSize, vocabSize }: { hiddenSize: number; vocabSize: number },
): Float32Array {
  const count = (stream.length / hiddenSize) * vocabSize;
  return core.run(space(stream) + spaceOfFloats(count), () => {
    const given = core.list(stream);
    const at = core.room(count);
    core.check(raw.lens(given, at, count));
    return core.take(at, count);
  });
}
