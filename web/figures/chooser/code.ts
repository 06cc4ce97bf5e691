/** Code that prints the numbers of the table. */
import { costSizes } from "../../defaults.js";

export function chooserCode(): string {
  const { tokens, numHeads, headDim, numLayers } = costSizes;
  return `import { load } from "whereformer";

const wf = await load();
const sizes = { numHeads: ${numHeads}, headDim: ${headDim} };
for (const { id, positionAxes, claims } of wf.schemes) {
  let cost;
  try {
    cost = wf.scheme(id, sizes).cost({ queries: ${tokens} });
  } catch {
    continue; // its defaults are made for other heads
  }
  const parameters = cost.modelParameters + ${numLayers} * cost.layerParameters;
  console.log(id, positionAxes, claims, "trained", parameters, "cache bytes", 4 * cost.cacheFloats);
}
`;
}
