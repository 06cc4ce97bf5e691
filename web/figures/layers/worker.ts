/** What each layer of a model does about position, from its config.json. */
import type { CompletedLayer } from "whereformer";
import type { Handlers } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import type { LayersAnswer, LayersQuestion } from "./messages.js";

async function readLayers(
  store: ModelStore,
  { config: file }: LayersQuestion,
): Promise<LayersAnswer> {
  const wf = await store.engine();
  const config = await wf.modelConfig(file);
  const { layerTypes, layers = {}, numLayers, sinks: hasSinks, isCausal } = config;
  const { scheme, slidingWindow, chunkSize, queryKeyNorm } = config;
  const every: CompletedLayer = {
    scheme,
    ...(slidingWindow !== undefined && { slidingWindow }),
    ...(chunkSize !== undefined && { chunkSize }),
    ...(queryKeyNorm !== undefined && { queryKeyNorm }),
  };
  return {
    config: file,
    layers: Array.from({ length: numLayers }, (_, at) => layers[layerTypes?.[at] ?? ""] ?? every),
    hasSinks,
    isCausal,
  };
}

export const answers = (store: ModelStore): Pick<Handlers, "layers"> => ({
  layers: (question) => readLayers(store, question),
});
