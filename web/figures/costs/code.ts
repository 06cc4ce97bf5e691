/** JavaScript that repeats the figure's measurement. */
import { costLayer } from "../../defaults.js";
import type { CostSizes } from "./messages.js";

export function costsCode({ tokens, headDim, numHeads }: CostSizes): string {
  return `import { load } from "whereformer";

const wf = await load();
const [tokens, headDim, numHeads] = [${tokens}, ${headDim}, ${numHeads}];
const width = numHeads * headDim;
const ids = Int32Array.from({ length: tokens + 1 }, (_, i) => (i * i) % ${costLayer.vocabSize});
const ofText = wf.schemes.filter(({ positionAxes, claims }) => positionAxes < 2 && claims.decodes);
const blind = ofText.find(({ family }) => family === "none");

// Tables of positions have a row for each.
const optionsOf = ({ options }) =>
  options.some(({ key }) => key === "maxPositions") ? { maxPositions: tokens + 1 } : {};
const layer = (scheme) => wf.model({
  ...${JSON.stringify(costLayer)},
  hiddenSize: width, numHeads, headDim,
  scheme: { id: scheme.id, options: optionsOf(scheme) },
});
// Under a causal mask a query sees half of the keys, and itself.
const seen = (tokens + 1) / 2;
const operations = (scheme, model) => {
  const made = wf.scheme(scheme.id, { numHeads, headDim, ...optionsOf(scheme) });
  const cost = made.cost({ queries: tokens, keys: Math.ceil(seen), width });
  const own = cost.modelParameters + cost.layerParameters;
  const products = 2 * tokens * (model.parameterCount - own);
  return products + 4 * width * tokens * seen + cost.onceFlops + cost.layerFlops;
};
const time = (model, calls = 20) => {
  const start = performance.now();
  for (let call = 0; call < calls; call++) model.loss(ids);
  return (performance.now() - start) / calls;
};
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

const plain = await layer(blind);
plain.loss(ids);
for (const scheme of ofText) {
  const model = await layer(scheme);
  model.loss(ids);
  const ratios = Array.from({ length: 7 }, () => time(model) / time(plain));
  const formula = operations(scheme, model) / operations(blind, plain);
  console.log(scheme.id, "times as long", median(ratios), "by formula", formula);
  model.dispose();
}
`;
}
