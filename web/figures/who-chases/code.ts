/** Code that reproduces the numbers of "who chases whom", as text to copy. */
import { chaseModel } from "../../defaults.js";
import { idsOf, type Pair } from "../../engine/both/sentences.js";
import { config, list } from "../shared/exports/code.js";

export function chaseCode(pair: Pair, scheme: string): string {
  return `import { load } from "whereformer";

const wf = await load();
const model = await wf.model({
${config({ ...chaseModel, scheme })}
});
const look = (ids) => model.run(ids, { record: ["weights"], region: { heads: [0] } }).weights.data;

const a = look(${list(idsOf(pair.tokensA, chaseModel.vocabSize))}); // ${pair.tokensA.join(" ")}
const b = look(${list(idsOf(pair.tokensB, chaseModel.vocabSize))}); // ${pair.tokensB.join(" ")}
const order = ${list(pair.order)}; // where A's tokens stand in B
const n = order.length;
let largest = 0;
for (let i = 0; i < n; i++)
  for (let j = 0; j < n; j++)
    largest = Math.max(largest, Math.abs(b[order[i] * n + order[j]] - a[i * n + j]));
console.log(largest);
`;
}
