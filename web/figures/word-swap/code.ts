/** Code that reproduces the map of the first figure. */
import { config, list } from "../shared/exports/code.js";

/** Prints each word's attention to each other word, row by row. */
export const swapCode = (
  words: readonly string[],
  ids: readonly number[],
  model: Record<string, unknown>,
  scheme: string,
): string => `import { load } from "whereformer";

const wf = await load();
const model = await wf.model({
${config({ ...model, scheme })}
});
const words = ${JSON.stringify(words)};
const { weights } = model.run(${list(ids)}, { record: ["weights"], region: { heads: [0] } });
for (const [row, query] of words.entries())
  for (const [column, key] of words.entries())
    console.log(query, "looks at", key, weights.data[row * words.length + column]);
`;
