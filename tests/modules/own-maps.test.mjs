// Reads maps from files of other programs, and refuses files that contain no map.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

let sources;
let read;
let halfToNumber;
before(async () => {
  sources = await openSources();
  ({ readMapBytes: read } = await sources.load("/engine/worker/file-map/read.ts"));
  ({ halfToNumber } = await sources.load("/engine/worker/file-map/npy.ts"));
});
after(() => sources.close());

const bytesOf = (text) => new TextEncoder().encode(text);
const refusal = (message) => (reason) => {
  assert.equal(reason.code, "malformed_map");
  assert.match(reason.message, message);
  return true;
};

/** Makes an NPY file as NumPy writes it: magic, version, padded header, numbers. */
function npy({ descr = "<f4", fortran = false, shape = [2, 3], version = 1, data, header } = {}) {
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const said =
    header ??
    `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': (${sizes}), }`;
  const prefix = version === 1 ? 10 : 12;
  const text = bytesOf(
    `${said.padEnd(64 * Math.ceil((prefix + said.length + 1) / 64) - prefix - 1)}\n`,
  );
  const body = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const bytes = new Uint8Array(prefix + text.length + body.length);
  bytes.set([0x93, ...bytesOf("NUMPY"), version, 0]);
  const view = new DataView(bytes.buffer);
  if (version === 1) view.setUint16(8, text.length, true);
  else view.setUint32(8, text.length, true);
  bytes.set(text, prefix);
  bytes.set(body, prefix + text.length);
  return bytes;
}

const six = [0.5, 0.25, 0.125, 1, 0, 0.75];

test("NPY of versions 1 to 3, in single and double precision, in both byte orders", () => {
  for (const version of [1, 2, 3]) {
    const map = read(npy({ version, data: Float32Array.from(six) }));
    assert.deepEqual([map.heads, map.rows, map.columns], [1, 2, 3]);
    assert.deepEqual([...map.values], six);
  }
  assert.deepEqual([...read(npy({ descr: "<f8", data: Float64Array.from(six) })).values], six);
  const big = new DataView(new ArrayBuffer(24));
  six.forEach((value, at) => {
    big.setFloat32(4 * at, value, false);
  });
  assert.deepEqual([...read(npy({ descr: ">f4", data: big })).values], six);
});

test("numbers in half precision, including subnormal, infinite and NaN", () => {
  const bits = [0x3800, 0x3400, 0x3000, 0x3c00, 0x8000, 0x3a00];
  const halves = read(npy({ descr: "<f2", data: Uint16Array.from(bits) }));
  assert.deepEqual([...halves.values], [0.5, 0.25, 0.125, 1, -0, 0.75]);
  assert.equal(halfToNumber(0x0001), 2 ** -24);
  assert.equal(halfToNumber(0x7bff), 65504);
  assert.equal(halfToNumber(0xfc00), -Infinity);
  assert.ok(Number.isNaN(halfToNumber(0x7e00)));
});

test("Fortran order is converted to rows, with heads too", () => {
  // numpy.asfortranarray([[1, 2, 3], [4, 5, 6]]) is stored as 1, 4, 2, 5, 3, 6.
  const two = read(npy({ fortran: true, data: Float32Array.of(1, 4, 2, 5, 3, 6) }));
  assert.deepEqual([...two.values], [1, 2, 3, 4, 5, 6]);
  const shape = [2, 2, 3];
  const at = (head, row, column) => 100 * head + 10 * row + column;
  const data = new Float32Array(12);
  for (let head = 0; head < 2; head++)
    for (let row = 0; row < 2; row++)
      for (let column = 0; column < 3; column++)
        data[head + 2 * (row + 2 * column)] = at(head, row, column);
  const three = read(npy({ fortran: true, shape, data }));
  assert.deepEqual([three.heads, three.rows, three.columns], shape);
  assert.deepEqual([...three.values], [0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112]);
});

test("a batch of one is removed, layers precede heads, and minus infinity is a mask", () => {
  const data = Float32Array.from({ length: 12 }, (_, at) => at);
  const sizes = ({ layers, heads, rows, columns }) => [layers, heads, rows, columns];
  assert.deepEqual(sizes(read(npy({ data, shape: [1, 2, 2, 3] }))), [1, 2, 2, 3]);
  assert.deepEqual(sizes(read(npy({ data, shape: [2, 1, 2, 3] }))), [2, 1, 2, 3]);
  assert.deepEqual(sizes(read(npy({ data, shape: [2, 1, 1, 2, 3] }))), [2, 1, 2, 3]);
  const nested = "[[[[[1, null]]]], [[[[3, 4]]]]]";
  assert.deepEqual(sizes(read(bytesOf(nested))), [2, 1, 1, 2]);
  const shaped = { data: [1, 2, 3, 4], shape: [2, 1, 1, 2] };
  for (const text of [shaped, { weights: shaped, tokens: ["a"], columns: ["b", "c"] }]) {
    const map = read(bytesOf(JSON.stringify(text)));
    assert.deepEqual([sizes(map), [...map.values]], [shaped.shape, shaped.data]);
  }
  const masked = Float32Array.of(1, -Infinity, 0, 1);
  const map = read(npy({ data: masked, shape: [2, 2] }));
  assert.deepEqual([...map.values], [1, Number.NaN, 0, 1]);
  const wrong = { data: [1], shape: [1, 2] };
  assert.throws(() => read(bytesOf(JSON.stringify(wrong))), refusal(/not a list of 2 numbers/));
  const none = { data: [1] };
  assert.throws(() => read(bytesOf(JSON.stringify(none))), refusal(/no list "shape"/));
});

