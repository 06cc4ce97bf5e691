// Compares attention with random combinations of all options with a reference in double precision:
// all kinds of masks, offsets beyond both ends, odd widths, groups, windows, chunks, prefixes,
// segments, sinks, softcap, positions with gaps and repeats; output and all recorded values, on
// every engine.
//
// WF_LONG=1 runs a million cases, each on one of the two SIMD variants; WF_SEED repeats a run,
// which prints its first seed.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { load as loadThreads } from "../../dist/threads.js";
import { referenceAttention, slopesOf } from "./attention-reference.mjs";
import { engines } from "./golden.mjs";

const isLong = Boolean(process.env.WF_LONG);
const seed = Number(process.env.WF_SEED ?? (isLong ? Date.now() % 2 ** 31 : 14));
const threads = await loadThreads({ threads: 2 });
after(() => threads.dispose());
const all = { ...engines, threads };
const names = ["weights", "logits", "maskedLogits", "terms", "pairs"];

/** Returns generators of pseudo-random numbers between -1 and 1, from a seed. */
function chance(first) {
  let state = first | 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  };
  const floats = (count) => Float32Array.from({ length: count }, next);
  const integer = (least, most) =>
    least + Math.min(most - least, Math.floor(((next() + 1) / 2) * (most - least + 1)));
  return { next, floats, integer };
}

/** Mostly small, sometimes beyond a block of queries, a tile of keys or a vector. */
const count = (most) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max: 9 }) },
    { weight: 1, arbitrary: fc.integer({ min: 10, max: most }) },
  );
const maybe = (arbitrary) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const shapes = fc.record({
  seed: fc.integer(),
  batch: fc.constantFrom(0, 0, 1, 2, 3),
  kvHeads: fc.constantFrom(1, 1, 2, 3),
  group: fc.constantFrom(1, 1, 2, 3),
  width: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 9 }) },
    fc.constantFrom(16, 33, 64),
  ),
  valueWidth: maybe(fc.constantFrom(1, 2, 3, 5, 8, 17)),
  queries: count(60),
  keys: count(270),
  scheme: fc.constantFrom("none", "none", "alibi", "rope", "both"),
  interleaved: fc.boolean(),
  isCausal: fc.boolean(),
  window: maybe(
    fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(2 ** 31 - 1, 2 ** 31 - 2)),
  ),
  chunkSize: maybe(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(2 ** 31 - 1))),
  softcap: maybe(fc.constantFrom(0.5, 3, 30)),
  scale: maybe(fc.constantFrom(0.25, 1, 2)),
  hasSinks: fc.boolean(),
  offset: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
  hasLengths: fc.boolean(),
  prefix: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
  hasSegments: fc.boolean(),
  mask: fc.constantFrom("none", "none", "allowed", "added", "hiding", "kept"),
  maskRank: fc.integer({ min: 1, max: 4 }),
  maskStretch: fc.integer({ min: 0, max: 15 }),
  places: fc.constantFrom("none", "gaps", "repeats", "far"),
  record: fc.integer({ min: 0, max: 31 }),
  region: fc.integer({ min: 0, max: 7 }),
  hasOut: fc.boolean(),
});

/** Returns positions of `length` tokens, from left to right. */
function placesOf(kind, length, { integer }) {
  let at = integer(-5, 40);
  const step = {
    gaps: () => integer(1, 9),
    repeats: () => integer(0, 1),
    far: () => integer(-300, 300),
  };
  return Int32Array.from({ length }, () => {
    at += step[kind]();
    return at;
  });
}

/** A mask that broadcasts to these sizes, with all axes or only the last ones. */
function maskOf({ mask, maskRank, maskStretch }, sizes, { floats, integer }) {
  if (mask === "none") return undefined;
  const shape = sizes.slice(4 - maskRank).map((size, i) => ((maskStretch >> i) & 1 ? 1 : size));
  const length = shape.reduce((a, b) => a * b, 1);
  if (mask === "allowed")
    return { data: Uint8Array.from({ length }, () => Number(integer(0, 3) > 0)), shape };
  const data = floats(length);
  if (mask !== "added")
    for (let i = 0; i < length; i++) if (integer(0, 3) === 0) data[i] = -Infinity;
  return { data, shape };
}

const some = (length, { integer }) => {
  const list = Array.from({ length }, (_, i) => i).filter(() => integer(0, 1));
  return list.length ? list : [length - 1];
};

