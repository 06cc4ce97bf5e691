/** The arguments of one attention call, checked against each other and cut into sequences. */

import type { AttentionInput as RawInput } from "../generated/module.js";
import type { AttentionInput, Operand, RecordName } from "../types/index.js";
import { integer, integers, positions, refuse, shapeOf } from "../wire/arguments.js";
import { type Core, type RawModule, space } from "../wire/core.js";
import { checkRecord, type RecordLists, recordLists, recordNames } from "./recording.js";
import { floatsIn, type OperandData, operand, TensorHandle } from "./tensors.js";

type Projections = Pick<AttentionInput, "q" | "k" | "v">;

const noIntegers = new Int32Array(0);

export interface AttentionSizes {
  numHeads: number;
  numKvHeads: number;
  headDim: number;
  valueDim: number;
}

/** A mask as it is stretched over the heads, rows and columns of a call's logits. */
interface MaskPart {
  data: OperandData | Uint8Array;
  strides: readonly [heads: number, rows: number, columns: number];
}

/** One sequence, as the engine takes it. */
export interface SequenceCall {
  queries: number;
  keys: number;
  q: OperandData;
  k: OperandData;
  v: OperandData;
  positions: Int32Array;
  keyPositions: Int32Array;
  segments?: { queries: Int32Array; keys: Int32Array } | undefined;
  mask?: MaskPart | undefined;
  /** Nothing is hidden by them where they are absent. */
  visible?: { queryOffset: number; keyLength: number; prefixLength: number };
}

/** Bytes of a call's lists. */
export const spaceOfCall = ({
  q,
  k,
  v,
  positions,
  keyPositions,
  segments,
  mask,
}: SequenceCall): number =>
  space(q) +
  space(k) +
  space(v) +
  space(positions) +
  space(keyPositions) +
  (segments ? space(segments.queries) + space(segments.keys) : 0) +
  (mask ? space(mask.data) : 0);

/** One for each engine: it is filled anew for every call. */
const inputs = new WeakMap<Core, RawInput>();

/** A call's lists, put into the block and named to the engine. */
export function inputOf(core: Core, raw: RawModule, call: SequenceCall): RawInput {
  let input = inputs.get(core);
  if (!input) {
    input = new raw.AttentionInput();
    inputs.set(core, input);
  }
  const { queries, keys, q, k, v, positions, keyPositions, segments, mask, visible } = call;
  input.begin(
    queries,
    keys,
    core.put(q),
    q.length,
    core.put(k),
    k.length,
    core.put(v),
    v.length,
    core.put(positions),
    positions.length,
    core.put(keyPositions),
    keyPositions.length,
  );
  if (segments)
    input.setSegments(
      core.put(segments.queries),
      segments.queries.length,
      core.put(segments.keys),
      segments.keys.length,
    );
  if (mask) {
    const at = core.put(mask.data);
    if (mask.data instanceof Uint8Array)
      input.setAllowedMask(at, mask.data.length, ...mask.strides);
    else input.setAddedMask(at, mask.data.length, ...mask.strides);
  }
  if (visible) input.setVisible(visible.queryOffset, visible.keyLength, visible.prefixLength);
  return input;
}

export interface Sequences {
  /** 0 where the arguments had no batch dimension. */
  batch: number;
  calls: SequenceCall[];
  record: RecordLists;
  names: ReadonlySet<RecordName>;
}

interface Sized {
  batch: number;
  data: OperandData;
  heads: number;
  rows: number;
  columns: number;
}

function projection(core: Core, name: string, value: Operand, batched: boolean | undefined): Sized {
  const forms = name === "q" ? ["[H,T,D]", "[B,H,T,D]"] : ["[K,S,D]", "[B,K,S,D]"];
  const allowed = batched === undefined ? forms : [forms[batched ? 1 : 0]!];
  const { data, shape } = operand(core, name, value, allowed);
  const [heads, rows, columns] = shape.slice(-3) as [number, number, number];
  return { data, heads, rows, columns, batch: shape.length === 4 ? shape[0]! : 0 };
}

/** q, k, v with their sizes checked against the attention's and each other's. */
export function projections(
  core: Core,
  config: AttentionSizes,
  input: Projections,
  maySplitBatch: boolean,
) {
  const q = projection(core, "q", input.q, maySplitBatch ? undefined : false);
  const batched = q.batch > 0;
  const k = projection(core, "k", input.k, batched);
  const v = projection(core, "v", input.v, batched);
  const wrong = (name: string, x: Sized, heads: number, rows: string | number, columns: number) => {
    const fits =
      x.heads === heads &&
      x.columns === columns &&
      x.batch === q.batch &&
      (typeof rows === "string" || x.rows === rows);
    const lead = batched ? `${q.batch},` : "";
    const found = batched ? [x.batch, x.heads, x.rows, x.columns] : [x.heads, x.rows, x.columns];
    if (!fits) refuse(`${name}.shape`, found, `[${lead}${heads},${rows},${columns}]`);
  };
  wrong("q", q, config.numHeads, "T", config.headDim);
  wrong("k", k, config.numKvHeads, "S", config.headDim);
  wrong("v", v, config.numKvHeads, k.rows, config.valueDim);
  return { q, k, v };
}

const cut = (x: Sized, entry: number) => {
  const size = x.heads * x.rows * x.columns;
  return x.batch ? x.data.subarray(entry * size, (entry + 1) * size) : x.data;
};