test("hostile NPY: too short, too large, other types, invalid headers", () => {
  const data = Float32Array.from(six);
  const good = npy({ data });
  for (let length = 6; length < good.length; length++)
    assert.throws(() => read(good.subarray(0, length)), refusal(/NPY/));
  const refused = [
    [npy({ data, shape: [4_000_000_000, 4_000_000_000] }), /at most/],
    [npy({ data, shape: [64, 4096, 4096] }), /at most/],
    [npy({ data, shape: [0, 3] }), /from 1 on/],
    [npy({ data, shape: [6] }), /\[T, S\]/],
    [npy({ data, shape: [2, 2, 1, 1, 1, 3] }), /\[T, S\]/],
    [npy({ data, descr: "<i4" }), /f2, f4 and f8/],
    [npy({ data, descr: "|O" }), /f2, f4 and f8/],
    [npy({ data, version: 4 }), /version 4/],
    [npy({ data, header: "{}" }), /does not say/],
    [npy({ data: Float32Array.of(1, 2, 3, 4, 5, Infinity) }), /infinite/],
    [npy({ data: new Float32Array(6).fill(Number.NaN) }), /not NaN/],
  ];
  for (const [bytes, message] of refused) assert.throws(() => read(bytes), refusal(message));
  const long = npy({ data, version: 2 });
  new DataView(long.buffer).setUint32(8, 0xffffffff, true);
  assert.throws(() => read(long), refusal(/header of 4294967295/));
});

test("JSON: lists, heads, tokens, masked cells; other content is refused", () => {
  const map = read(bytesOf('{"weights": [[1, null], [0.5, 0.5]], "tokens": ["猫", "cat"]}'));
  assert.deepEqual([...map.values], [1, Number.NaN, 0.5, 0.5]);
  assert.deepEqual(
    [map.rowTokens, map.columnTokens],
    [
      ["猫", "cat"],
      ["猫", "cat"],
    ],
  );
  assert.equal(read(bytesOf("[[[1, 2]], [[3, 4]]]")).heads, 2);
  const sides = read(bytesOf('{"weights": [[1, 2]], "rows": ["a"], "columns": ["b", "c"]}'));
  assert.deepEqual([sides.rowTokens, sides.columnTokens], [["a"], ["b", "c"]]);
  const deep = "[".repeat(5000) + "]".repeat(5000);
  const refused = [
    ["[[1, 2], [3]]", /different lengths/],
    ['[[1, "2"]]', /no number/],
    ["[]", /from 1 on|shape/],
    ["[[]]", /from 1 on/],
    ["[1, 2]", /\[T, S\]/],
    [deep, /\[T, S\]/],
    ['{"weights": {"length": 4}}', /no list/],
    ['{"weights": [[1]], "tokens": ["a", "b"]}', /2 entries for 1/],
    ['{"weights": [[1]], "tokens": [{}]}', /neither text nor number/],
    ['{"__proto__": {"weights": [[1]]}}', /no list/],
    ["[[1e999]]", /infinite/],
    ["{", /not JSON/],
  ];
  for (const [text, message] of refused)
    assert.throws(() => read(bytesOf(text)), refusal(message), text.slice(0, 40));
});

test("CSV: with tokens or without, quoted, with other separators, masked cells", () => {
  assert.deepEqual([...read(bytesOf("1,2\n3,4\n")).values], [1, 2, 3, 4]);
  const named = read(bytesOf('\ufeff,"a,b","say ""x"""\r\nthe,1,\r\n"two\nlines",0.25,.75\r\n'));
  assert.deepEqual([...named.values], [1, Number.NaN, 0.25, 0.75]);
  assert.deepEqual(named.columnTokens, ["a,b", 'say "x"']);
  assert.deepEqual(named.rowTokens, ["the", "two\nlines"]);
  assert.deepEqual([...read(bytesOf("a\tb\n1\t2\n")).values], [1, 2]);
  assert.deepEqual([...read(bytesOf("1;2\n3;4")).values], [1, 2, 3, 4]);
  const refused = [
    ["1,2\n3", /has 1 numbers/],
    ["1,2\n3,x", /“x”/],
    ['"1,2', /inside quotation/],
    [",".repeat(5000), /more than 4097 fields/],
    ["1\n".repeat(5000), /more than 4097 lines/],
    ["\n \n", /no lines/],
  ];
  for (const [text, message] of refused)
    assert.throws(() => read(bytesOf(text)), refusal(message), text.slice(0, 40));
});

test("other files are refused", () => {
  assert.throws(() => read(new Uint8Array()), refusal(/empty/));
  assert.throws(() => read(Uint8Array.of(0xff, 0xfe, 0, 1)), refusal(/UTF-8/));
});

test("random bytes are either read or refused", () => {
  let seed = 7;
  const chance = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const good = npy({ data: Float32Array.from(six) });
  const texts = ['{"weights": [[1, 2], [3, 4]], "tokens": ["a", "b"]}', ',a,b\nc,1,2\n"d",3,4\n'];
  const seeds = [good, ...texts.map(bytesOf)];
  let refused = 0;
  for (let round = 0; round < 3000; round++) {
    const bytes = seeds[round % seeds.length].slice();
    for (let change = 0; change < 1 + (round % 4); change++)
      bytes[Math.floor(chance() * bytes.length)] = Math.floor(chance() * 256);
    try {
      const { heads, rows, columns, values } = read(bytes);
      assert.equal(values.length, heads * rows * columns);
    } catch (reason) {
      assert.equal(reason.code, "malformed_map", reason.stack);
      refused++;
    }
  }
  assert.ok(refused > 100 && refused < 3000, `${refused}`);
});
