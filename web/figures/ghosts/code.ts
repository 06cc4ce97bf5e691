/** Code that reproduces the mean weights by distance. */
import {
  distanceView,
  type GhostView,
  ghostSizes,
  type Language,
  ropeTypeOf,
  sightedScheme,
  stretchHeads,
} from "../../defaults.js";
import { modelsCode } from "../shared/exports/code.js";

const { layer, head, tokens } = ghostSizes;
const { length } = stretchHeads.small;

function surgeryText(view: GhostView, dropped: number | undefined): string {
  if (view === "without")
    return `{ layers: [${layer}], heads: [${head}], dropPairs: [${dropped}] }`;
  if (view === "plain" || view === "bias") return "undefined";
  return `{
  scheme: {
    id: "${sightedScheme}",
    options: {
      maxPositionEmbeddings: ${length},
      ropeScaling: {
        ropeType: "${ropeTypeOf(view)}", factor: ${tokens / length},
        originalMaxPositionEmbeddings: ${length},
      },
    },
  },
}`;
}

/** Prints the mean weight at each distance. */
export function ghostCode(
  view: GhostView,
  language: Language,
  shown: number,
  dropped: number | undefined,
): string {
  const id = view === "bias" ? distanceView.first : sightedScheme;
  return `${modelsCode}
const text = await (await fetch(new URL("heldout/${language}.txt", models))).text();
const ids = encode(text.slice(0, 20000)).slice(0, ${shown});
const model = await wf.model(new URL("${id}/", models));
const surgery = ${surgeryText(view, dropped)};
const region = { layers: [${layer}], heads: [${head}] };
const record = ["weights"];
const { weights } = model.run(ids, surgery ? { record, region, surgery } : { record, region });
const n = ids.length;
for (let distance = 0; distance < n; distance++) {
  let sum = 0;
  for (let query = distance; query < n; query++)
    sum += weights.data[query * n + query - distance];
  console.log(distance, sum / (n - distance));
}
`;
}
