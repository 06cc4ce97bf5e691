/** Code that reproduces the numbers of the clock. */
import { clockHead, sightedScheme } from "../../defaults.js";

/** Prints what each pair adds, and the score, at these positions. */
export function clockCode(query: number, key: number): string {
  const { headDim } = clockHead;
  return `import { load } from "whereformer";

const wf = await load();
const shape = { numHeads: 1, headDim: ${headDim} };
const scheme = wf.scheme("${sightedScheme}", { ...shape, interleaved: true });
const attention = wf.attention({ ...shape, scheme, scale: 1 });
const data = Float32Array.from({ length: ${headDim} }, (_, i) => 1 - (i % 2)); // (1, 0) in every pair
const x = { data, shape: [1, 1, ${headDim}] };
const { logits, pairs } = attention.run({
  q: x, k: x, v: x, positions: [${query}], keyPositions: [${key}], record: ["logits", "pairs"],
});
for (const share of pairs.data) console.log("pair", share);
console.log("score", logits.data[0]);
`;
}
