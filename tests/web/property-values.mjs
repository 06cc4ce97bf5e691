// In the page of hostile-properties.test.mjs: values of all kinds, most of them invalid for a
// property.
import fc from "fast-check";

const circle = {};
circle.self = circle;
const gone = new Float32Array(4);
structuredClone(gone, { transfer: [gone.buffer] });
const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error("a getter that throws");
    },
  },
);

const odd = [
  undefined,
  null,
  true,
  false,
  NaN,
  Infinity,
  -Infinity,
  -0,
  -1,
  0,
  1,
  1.5,
  99,
  1e308,
  2 ** 31,
  2 ** 53,
  7n,
  -1n,
  10n ** 400n,
  Symbol("s"),
  Symbol.iterator,
  () => 1,
  class One {},
  "",
  " ",
  "x",
  "NaN",
  "1e999",
  "-1",
  "rope",
  "[",
  "[[",
  "{}",
  "{",
  "null",
  '[[1, "a"]]',
  "[[1]]",
  "http://[",
  "猫",
  "\ud800",
  "a".repeat(5000),
  "toString",
  "__proto__",
  "constructor",
  hostile,
  circle,
  gone,
  new Float32Array(0),
  new Float32Array(9),
  new BigInt64Array(4),
  new Array(2 ** 32 - 1),
  [new Array(10 ** 9)],
  { one: new Array(10 ** 9) },
  new DataView(new ArrayBuffer(8)),
  new Uint8ClampedArray(16),
  Float32Array.of(1, -Infinity),
  Promise.resolve(1),
  new Date(NaN),
  new Map(),
  new Error("no"),
  /a/,
  document.body,
  window,
  [],
  [[]],
  [[[]]],
  [null],
  [[null]],
  [[[[[[1]]]]]],
  [[1, 2], [3]],
  [["a"]],
  [[{}]],
  [[1e300]],
  { data: [1], shape: [1, 1] },
  { data: null, shape: [2, 2] },
  { data: [1], shape: "1" },
  { data: [1, 2, 3, 4], shape: [-2, -2] },
  { data: [1], shape: [1, NaN] },
  { shape: [1] },
  { lines: [null] },
  { lines: [] },
  { x: [NaN], lines: [{ values: [1] }] },
  { lines: 5 },
  { one: [1, null] },
  { one: 1 },
  { lines: [{ name: circle, values: [1] }] },
  [{ name: 1 }],
  [{ name: Symbol("s"), numbers: 1 }],
  [{ rank: 1n }],
  { rope_theta: 1n },
  { rope_scaling: [] },
];

const cell = fc.oneof(fc.double(), fc.constantFrom(null, "a", NaN, -Infinity, 1n), fc.nat(9));
const { nested } = fc.letrec((tie) => ({
  nested: fc.oneof({ maxDepth: 5 }, cell, fc.array(tie("nested"), { maxLength: 4 })),
}));
const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withNullPrototype: true,
  withSparseArray: true,
  withObjectString: true,
  maxDepth: 3,
});
const values = fc.oneof(
  { arbitrary: fc.constantFrom(...odd), weight: 3 },
  { arbitrary: nested, weight: 1 },
  { arbitrary: anything, weight: 1 },
);

/** Returns the whole text of an element, nested shadow trees included. */
export function textOf(node) {
  if (["STYLE", "SELECT", "TEXTAREA"].includes(node.nodeName)) return "";
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  return [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes].map(textOf).join(" ");
}

const task = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(port1.close());
    port2.postMessage(0);
  });
const mistaken = /TypeError|ReferenceError|RangeError|is not a function|Cannot (?:read|convert)/;

function check(figure, name, before) {
  const { failure, renders } = figure;
  if (failure?.code === "internal") throw new Error(`internal: ${failure.message}`);
  if (renders - before > 100) throw new Error(`rendered ${renders - before} times`);
  if (failure?.code !== "invalid_property") return false;
  if (!failure.message.includes(name))
    throw new Error(`the message does not name the property: ${failure.message}`);
  const said = textOf(figure);
  if (mistaken.test(said)) throw new Error(said);
  if (!said.includes(failure.message))
    throw new Error(`the element does not show ${failure.message}: ${said}`);
  return true;
}

/**
 * Sets each property of an element to values of all kinds, and its attribute to strings; returns
 * the refused properties, or the first fault.
 */
export async function tryAll(tag, members, { numRuns, seed }) {
  const names = members.map(({ name }) => name);
  const attributes = Object.fromEntries(members.map(({ name, attribute }) => [name, attribute]));
  const figure = document.createElement(tag);
  document.querySelector("main").replaceChildren(figure);
  await figure.updateComplete;
  const first = Object.fromEntries(names.map((name) => [name, figure[name]]));
  const refused = new Set();
  const property = fc.asyncProperty(fc.constantFrom(...names), values, async (name, value) => {
    const before = figure.renders;
    const settled = async () => {
      await figure.updateComplete;
      await task();
      await figure.updateComplete;
      if (check(figure, name, before)) refused.add(name);
    };
    figure[name] = value;
    await settled();
    const attribute = attributes[name];
    if (attribute && typeof value === "string") {
      figure[name] = first[name];
      figure.setAttribute(attribute, value);
      await settled();
      figure.removeAttribute(attribute);
    }
    figure[name] = first[name];
    await figure.updateComplete;
    if (figure.failure?.code === "invalid_property")
      throw new Error("a valid value afterwards is refused");
  });
  const report = await fc.check(property, { numRuns, seed, endOnFailure: true });
  const { failed, counterexample, errorInstance } = report;
  const why = failed && `${fc.stringify(counterexample)} ${errorInstance?.stack}`;
  figure.remove();
  return { refused: [...refused], why };
}