function maskData(core: Core, mask: unknown): { data: OperandData | Uint8Array; shape: number[] } {
  if (mask instanceof TensorHandle)
    return { data: floatsIn(core, "mask", mask, true), shape: [...mask.shape] };
  const form = "{ data: Uint8Array or Float32Array, shape }, or what wf.tensor(…) returned";
  if (typeof mask !== "object" || mask === null || !("data" in mask) || !("shape" in mask))
    return refuse("mask", mask, form);
  const { data } = mask;
  if (!(data instanceof Uint8Array) && !(data instanceof Float32Array))
    return refuse("mask.data", data, "a Uint8Array or a Float32Array");
  return { data, shape: shapeOf("mask.shape", mask.shape, data.length) };
}

/**
 * A mask that is stretched, from the right, over [B,H,T,S]: numbers that are added, or bytes that
 * allow.
 */
function maskOf(
  core: Core,
  mask: unknown,
  sizes: readonly number[],
): (entry: number) => MaskPart | undefined {
  if (mask === undefined) return () => undefined;
  const { data, shape } = maskData(core, mask);
  const padded = [1, 1, 1, 1, ...shape].slice(-4) as [number, number, number, number];
  if (shape.length > 4 || padded.some((size, i) => size !== 1 && size !== sizes[i])) {
    refuse("mask.shape", shape, `one that stretches to [${sizes.join(",")}]`);
  }
  const [batch, heads, rows, columns] = padded;
  const strides = [
    heads > 1 ? rows * columns : 0,
    rows > 1 ? columns : 0,
    columns > 1 ? 1 : 0,
  ] as const;
  const part = heads * rows * columns;
  const range = (entry: number): [number, number] =>
    batch > 1 ? [entry * part, (entry + 1) * part] : [0, part];
  if (data instanceof Uint8Array) {
    const bad = data.findIndex((value) => value > 1);
    if (bad >= 0) refuse(`mask.data[${bad}]`, data[bad], "0 (hidden) or 1 (attend)");
  }
  return (entry) => ({ data: data.subarray(...range(entry)), strides });
}

/** Everything about one call, for each entry of the batch. */
export function sequencesOf(core: Core, config: AttentionSizes, input: AttentionInput): Sequences {
  const { q, k, v } = projections(core, config, input, true);
  const entries = Math.max(1, q.batch);
  const queries = q.rows;
  const keys = k.rows;
  const sizes = [entries, config.numHeads, queries, keys];
  const mask = maskOf(core, input.mask, sizes);
  const lengths =
    input.keyLengths === undefined ? undefined : integers("keyLengths", input.keyLengths, 0, keys);
  if (lengths && lengths.length !== entries)
    refuse("keyLengths.length", lengths.length, `${entries}, one for each batch entry`);
  const offset =
    input.queryOffset === undefined
      ? undefined
      : integer("queryOffset", input.queryOffset, -queries, keys);
  const segments = input.segments === undefined ? noIntegers : integers("segments", input.segments);
  if (segments.length && segments.length !== keys)
    refuse("segments.length", segments.length, `${keys}, one for each key`);
  const prefixLength = integer("prefixLength", input.prefixLength ?? 0, 0, keys);
  const keyPositions = positions("keyPositions", input.keyPositions, keys);
  const given =
    input.positions === undefined ? undefined : positions("positions", input.positions, queries);
  const names = checkRecord(input.record, recordNames);
  if (input.region?.layers !== undefined)
    refuse("region.layers", input.region.layers, "undefined: attention has no layers");
  const record = recordLists(names, input.region, {
    heads: config.numHeads,
    rows: queries,
    columns: keys,
  });

  const call = (entry: number): SequenceCall => {
    const queryOffset = offset ?? (lengths ? lengths[entry]! - queries : 0);
    if (segments.length && (queryOffset < 0 || queryOffset + queries > keys)) {
      refuse(
        "segments",
        input.segments,
        `only with queries that lie among the keys (queryOffset ${queryOffset}, T ${queries}, S ${keys})`,
      );
    }
    return {
      queries,
      keys,
      q: cut(q, entry),
      k: cut(k, entry),
      v: cut(v, entry),
      positions: given ?? positions("positions", undefined, queries, queryOffset),
      keyPositions,
      segments: segments.length
        ? { queries: segments.subarray(queryOffset, queryOffset + queries), keys: segments }
        : undefined,
      mask: mask(entry),
      visible: { queryOffset, keyLength: lengths ? lengths[entry]! : -1, prefixLength },
    };
  };
  const calls = Array.from({ length: entries }, (_, entry) => call(entry));
  return { batch: q.batch, calls, record, names };
}

/** A decoding step: new tokens only, no batch. */
export function decodingCall(
  core: Core,
  config: AttentionSizes,
  input: AttentionInput,
  before: number,
): SequenceCall {
  const { q, k, v } = projections(core, config, input, false);
  if (q.rows !== k.rows)
    refuse("q.shape", [q.heads, q.rows, q.columns], `[H,T,D] with T ${k.rows}, as many as k has`);
  const at = positions("positions", input.positions, q.rows, before);
  return {
    queries: q.rows,
    keys: k.rows,
    q: q.data,
    k: k.data,
    v: v.data,
    positions: at,
    keyPositions: at,
  };
}
