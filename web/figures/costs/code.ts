/** JavaScript that measures what the figure measured. */
import { costLayer } from "../../defaults.js";
import type { CostSizes } from "../../engine/both/messages.js";

export function costsCode({ tokens, headDim, numHeads }: CostSizes): string {
  return `import { load } from "whereformer";

const wf = await load();
const [tokens, headDim, numHeads] = [${tokens}, ${headDim}, ${numHeads}];
const width = numHeads * headDim;
const ids = Int32Array.from({ length: tokens + 1 }, (_, i) => (i * i) % ${costLayer.vocabSize});
const ofText = wf.schemes.filter(({ positionAxes, claims }) => positionAxes < 2 && claims.decodes);
const blind = ofText.find(({ family }) => family === "none");

const layer = ({ id, options }) => wf.model({
  ...${JSON.stringify(costLayer)},
  hiddenSize: width, numHeads, headDim,
  scheme: options.some(({ key }) => key === "maxPositions")
    ? { id, options: { maxPositions: tokens + 1 } }
    : id,
});
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
  const cost = wf.scheme(scheme.id, { numHeads, headDim }).cost({ queries: tokens, width });
  console.log(scheme.id, median(ratios), cost); // times as long; what it adds by formula
  model.dispose();
}
`;
}
