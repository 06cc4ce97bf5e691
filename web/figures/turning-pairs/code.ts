/** Code that reproduces the numbers of "two hands in every pair". */
import { sightedScheme } from "../../defaults.js";
import { rotatedHead } from "../../engine/both/rotated-heads.js";

/**
 * Returns code for one pair that rotates by π/8 per position: the first pair, with its frequency
 * divided.
 */
export function oneHandCode(query: number, key: number): string {
  return `import { load } from "whereformer";

const wf = await load();
const shape = { numHeads: 1, headDim: 2 };
// The first pair turns by 1 radian for each position; divided by 8/π, by 22.5°.
const ropeScaling = { ropeType: "linear", factor: 8 / Math.PI };
const scheme = wf.scheme("${sightedScheme}", { ...shape, interleaved: true, ropeScaling });
const x = { data: Float32Array.of(1, 0), shape: [1, 1, 2] };
console.log("query", ...scheme.rotate(x, [${query}]).data);
console.log("key", ...scheme.rotate(x, [${key}]).data);
const attention = wf.attention({ ...shape, scheme, scale: 1 });
const { logits } = attention.run({
  q: x, k: x, v: x, positions: [${query}], keyPositions: [${key}], record: ["logits"],
});
console.log("product", logits.data[0]);
`;
}

export function rotationCode(theta: number, query: number, key: number): string {
  const { headDim } = rotatedHead;
  return `import { load } from "whereformer";

const wf = await load();
const shape = { numHeads: 1, headDim: ${headDim} };
const scheme = wf.scheme("${sightedScheme}", { ...shape, ropeTheta: ${theta}, interleaved: true });
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
