/** Code that reproduces surgery on a trained model, as text to copy. */
import type { OperateAnswer } from "../../engine/both/surgery-messages.js";
import { heldOutCode, modelsCode, textCode } from "../shared/exports/code.js";

/** Prints the largest change of a share, then the losses before and after. */
export function surgeryCode(text: string, answer: OperateAnswer): string {
  const { scheme, layer, head, surgery, positions, token, to } = answer;
  const extra = [
    ...(surgery ? [`surgery: ${JSON.stringify(surgery)}`] : []),
    ...(positions ? [`positions: ids.map((_, at) => (at === ${token} ? ${to} : at))`] : []),
  ].join(", ");
  return `${modelsCode}
${textCode(text)}const model = await wf.model(new URL("${scheme}/", models));
const change = (ids) => ({ ${extra} });
const region = { layers: [${layer}], heads: [${head}] };
const map = (options) => model.run(ids, { record: ["weights"], region, ...options }).weights.data;
const [before, after] = [map({}), map(change(ids))];
console.log("largest change", Math.max(...after.map((value, at) => Math.abs(value - before[at]))));
${heldOutCode}
for (const language of ["en", "zh"]) {
  console.log(language, "before", await bits(model, language));
  console.log(language, "after", await bits(model, language, change));
}
`;
}
