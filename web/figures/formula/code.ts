/** Code that computes the shown weights, as text to copy. */
import type { FormulaOptions } from "whereformer";
import { formulaView } from "../../defaults.js";

const { numHeads, headDim, tokens } = formulaView;

/** Prints the last query's weights of a head, and what is added to its logits. */
export function formulaCode(options: FormulaOptions, head: number): string {
  const entries = Object.entries(options);
  const lines = entries.map(([key, value]) => `  ${key}: ${JSON.stringify(value)},\n`).join("");
  const scale =
    options.logitScale === undefined ? "" : ` logitScale: ${JSON.stringify(options.logitScale)},`;
  const words = options.add === undefined ? "ones()" : "withAdded(scheme)";
  const added = `
// ones, to which the scheme adds its vectors
const withAdded = (scheme) => {
  const { data } = scheme.embeddings([...Array(tokens).keys()]);
  const at = (i) => [Math.floor(i / tokens / headDim), Math.floor(i / headDim) % tokens, i % headDim];
  const value = ([h, token, c]) => 1 + data[(token * numHeads + h) * headDim + c];
  return { ...ones(), data: ones().data.map((_, i) => value(at(i))) };
};`;
  return `import { load } from "whereformer";

const wf = await load();
const [numHeads, headDim, tokens] = [${numHeads}, ${headDim}, ${tokens}];
const scheme = wf.scheme("formula", {
  numHeads, headDim,
${lines}});
const shape = [numHeads, tokens, headDim];
const ones = () => ({ data: new Float32Array(numHeads * tokens * headDim).fill(1), shape });${
    options.add === undefined ? "" : added
  }
// one attention among equal words, and its last row in head ${head + 1}
const rowOf = (scheme, x) => {
  const attention = wf.attention({ scheme, isCausal: true });
  const { weights, logits } = attention.run({ q: x, k: x, v: x, record: ["weights", "logits"] });
  const last = (${head} + 1) * tokens * tokens;
  return [weights, logits].map(({ data }) => data.slice(last - tokens, last).reverse());
};
const [weights, logits] = rowOf(scheme, ${words});
const [, plain] = rowOf(wf.scheme("formula", { numHeads, headDim,${scale} }), ones());
for (const back of [0, 1, 8, 47])
  console.log("tokens back", back, "added", logits[back] - plain[back], "weight", weights[back]);
`;
}
