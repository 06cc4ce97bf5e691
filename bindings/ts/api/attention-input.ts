/** The arguments of one attention call, checked against each other and split into sequences. */

import type { AttentionInput as RawInput } from "../generated/module.js";
import type { AttentionInput, Operand, RecordName } from "../types/index.js";
import { checkOptions, integer, refuse } from "../wire/arguments.js";
import { isBytes, isFloats, lengthOf } from "../wire/arrays.js";
import { type Core, countOf, type RawModule, space } from "../wire/core.js";
import { checkLength, integers, outOf, positions, shapeOf } from "../wire/lists.js";
import { checkRecord, type RecordLists, recordLists, recordNames } from "./recording.js";
import { floatsIn, type OperandData, operand, partOf, TensorHandle } from "./tensors.js";

type Projections = Pick<AttentionInput, "q" | "k" | "v">;

const noIntegers = new Int32Array(0);

export interface AttentionSizes {
  numHeads: number;
  numKvHeads: number;
  headDim: number;
  valueDim: number;
}

/** The mask of one batch entry, broadcast over the heads, rows and columns of its logits. */
interface MaskPart {
  data: GivenNumbers;
  strides: readonly [heads: number, rows: number, columns: number];
}

/** One sequence, in the form that the engine reads. */
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
  /** Absent: they hide nothing. */
  visible?: { queryOffset: number; keyLength: number; prefixLength: number };
}

/** Size of a call's lists in bytes. */
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

/** One for each engine, filled again for every call. */
const inputs = new WeakMap<Core, RawInput>();

/** Writes a call's lists to the block and returns where the engine finds them. */
export function inputOf(core: Core, raw: RawModule, call: SequenceCall): RawInput {
  let input = inputs.get(core);
  if (!input) {
    input = new raw.AttentionInput();
    inputs.set(core, input);
  }
  const { queries, keys, q, k, v, positions, keyPositions, segments, mask, visible } = call;
  input.begin(queries, keys);
  input.setOperands(core.put(q), countOf(q), core.put(k), countOf(k), core.put(v), countOf(v));
  input.setPositions(
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
    const count = countOf(mask.data);
    if (isBytes(mask.data)) input.setAllowedMask(at, count, ...mask.strides);
    else input.setAddedMask(at, count, ...mask.strides);
  }
  if (visible) input.setVisible(visible.queryOffset, visible.keyLength, visible.prefixLength);
  return input;
}

export interface Sequences {
  /** 0 if the arguments had no batch dimension. */
  batch: number;
  calls: SequenceCall[];
  /** The numbers as the caller gave them, by argument name. */
  given: Readonly<Record<"q" | "k" | "v" | "mask", GivenNumbers | undefined>>;
  /** Array for the output, if the caller gave one. */
  out: Float32Array | undefined;
  record: RecordLists;
  names: ReadonlySet<RecordName>;
}

type GivenNumbers = OperandData | Uint8Array;

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

/** Checks the sizes of q, k and v against the attention's and each other's. */
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

const entryOf = (x: Sized, entry: number) => {
  const size = x.heads * x.rows * x.columns;
  return x.batch ? partOf(x.data, entry * size, (entry + 1) * size) : x.data;
};

function maskData(core: Core, mask: unknown): { data: GivenNumbers; shape: number[] } {
  if (mask instanceof TensorHandle)
    return { data: floatsIn(core, "mask", mask, true), shape: [...mask.shape] };
  const form = "{ data: Uint8Array or Float32Array, shape }, or a tensor from wf.tensor(…)";
  if (typeof mask !== "object" || mask === null || !("data" in mask) || !("shape" in mask))
    return refuse("mask", mask, form);
  const { data, shape: sizes } = mask;
  if (!isBytes(data) && !isFloats(data))
    return refuse("mask.data", data, "a Uint8Array or a Float32Array");
  return { data, shape: shapeOf("mask", sizes) };
}

interface StretchedMask {
  data: GivenNumbers;
  shape: number[];
  strides: MaskPart["strides"];
  /** Distance between two entries of the batch, in numbers; 0 if all share one mask. */
  step: number;
}

/**
 * A mask, broadcast from the right over [B,H,T,S]: numbers that are added to logits, or bytes (1 if
 * a query may attend to a key).
 */
function maskOf(core: Core, mask: unknown, sizes: readonly number[]): StretchedMask | undefined {
  if (mask === undefined) return undefined;
  const { data, shape } = maskData(core, mask);
  checkLength("mask", shape, countOf(data));
  const padded = [1, 1, 1, 1, ...shape].slice(-4) as [number, number, number, number];
  if (shape.length > 4 || padded.some((size, i) => size !== 1 && size !== sizes[i])) {
    refuse("mask.shape", shape, `a shape that broadcasts to [${sizes.join(",")}]`);
  }
  if (isBytes(data))
    for (let i = 0; i < lengthOf(data); i++)
      if (data[i]! > 1) refuse(`mask.data[${i}]`, data[i], "0 (hidden) or 1 (attend)");
  const [batch, heads, rows, columns] = padded;
  const strides = [
    heads > 1 ? rows * columns : 0,
    rows > 1 ? columns : 0,
    columns > 1 ? 1 : 0,
  ] as const;
  return { data, shape, strides, step: batch > 1 ? heads * rows * columns : 0 };
}

