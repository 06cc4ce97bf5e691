/** Code that computes the terms of a trained model's logits, by distance. */
import type { DistanceAnswer } from "../../../engine/both/distance-messages.js";

/** Returns code for one head and the last query, on any text. */
export const trainedTermsCode = ({ scheme, layer, head }: DistanceAnswer, folder: string): string =>
  `import { load } from "whereformer";

const wf = await load();
const model = await wf.model("${folder}${scheme}/");
const ids = Array.from({ length: 128 }, (_, i) => 100 + i); // any words
const { terms } = model.run(ids, {
  record: ["terms"],
  region: { layers: [${layer}], heads: [${head}], rows: [127] },
});
for (const [name, { data }] of Object.entries(terms))
  for (const distance of [0, 1, 8, 64, 119]) console.log(name, distance, data[127 - distance]);
`;
