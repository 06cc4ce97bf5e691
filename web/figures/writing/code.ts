/** Code that writes the text, with the row of one head for each token. */
import { drawn, type WritingAnswer } from "./messages.js";

export function writingCode(
  text: string,
  { scheme, layer, head, count, seed }: WritingAnswer,
): string {
  return `import { load } from "whereformer";
import { openTokenizer } from "whereformer/tokenizer";

const models = new URL("models/", location.href); // where you serve the model folders
const wf = await load();
const tokenizer = await openTokenizer(models);
const model = await wf.model(new URL("${scheme}/", models), { tokenizer });

const prompt = ${JSON.stringify(text)};
const labels = tokenizer.encode(prompt).map((id) => tokenizer.decode([id]));
const options = {
  record: ["weights"],
  region: { layers: [${layer}], heads: [${head}] },
  maxTokens: ${count},
  seed: ${seed},
  temperature: ${drawn.temperature},
  topK: ${drawn.topK},
};
for await (const { id, weights } of model.generate(prompt, options)) {
  labels.push(tokenizer.decode([id]));
  const { data } = weights; // from this token to all up to itself
  const strongest = data.indexOf(Math.max(...data));
  console.log(labels.at(-1), "→", labels[strongest], data[strongest].toFixed(4));
}
`;
}