/** The mask of one batch entry. */
const maskAt = ({ data, strides, step }: StretchedMask, entry: number): MaskPart => ({
  data: step ? partOf(data, entry * step, (entry + 1) * step) : data,
  strides,
});

const inputNames = [
  "q",
  "k",
  "v",
  "positions",
  "keyPositions",
  "segments",
  "keyLengths",
  "mask",
  "queryOffset",
  "prefixLength",
  "record",
  "region",
  "out",
];

/** Which keys are visible to the queries of each batch entry, apart from the mask. */
function seenOf(input: AttentionInput, entries: number, queries: number, keys: number) {
  const { keyLengths, queryOffset: asked, segments: documents } = input;
  const lengths =
    keyLengths === undefined ? undefined : integers("keyLengths", keyLengths, 0, keys);
  if (lengths && lengths.length !== entries)
    refuse("keyLengths.length", lengths.length, `${entries}, one number for each batch entry`);
  const offset = asked === undefined ? undefined : integer("queryOffset", asked, -queries, keys);
  const segments = documents === undefined ? noIntegers : integers("segments", documents);
  if (segments.length && segments.length !== keys)
    refuse("segments.length", segments.length, `${keys}, one number for each key`);
  const prefixLength = integer("prefixLength", input.prefixLength ?? 0, 0, keys);
  return (entry: number) => {
    const queryOffset = offset ?? (lengths ? lengths[entry]! - queries : 0);
    const end = queryOffset + queries;
    if (segments.length && (queryOffset < 0 || end > keys)) {
      refuse(
        "segments",
        documents,
        "undefined unless all queries are among the keys: " +
          `queryOffset ${queryOffset}, T ${queries}, S ${keys}`,
      );
    }
    return {
      segments: segments.length
        ? { queries: segments.subarray(queryOffset, end), keys: segments }
        : undefined,
      visible: { queryOffset, keyLength: lengths ? lengths[entry]! : -1, prefixLength },
    };
  };
}

/** The sequences of one call, one for each batch entry. */
export function sequencesOf(core: Core, config: AttentionSizes, input: AttentionInput): Sequences {
  checkOptions("input", input, inputNames);
  const { q, k, v } = projections(core, config, input, true);
  const entries = Math.max(1, q.batch);
  const queries = q.rows;
  const keys = k.rows;
  const { positions: givenPositions, region } = input;
  const mask = maskOf(core, input.mask, [entries, config.numHeads, queries, keys]);
  const seen = seenOf(input, entries, queries, keys);
  const keyPositions = positions("keyPositions", input.keyPositions, keys);
  const given =
    givenPositions === undefined ? undefined : positions("positions", givenPositions, queries);
  const names = checkRecord(input.record, recordNames);
  if (region?.layers !== undefined)
    refuse("region.layers", region.layers, "undefined, since an attention has no layers");
  const sizes = { heads: config.numHeads, rows: queries, columns: keys };
  const record = recordLists(names, region, sizes);
  const out = outOf(input.out, entries * config.numHeads * queries * config.valueDim);
  // Check again after all is read: a getter that was read last may have detached earlier memory.
  for (const [name, x] of Object.entries({ q, k, v })) {
    const sizes = [x.heads, x.rows, x.columns];
    checkLength(name, x.batch ? [x.batch, ...sizes] : sizes, countOf(x.data));
  }
  if (mask) checkLength("mask", mask.shape, countOf(mask.data));

  const call = (entry: number): SequenceCall => {
    const { segments, visible } = seen(entry);
    const { queryOffset } = visible;
    return {
      queries,
      keys,
      q: entryOf(q, entry),
      k: entryOf(k, entry),
      v: entryOf(v, entry),
      positions: given ?? positions("positions", undefined, queries, queryOffset),
      keyPositions,
      segments,
      mask: mask && maskAt(mask, entry),
      visible,
    };
  };
  return {
    batch: q.batch,
    calls: Array.from({ length: entries }, (_, entry) => call(entry)),
    given: { q: q.data, k: k.data, v: v.data, mask: mask?.data },
    out,
    record,
    names,
  };
}

/**
 * A decoding step: new tokens only, no batch. `before` returns the number of earlier tokens; it is
 * called after all arguments are read.
 */
export function decodingCall(
  core: Core,
  config: AttentionSizes,
  input: Pick<AttentionInput, "q" | "k" | "v" | "positions" | "out">,
  before: () => number,
): { call: SequenceCall; out: Float32Array | undefined } {
  const { q, k, v } = projections(core, config, input, false);
  if (q.rows !== k.rows)
    refuse("q.shape", [q.heads, q.rows, q.columns], `[H,T,D] with T ${k.rows}, as k has`);
  const { positions: givenPositions } = input;
  const given =
    givenPositions === undefined ? undefined : positions("positions", givenPositions, q.rows);
  const out = outOf(input.out, config.numHeads * q.rows * config.valueDim);
  const at = given ?? positions("positions", undefined, q.rows, before());
  const call = {
    queries: q.rows,
    keys: k.rows,
    q: q.data,
    k: k.data,
    v: v.data,
    positions: at,
    keyPositions: at,
  };
  return { call, out };
}
