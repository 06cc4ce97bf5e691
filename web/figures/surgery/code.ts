/** Code that reproduces an operation on a trained model, as text to copy. */
import { heldOutWindow, heldOutWindows } from "../../defaults.js";
import type { OperateAnswer } from "../../engine/both/operation-messages.js";

/** The loss and the head's map with and without the operation. */
export function surgeryCode(text: string, answer: OperateAnswer): string {
  const { scheme, layer, head, surgery, positions, token, to } = answer;
  const moved = positions
    ? `const positions = (length) => Array.from({ length }, (_, at) => (at === ${token} ? ${to} : at));\n`
    : "";
  const extra = [
    ...(surgery ? [`surgery: ${JSON.stringify(surgery)}`] : []),
    ...(positions ? ["positions: positions(ids.length)"] : []),
  ].join(", ");
  return `import { load } from "whereformer";
import { Tokenizer } from "@huggingface/tokenizers";

const models = new URL("models/", location.href); // where you serve the model folders
const library = new Tokenizer(await (await fetch(new URL("tokenizer.json", models))).json(), {});
const wf = await load();
const model = await wf.model(new URL("${scheme}/", models));
const change = (ids) => ({ ${extra} });
${moved}
const text = library.encode(${JSON.stringify(text)}).ids;
const map = { record: ["weights"], region: { layers: [${layer}], heads: [${head}] } };
console.log(model.run(text, map).weights, model.run(text, { ...map, ...change(text) }).weights);

for (const language of ["en", "zh"]) {
  const heldOut = await (await fetch(new URL(\`heldout/\${language}.txt\`, models))).text();
  const all = library.encode(heldOut.slice(0, 4000)).ids;
  for (let at = 0; at < ${heldOutWindows * heldOutWindow}; at += ${heldOutWindow}) {
    const ids = all.slice(at, at + ${heldOutWindow + 1});
    console.log(language, at, model.loss(ids).mean, model.loss(ids, change(ids)).mean); // nats a token
  }
}
`;
}