/** Returns the arguments of a call, and the same in the form that the reference takes. */
function callOf(drawn) {
  const random = chance(drawn.seed);
  const { batch, kvHeads, queries, keys } = drawn;
  const heads = kvHeads * drawn.group;
  const turns = ["rope", "both"].includes(drawn.scheme);
  const width = turns ? 2 * Math.ceil(drawn.width / 2) : drawn.width;
  const valueWidth = drawn.valueWidth ?? width;
  const entries = Math.max(1, batch);
  const lead = batch ? [batch] : [];
  const tensor = (...shape) => ({
    data: random.floats(shape.reduce((a, b) => a * b, entries)),
    shape: [...lead, ...shape],
  });
  const given = {
    q: tensor(heads, queries, width),
    k: tensor(kvHeads, keys, width),
    v: tensor(kvHeads, keys, valueWidth),
  };
  const options = {
    heads,
    kvHeads,
    width,
    valueWidth,
    isCausal: drawn.isCausal,
    window: drawn.window,
  };
  options.chunkSize = drawn.chunkSize;
  options.softcap = drawn.softcap;
  options.scale = drawn.scale;
  if (drawn.hasSinks) options.sinks = random.floats(heads);
  if (turns) options.rotary = { interleaved: drawn.interleaved, base: 100 };
  if (["alibi", "both"].includes(drawn.scheme)) options.slopes = slopesOf(heads);
  const lengths = drawn.hasLengths
    ? Int32Array.from({ length: entries }, () => random.integer(0, keys))
    : undefined;
  const offset =
    drawn.offset === undefined ? undefined : Math.round(drawn.offset * (keys + queries)) - queries;
  const offsetAt = (entry) => offset ?? (lengths ? lengths[entry] - queries : 0);
  const isAmong = () =>
    Array.from({ length: entries }, (_, entry) => offsetAt(entry)).every(
      (first) => first >= 0 && first + queries <= keys,
    );
  const segments =
    drawn.hasSegments && isAmong()
      ? Int32Array.from({ length: keys }, () => random.integer(0, 2))
      : undefined;
  const mask = maskOf(drawn, [entries, heads, queries, keys], random);
  const prefixLength = drawn.prefix === undefined ? undefined : Math.round(drawn.prefix * keys);
  const hasPlaces = drawn.places !== "none";
  const positions = hasPlaces ? placesOf(drawn.places, queries, random) : undefined;
  const keyPositions = hasPlaces ? placesOf(drawn.places, keys, random) : undefined;
  const record = names.filter((_, i) => (drawn.record >> i) & 1);
  const region = {};
  if (drawn.region & 1) region.heads = some(heads, random);
  if (drawn.region & 2) region.rows = some(queries, random);
  if (drawn.region & 4) region.columns = some(keys, random);
  Object.assign(given, { mask, positions, keyPositions, segments, prefixLength, record, region });
  if (lengths) given.keyLengths = lengths;
  if (offset !== undefined) given.queryOffset = offset;
  const sequence = (entry) => {
    const part = ({ data }) => {
      const size = data.length / entries;
      return data.subarray(entry * size, (entry + 1) * size);
    };
    const first = offsetAt(entry);
    return {
      queries,
      keys,
      q: part(given.q),
      k: part(given.k),
      v: part(given.v),
      mask,
      segments,
      prefixLength,
      offset: first,
      keyLength: lengths?.[entry],
      positions: positions ?? Int32Array.from({ length: queries }, (_, i) => first + i),
      keyPositions: keyPositions ?? Int32Array.from({ length: keys }, (_, i) => i),
    };
  };
  return { options, given, entries, record, region, sequence };
}

const kept = new Map();
/** Caches an engine's schemes by their settings, so that not every case makes one. */
function schemesOf(name, { heads, kvHeads, width, rotary, slopes }) {
  const made = (id, more) => {
    const options = { numHeads: heads, numKvHeads: kvHeads, headDim: width, ...more };
    const key = `${name} ${id} ${JSON.stringify(options)}`;
    if (!kept.has(key)) kept.set(key, all[name].scheme(id, options));
    return kept.get(key);
  };
  const list = [];
  if (rotary) list.push(made("rope", { ropeTheta: rotary.base, interleaved: rotary.interleaved }));
  if (slopes) list.push(made("alibi", {}));
  return list;
}

/** Asserts that float32 numbers are within a tolerance of doubles, or the same infinity. */
function assertNear(found, expected, tolerance, what) {
  assert.equal(found.length, expected.length, `${what}: length`);
  for (let i = 0; i < found.length; i++) {
    if (found[i] === expected[i]) continue;
    const far = Math.abs(found[i] - expected[i]);
    if (!(far <= tolerance * Math.max(1, Math.abs(expected[i]))))
      assert.fail(`${what}[${i}]: ${found[i]}, expected ${expected[i]}`);
  }
}

