/** Parts of the code that figures hand out, and that of the figures about one head. */

export const list = (ids: readonly number[]): string => `[${ids.join(", ")}]`;

/** The entries of an object, a line each. */
export const config = (entries: Record<string, unknown>): string =>
  Object.entries(entries)
    .map(([key, value]) => `  ${key}: ${JSON.stringify(value)},`)
    .join("\n");

/** The trained models, read with any tokenizer library; here the one this page uses. */
export function headCode(
  text: string,
  schemes: readonly string[],
  layer: number,
  head: number,
): string {
  return `import { load } from "whereformer";
import { Tokenizer } from "@huggingface/tokenizers";

const models = new URL("models/", location.href); // where you serve the model folders
const library = new Tokenizer(await (await fetch(new URL("tokenizer.json", models))).json(), {});
const tokenizer = { encode: (text) => library.encode(text).ids, decode: (ids) => library.decode(ids) };

const wf = await load();
for (const scheme of ${JSON.stringify(schemes)}) {
  const model = await wf.model(new URL(\`\${scheme}/\`, models), { tokenizer });
  const { tokens, weights, terms } = model.run(${JSON.stringify(text)}, {
    record: ["weights", "terms"],
    region: { layers: [${layer}], heads: [${head}] },
  });
  console.log(scheme, tokens, weights, terms);
}
`;
}
