/** Code that prints what each layer of a model does about position. */
export const layersCode = (config: Record<string, unknown>): string =>
  `import { load } from "whereformer";

const wf = await load();
const config = await wf.modelConfig(${JSON.stringify(config, undefined, 2)});
const { numLayers, layerTypes, layers } = config;
for (let at = 0; at < numLayers; at++) {
  const { scheme, slidingWindow, convolution } = layers?.[layerTypes[at]] ?? config;
  const what = scheme.map(({ id, options }) => id + " " + (options.ropeTheta ?? "")).join(" + ");
  console.log(at + 1, convolution ? "convolution" : what || "no positions", slidingWindow ?? "all");
}
`;
