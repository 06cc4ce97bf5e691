/** Costs of the open scheme in a model of ordinary size, from the engine. */
import type { Engine } from "whereformer";
import { costSizes, galleryModel } from "../../defaults.js";
import type { CostAnswer, PortraitQuestion } from "../both/messages.js";
import { nested } from "../both/scheme-options.js";
import { isRefusal } from "./configured-scheme.js";

const bytesPerNumber = 4;

function costAt(
  wf: Engine,
  { scheme: id, options }: PortraitQuestion,
  sizes: { numHeads: number; headDim: number },
): CostAnswer {
  const { tokens, numLayers } = costSizes;
  const { numHeads, headDim } = sizes;
  const width = numHeads * headDim;
  const scheme = wf.scheme(id, { numHeads, headDim, ...nested(options) });
  try {
    const cost = scheme.cost({ queries: tokens, keys: tokens, width });
    return {
      tokens,
      numHeads,
      headDim,
      numLayers,
      parameters: cost.modelParameters + numLayers * cost.layerParameters,
      onceFlops: cost.onceFlops,
      layerFlops: cost.layerFlops,
      attentionFlops: 4 * tokens * tokens * width,
      cacheBytes: cost.cacheFloats * bytesPerNumber,
    };
  } finally {
    scheme.dispose();
  }
}

/** At the sizes of docs/table.en.md; at the gallery's own if the options fit only its heads. */
export function costOf(wf: Engine, question: PortraitQuestion): CostAnswer {
  try {
    return costAt(wf, question, costSizes);
  } catch (reason) {
    if (!isRefusal(reason, "invalid_argument")) throw reason;
    return costAt(wf, question, galleryModel);
  }
}
