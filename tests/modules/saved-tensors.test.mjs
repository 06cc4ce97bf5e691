// Removes rows from the tables of saved models: remaining rows keep their values, and the file
// stays readable.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

let sources;
let tensorsOf;
let withFewerRows;
let headerOf;
let halfTensorsIn;
before(async () => {
  sources = await openSources();
  ({ tensorsOf, withFewerRows, headerOf, halfTensorsIn } = await sources.load(
    "/engine/worker/saved-tensors.ts",
  ));
});
after(() => sources.close());

/** Makes a file with two tensors: a [2, 2] and b [3, 1]. */
function file() {
  const header = {
    __metadata__: { format: "pt" },
    "model.a": { dtype: "F32", shape: [2, 2], data_offsets: [0, 16] },
    "model.b": { dtype: "F32", shape: [3, 1], data_offsets: [16, 28] },
  };
  const head = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(8 + head.length + 28);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(head.length), true);
  bytes.set(head, 8);
  bytes.set(new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6, 7).buffer), 8 + head.length);
  return bytes;
}

test("tensors are found by the ends of their names", () => {
  const tensor = tensorsOf(file());
  assert.deepEqual([...tensor("a")], [1, 2, 3, 4]);
  assert.deepEqual([...tensor(".b")], [5, 6, 7]);
});

test("only the requested rows stay, and data after removed rows moves up", () => {
  const cut = withFewerRows(file(), (name, rows) =>
    name.endsWith("a") ? { first: 1, rows: rows - 1 } : undefined,
  );
  const tensor = tensorsOf(cut);
  assert.deepEqual([...tensor("a")], [3, 4]);
  assert.deepEqual([...tensor("b")], [5, 6, 7]);
  assert.equal(cut.length, 8 + Number(new DataView(cut.buffer).getBigUint64(0, true)) + 20);
});

test("a file of which no row is removed keeps its numbers", () => {
  const tensor = tensorsOf(withFewerRows(file(), () => undefined));
  assert.deepEqual([...tensor("a"), ...tensor("b")], [1, 2, 3, 4, 5, 6, 7]);
});

test("numbers in half precision are read from a part of a file", () => {
  const bits = [0x3c00, 0xc000, 0x0001, 0x03ff, 0x7bff, 0x7c00, 0xfc00, 0x8000];
  const entries = { a: { dtype: "F16", shape: [8], data_offsets: [4, 20] } };
  const piece = new Uint8Array(2 + 16);
  // This part of the file begins two bytes before the tensor.
  bits.forEach((each, at) => {
    new DataView(piece.buffer).setUint16(2 + 2 * at, each, true);
  });
  const values = [...halfTensorsIn(piece, entries, 2)("a")];
  const min = 2 ** -24;
  const wanted = [1, -2, min, 1023 * min, 65504, Infinity, -Infinity, -0];
  assert.deepEqual(values, wanted);
});

test("an incomplete header is refused", () => {
  const bytes = file();
  const { entries, start } = headerOf(bytes);
  assert.deepEqual(entries["model.b"].data_offsets, [16, 28]);
  assert.equal(headerOf(bytes.subarray(0, start - 1)), undefined);
});