function assertRecorded(found, expected, { options, record, region }, sizes, what) {
  const all = (length) => Array.from({ length }, (_, i) => i);
  const [heads, rows, columns] = [
    region.heads ?? all(options.heads),
    region.rows ?? all(sizes.queries),
    region.columns ?? all(sizes.keys),
  ];
  const cut = (numbers, inner = 1) => {
    const list = [];
    for (const h of heads)
      for (const i of rows)
        for (const j of columns) {
          const at = ((h * sizes.queries + i) * sizes.keys + j) * inner;
          for (let c = 0; c < inner; c++) list.push(numbers[at + c]);
        }
    return list;
  };
  for (const name of ["weights", "logits", "maskedLogits"])
    if (record.includes(name))
      assertNear(found[name], cut(expected[name]), 1e-4, `${what} ${name}`);
  if (record.includes("pairs") && options.rotary)
    assertNear(found.pairs, cut(expected.pairs, options.width / 2), 1e-4, `${what} pairs`);
  if (!record.includes("terms")) return;
  const terms = ["content"];
  if (options.rotary) terms.push("rotation");
  if (options.slopes) terms.push("distance");
  assert.deepEqual(Object.keys(found.terms).sort(), terms.sort(), what);
  for (const term of terms)
    assertNear(found.terms[term], cut(expected[term]), 1e-4, `${what} ${term}`);
}

/** Returns the recorded numbers of one sequence of a batch. */
function recordOf(result, entry, entries) {
  const part = ({ data }) => {
    const size = data.length / entries;
    return data.subarray(entry * size, (entry + 1) * size);
  };
  const found = {};
  for (const name of ["weights", "logits", "maskedLogits", "pairs"])
    if (result[name]) found[name] = part(result[name]);
  if (result.terms)
    found.terms = Object.fromEntries(
      Object.entries(result.terms).map(([term, x]) => [term, part(x)]),
    );
  return found;
}

function assertCall(drawn, names) {
  const call = callOf(drawn);
  const { options, given, entries, sequence } = call;
  const sequences = Array.from({ length: entries }, (_, entry) => sequence(entry));
  const expected = sequences.map((one, entry) => referenceAttention(options, one, entry));
  for (const name of names) {
    const wf = all[name];
    const { heads, kvHeads, width, valueWidth, window, rotary: _, slopes: __, ...rest } = options;
    const attention = wf.attention({
      ...rest,
      scheme: schemesOf(name, options),
      numHeads: heads,
      numKvHeads: kvHeads,
      headDim: width,
      valueDim: valueWidth,
      slidingWindow: window,
    });
    const mask = drawn.mask === "kept" ? wf.tensor(given.mask) : given.mask;
    const size = heads * drawn.queries * valueWidth;
    const out = drawn.hasOut ? new Float32Array(entries * size).fill(Number.NaN) : undefined;
    const result = attention.run({ ...given, mask, out });
    expected.forEach((one, entry) => {
      const what = `${name}, entry ${entry},`;
      const output = result.output.data.subarray(entry * size, (entry + 1) * size);
      assertNear(output, one.output, 1e-4, `${what} output`);
      assertRecorded(recordOf(result, entry, entries), one, call, sequences[entry], what);
    });
    if (drawn.mask === "kept") mask.dispose();
    attention.dispose();
  }
}

const run = (context, arbitrary, body, numRuns) => {
  context.diagnostic(`${numRuns} cases from seed ${seed}`);
  fc.assert(fc.property(arbitrary, body), { numRuns, seed });
};

test("attention with all of its options equals the reference, on one thread", (context) => {
  // A million cases on each variant would take an hour.
  const either = ({ seed }) => [seed & 1 ? "simd" : "relaxed"];
  const body = (drawn) => assertCall(drawn, isLong ? either(drawn) : ["simd", "relaxed"]);
  run(context, shapes, body, isLong ? 1_000_000 : 3000);
});

test("attention with all of its options equals the reference, shared by threads", (context) => {
  // Enough multiplications that the engine divides them among threads.
  const large = shapes.map((drawn) => {
    const perHead = drawn.width * drawn.batch || drawn.width;
    const heads = drawn.kvHeads * drawn.group;
    const queries = Math.min(400, 40 + drawn.queries * 5);
    const keys = Math.min(
      500,
      Math.ceil(2 ** 21 / (queries * heads * Math.max(4, perHead))) + drawn.keys,
    );
    return { ...drawn, batch: Math.min(drawn.batch, 1), queries, keys };
  });
  run(context, large, (drawn) => assertCall(drawn, ["threads"]), isLong ? 4000 : 12);
});
