// Every check of a tensor, a list of positions, a mask or a region.

import { scattered, wf } from "./golden.mjs";
import { alibi, attention, cache, input, invalid, refusals, rope } from "./spoilt.mjs";

const cut = { data: new Float32Array(39), shape: [1, 5, 8] };
const withQ = (q) => () => attention.run({ ...input, q });
refusals("tensors", [
  [() => attention.run(), invalid, /^input: undefined/],
  [
    () => attention.run({ ...input, queries: 1 }),
    "unknown_option",
    /unknown option "queries" \(expected one of q, k, v/,
  ],
  [withQ(undefined), invalid, /^q: undefined \(expected \{ data, shape \}/],
  [withQ([1, 2]), invalid, /^q: \[1, 2\] \(expected \{ data, shape \}/],
  [
    withQ(cut),
    invalid,
    /^q\.shape: \[1, 5, 8\] \(expected sizes whose product is the length of data, 39/,
  ],
  [
    withQ({ data: new Float64Array(160), shape: [4, 5, 8] }),
    invalid,
    /^q\.data: a Float64Array \(expected a Float32Array/,
  ],
  [
    withQ({ data: input.q.data, shape: [160] }),
    invalid,
    /^q\.shape: \[160\] \(expected \[H,T,D\] or \[B,H,T,D\]/,
  ],
  [withQ({ data: input.q.data, shape: [4, -5, -8] }), invalid, /^q\.shape\[1\]: -5/],
  [withQ({ data: input.q.data, shape: [4, 2.5, 16] }), invalid, /^q\.shape\[1\]: 2\.5/],
  [withQ({ data: input.q.data, shape: "4,5,8" }), invalid, /^q\.shape: "4,5,8"/],
  [
    withQ({ data: input.q.data, shape: [8, 5, 4] }),
    invalid,
    /^q\.shape: \[8, 5, 4\] \(expected \[4,T,8\]/,
  ],
  [
    withQ({ data: input.q.data.map((x, i) => (i === 9 ? Number.NaN : x)), shape: [4, 5, 8] }),
    invalid,
    /^q\.data\[9\]: NaN/,
  ],
  [
    withQ({ data: [...input.q.data.slice(1), "0"], shape: [4, 5, 8] }),
    invalid,
    /^q\.data\[159\]: "0"/,
  ],
  [
    withQ({ data: [...input.q.data.slice(1), 1e300], shape: [4, 5, 8] }),
    invalid,
    /^q\.data\[159\]: 1e\+300/,
  ],
  [withQ({ data: [], shape: [0, 5, 8] }), invalid, /^q\.shape\[0\]: 0/],
  [
    withQ({ data: input.q.data, shape: [1, 4, 5, 8] }),
    invalid,
    /^k\.shape: \[4, 5, 8\] \(expected \[B,K,S,D\]/,
  ],
  [
    () => attention.run({ ...input, v: scattered([4, 4, 8]) }),
    invalid,
    /^v\.shape: \[4, 4, 8\] \(expected \[4,5,8\]/,
  ],
  [
    () => attention.run({ ...input, k: scattered([4, 5, 4]) }),
    invalid,
    /^k\.shape: \[4, 5, 4\] \(expected \[4,S,8\]/,
  ],
  [() => rope.rotate(scattered([4, 5, 6])), invalid, /^x\.shape: \[4, 5, 6\] \(expected \[H,T,8\]/],
  [() => rope.rotate(scattered([20, 8])), invalid, /^x\.shape: \[20, 8\] \(expected \[H,T,D\]/],
]);

const run = (more) => () => attention.run({ ...input, ...more });
refusals("positions, masks, lengths", [
  [() => rope.rotate(input.q, [0, 1]), invalid, /^positions\.length: 2 \(expected 5/],
  [() => rope.rotate(input.q, [0, 1, 2, 3, 4.5]), invalid, /^positions\[4\]: 4\.5/],
  [
    () => rope.rotate(input.q, [0, 1, 2, 3, 2 ** 30]),
    invalid,
    /^positions\[4\]: 1073741824 \(expected /,
  ],
  [() => rope.rotate(input.q, [0, 1, 2, 3, Number.NaN]), invalid, /^positions\[4\]: NaN/],
  [() => rope.rotate(input.q, [0, 1, 2, 3, undefined]), invalid, /^positions\[4\]: undefined/],
  [() => rope.rotate(input.q, "01234"), invalid, /^positions: "01234"/],
  [
    () => rope.rotate(input.q, { data: new Int32Array(10), shape: [2, 5] }),
    "invalid_argument",
    /^positions: 2 axes \(expected \[T\] for rope/,
  ],
  [() => alibi.bias([], [1]), invalid, /^queryPositions\.length: 0/],
  [() => alibi.bias([1]), invalid, /^keyPositions: undefined/],
  [run({ positions: [1, 2] }), invalid, /^positions\.length: 2/],
  [run({ keyPositions: [1, 2] }), invalid, /^keyPositions\.length: 2/],
  [run({ segments: [0, 1] }), invalid, /^segments\.length: 2 \(expected 5/],
  [
    run({ segments: [0, 0, 0, 1, 1], queryOffset: 1 }),
    invalid,
    /^segments: .*undefined unless all queries are among the keys/,
  ],
  [run({ keyLengths: [6] }), invalid, /^keyLengths\[0\]: 6 \(expected an integer from 0 to 5/],
  [run({ keyLengths: [1, 2] }), invalid, /^keyLengths\.length: 2 \(expected 1/],
  [run({ queryOffset: 6 }), invalid, /^queryOffset: 6/],
  [run({ queryOffset: 0.5 }), invalid, /^queryOffset: 0\.5/],
  [run({ mask: [1] }), invalid, /^mask: \[1\] \(expected \{ data/],
  [
    run({ mask: { data: [1], shape: [1] } }),
    invalid,
    /^mask\.data: \[1\] \(expected a Uint8Array or a Float32Array/,
  ],
  [
    run({ mask: { data: new Uint8Array(4), shape: [4] } }),
    invalid,
    /^mask\.shape: \[4\] \(expected a shape that broadcasts to \[1,4,5,5\]/,
  ],
  [run({ mask: { data: new Uint8Array(5), shape: [1, 1, 1, 1, 5] } }), invalid, /^mask\.shape/],
  [
    run({ mask: { data: Uint8Array.of(1, 1, 2, 1, 1), shape: [5] } }),
    invalid,
    /^mask\.data\[2\]: 2 \(expected 0 .* or 1/,
  ],
  [
    run({ mask: { data: Float32Array.of(0, 0, Number.NaN, 0, 0), shape: [5] } }),
    invalid,
    /^mask\.data\[2\]: NaN/,
  ],
  [run({ record: "weights" }), invalid, /^record: "weights" \(expected a list of "weights"/],
  [
    run({ record: ["weight"] }),
    invalid,
    /^record\[0\]: "weight" \(expected one of "weights", "logits"/,
  ],
  [
    run({ record: ["weights"], region: { head: [1] } }),
    "unknown_option",
    /unknown option "head" \(expected one of layers, heads/,
  ],
  [
    run({ record: ["weights"], region: { heads: [4] } }),
    invalid,
    /^region\.heads\[0\]: 4 \(expected an integer from 0 to 3/,
  ],
  [
    run({ record: ["weights"], region: { rows: [3, 2] } }),
    invalid,
    /^region\.rows: \[3, 2\] \(expected distinct indices in ascending order/,
  ],
  [
    run({ record: ["weights"], region: { columns: [] } }),
    invalid,
    /^region\.columns: \[\] \(expected at least one/,
  ],
  [run({ record: ["weights"], region: { layers: [0] } }), invalid, /^region\.layers/],
]);

const other = wf.attention({ scheme: rope });
refusals("caches", [
  [
    () => attention.cache({ room: 3 }),
    "unknown_option",
    /unknown option "room" \(expected one of capacity/,
  ],
  [
    () => attention.decode({}, input),
    invalid,
    /^cache: an object \(expected a cache from attention\.cache/,
  ],
  [() => other.decode(cache, input), invalid, /^cache: made by another attention/],
  [
    () => attention.decode(cache, { ...input, mask: undefined, record: [] }),
    "unknown_option",
    /unknown option "mask" \(expected one of q, k, v, positions/,
  ],
  [
    () => attention.decode(cache, { ...input, q: scattered([4, 3, 8]) }),
    invalid,
    /^q\.shape: \[4, 3, 8\] \(expected \[H,T,D\] with T 5/,
  ],
  [() => cache.truncate(1), invalid, /^length: 1 \(expected an integer from 0 to 0/],
  [
    () => attention.decode(attention.cache({ capacity: 4 }), input),
    invalid,
    /cache: 5 more tokens after 0 \(expected at most 4/,
  ],
]);
