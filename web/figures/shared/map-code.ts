/** Code that gives the numbers of zoomed maps, as text to copy. */

import { labModel } from "../../engine/both/lab-sizes.js";
import type { MapPart, MapsAnswer } from "../../engine/both/map-messages.js";
import { config } from "./code.js";

const recordOf: Record<MapPart, string> = {
  weights: "weights",
  sum: "logits",
  content: "terms",
  position: "terms",
};
const numbersAt: Record<MapPart, string> = {
  weights: "result.weights.data",
  sum: "result.logits.data",
  content: "result.terms.content.data",
  position: "result.logits.data.map((sum, at) => sum - result.terms.content.data[at])",
};

/** The map of each scheme, and its last number. */
export function mapsCode(answer: MapsAnswer): string {
  const { reader, ids, part, schemes, numLayers, numHeads } = answer;
  const [layer, head] = [
    Math.min(answer.layer, numLayers - 1),
    Math.min(answer.head, numHeads - 1),
  ];
  const records = part === "position" ? `"terms", "logits"` : `"${recordOf[part]}"`;
  const model =
    reader === "model"
      ? `new URL(\`\${scheme}/\`, models)`
      : `{\n${config(labModel)
          .split("\n")
          .map((line) => `  ${line}`)
          .join("\n")}\n    scheme,\n  }`;
  const place =
    reader === "model"
      ? `const models = new URL("models/", location.href); // where you serve the model folders\n`
      : "";
  return `import { load } from "whereformer";

const wf = await load();
${place}const ids = [${ids.join(", ")}];
for (const scheme of ${JSON.stringify(schemes)}) {
  const model = await wf.model(${model});
  const record = [${records}];
  const result = model.run(ids, { record, region: { layers: [${layer}], heads: [${head}] } });
  const map = ${numbersAt[part]}; // [${ids.length}, ${ids.length}], row by row
  console.log(scheme, map.at(-1));
}
`;
}
