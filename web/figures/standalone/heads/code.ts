/** Code for the element with the reader's own numbers, or for the measures of a trained model. */
import type { MapsAnswer } from "../../../engine/both/map-messages.js";

export const givenHeadsCode = (): string => `import "whereformer/elements/heads";

const heads = document.createElement("wf-heads");
heads.measures = {
  previous: [
    [0.9, 0.1],
    [0.2, 0.3],
  ], // a list for each layer, with a number for each head
  entropy: [
    [0.4, 2.5],
    [1.5, 3],
  ],
};
document.body.append(heads);
`;

/** Returns code for each head's mean share on the token before. */
export const headsCode = ({
  ids,
  schemes,
}: MapsAnswer): string => `import { load } from "whereformer";

const wf = await load();
const models = new URL("models/", location.href); // where you serve the model folders
const ids = [${ids.join(", ")}];
const model = await wf.model(new URL("${schemes[0]}/", models));
const { numLayers, numHeads } = model.config;
const n = ids.length;
for (let layer = 0; layer < numLayers; layer++)
  for (let head = 0; head < numHeads; head++) {
    const region = { layers: [layer], heads: [head] };
    const { weights } = model.run(ids, { record: ["weights"], region });
    let sum = 0; // of the weights on the token before
    for (let row = 1; row < n; row++) sum += weights.data[row * n + row - 1];
    console.log("layer", layer + 1, "head", head + 1, sum / (n - 1));
  }
`;
