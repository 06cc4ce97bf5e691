/** Code that reproduces the numbers of "does the mask give order", as text to copy. */
import { blindScheme, orderModel } from "../../defaults.js";
import { idsOf } from "../../engine/both/sentences.js";
import { config, list } from "../shared/exports/code.js";

export function orderCode(
  tokens: readonly string[],
  swapped: readonly string[],
  seed: number,
): string {
  return `import { load } from "whereformer";

const wf = await load();
for (const [isCausal, numLayers] of [[false, 2], [true, 1], [true, 2]]) {
  const model = await wf.model({
${config({ ...orderModel, scheme: blindScheme, seed }).replace(/^/gm, "  ")}
    isCausal,
    numLayers,
  });
  const last = (ids) => model.run(ids, { record: ["hidden"] }).hidden.data.slice(-${orderModel.hiddenSize});
  const a = last(${list(idsOf(tokens, orderModel.vocabSize))}); // ${tokens.join(" ")}
  const b = last(${list(idsOf(swapped, orderModel.vocabSize))}); // ${swapped.join(" ")}
  console.log(isCausal, numLayers, Math.max(...a.map((value, i) => Math.abs(value - b[i]))));
}
`;
}
