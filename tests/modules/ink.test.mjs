// Ink that flows up through masked layers, by hand.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

let sources;
let inkOf;
before(async () => {
  sources = await openSources();
  ({ inkOf } = await sources.load("/figures/causal-order/ink.ts"));
});
after(() => sources.close());

const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, `${a} and ${b}`);

test("one layer gives the last token the same ink in both orders, two do not", () => {
  // With even attention: rows 1; 1/2, 1/2; 1/3, 1/3, 1/3.
  const even = [1, 0, 0, 1 / 2, 1 / 2, 0, 1 / 3, 1 / 3, 1 / 3];
  const [first, second] = [0, 1].map((from) => inkOf([...even, ...even], 3, from));
  assert.deepEqual([first.length, first[0], second[0]], [3, [1, 0, 0], [0, 1, 0]]);
  close(first[1][2], second[1][2]);
  close(first[2][2], (1 + 1 / 2 + 1 / 3) / 3);
  close(second[2][2], (1 / 2 + 1 / 3) / 3);
});
