/** Code that computes the shown weights, as text to copy. */
import type { FormulaOptions } from "whereformer";
import { formulaView } from "../../defaults.js";

const { numHeads, headDim, tokens, side } = formulaView;

/** Returns the lines of a scheme's options. */
const linesOf = (options: FormulaOptions): string =>
  Object.entries(options)
    .map(([key, value]) => `  ${key}: ${JSON.stringify(value)},\n`)
    .join("");

/** Prints weights of the query in the middle of a grid, and what is added to its logits. */
export function gridFormulaCode(options: FormulaOptions, head: number): string {
  const { add, logitScale } = options;
  const scale = logitScale === undefined ? "" : ` logitScale: ${JSON.stringify(logitScale)},`;
  const added =
    add === undefined
      ? ""
      : `
// ones, to which the scheme adds its vectors
const rows = scheme.embeddings(positions).data;
for (let i = 0; i < x.data.length; i++) {
  const [h, cell, c] = [Math.floor(i / cells / headDim), Math.floor(i / headDim) % cells, i % headDim];
  x.data[i] += rows[(cell * numHeads + h) * headDim + c];
}`;
  return `import { load } from "whereformer";

const wf = await load();
const [numHeads, headDim, side] = [${numHeads}, ${headDim}, ${side}];
const scheme = wf.scheme("formula", {
  numHeads, headDim,
${linesOf(options)}});
const cells = side * side;
const all = [...Array(cells).keys()];
// the cells row by row: all rows, then all columns
const data = [...all.map((cell) => Math.floor(cell / side)), ...all.map((cell) => cell % side)];
const positions = { data, shape: [2, cells] };
const shape = [numHeads, cells, headDim];
const x = { data: new Float32Array(numHeads * cells * headDim).fill(1), shape };
const ones = { data: x.data.slice(), shape };${added}
const middle = Math.floor(cells / 2);
const record = ["weights", "logits"];
const run = (scheme, x, more) => wf.attention({ scheme }).run({ q: x, k: x, v: x, record, ...more });
const { weights, logits } = run(scheme, x, { positions, keyPositions: positions });
const plain = run(wf.scheme("formula", { numHeads, headDim,${scale} }), ones).logits.data[0];
for (const cell of [middle, middle + 1, middle - side, 0]) {
  const at = (${head} * cells + middle) * cells + cell;
  console.log("cell", cell, "added", logits.data[at] - plain, "weight", weights.data[at]);
}
`;
}

/** Prints the last query's weights of a head, and what is added to its logits. */
export function formulaCode(options: FormulaOptions, head: number): string {
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
${linesOf(options)}});
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
