/** Code that prints how much each head gives to the first token. */
export const sinkCode = (
  layer: number,
  head: number,
): string => `import { load } from "whereformer";

// Needs the file of the model: SmolLM2-135M-Instruct, as GGUF or as a folder.
const wf = await load();
const model = await wf.model("./SmolLM2-135M-Instruct.Q4_1.gguf", {
  tokenizer: import("@huggingface/tokenizers"), // reads the file's own tokenizer
});
const region = { layers: [${layer}], heads: [${head}] };
const text = "The cat chased the mouse around the house, because the mouse had eaten the cheese.";
const { weights } = model.run(text, { record: ["weights"], region });
const [tokens] = weights.shape.slice(-1);
for (let row = 2; row < tokens; row++) console.log(weights.data[row * tokens]);
`;
