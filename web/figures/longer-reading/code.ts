/** Code that reads the held-out text as the tab does. */
import { longerModel, ropeTypeOf, type StretchMethod } from "../../defaults.js";
import type { LongerQuestion } from "./messages.js";

function scaling(
  method: StretchMethod,
  { multiple, longFactor = [] }: Omit<LongerQuestion, "folder">,
  length: number,
): string {
  if (method === "none") return "undefined";
  const lists =
    method === "longrope"
      ? `,\n    shortFactor: [${longFactor.map(() => 1).join(", ")}],\n    longFactor: [${longFactor.join(", ")}]`
      : "";
  return `{ ropeType: "${ropeTypeOf(method)}", factor: ${multiple}, originalMaxPositionEmbeddings: ${length}${lists} }`;
}

/** Prints bits per token, a line for each method. */
export function longerCode(question: Omit<LongerQuestion, "folder">, length: number): string {
  const { language, multiple, methods } = question;
  return `import { load } from "whereformer";
import { Tokenizer } from "@huggingface/tokenizers";

const models = new URL("models/", location.href); // where you serve the model folders
const get = (file) => fetch(new URL(file, models));
const library = new Tokenizer(await (await get("tokenizer.json")).json(), {});
const text = await (await get("heldout/${language}.txt")).text();
const ids = library.encode(text, { add_special_tokens: false }).ids.slice(0, ${multiple * length} + 1);

const wf = await load();
const model = await wf.model(new URL("${longerModel}/", models));
const ways = {
${methods.map((method) => `  ${method}: ${scaling(method, question, length)},`).join("\n")}
};
for (const [name, ropeScaling] of Object.entries(ways)) {
  const options = { maxPositionEmbeddings: ${length}, ropeScaling };
  const surgery = ropeScaling && { scheme: { id: "${longerModel}", options } };
  const { mean } = model.loss(ids, surgery ? { surgery } : {});
  console.log(name, mean / Math.LN2); // bits a token
}
`;
}
