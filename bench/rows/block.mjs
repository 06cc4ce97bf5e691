// One decoder block with its embedding and last norm; the weights are those of a new model, in its
// saved form.

import { readSafetensors } from "../peers/block-weights.mjs";
import { againstPeers } from "./against-peers.mjs";

const vocabulary = 64;

/** Returns the model, its weights by name, its input ids and its bias as numbers for the peers. */
export async function blockInputs(
  { scheme, tokens, width, heads, intermediate, epsilon },
  { ours },
) {
  const model = await ours.engine.model({
    vocabSize: vocabulary,
    hiddenSize: width,
    numLayers: 1,
    numHeads: heads,
    intermediateSize: intermediate,
    rmsNormEps: epsilon,
    initializerRange: 0.05,
    scheme,
  });
  const positions = Array.from({ length: tokens }, (_, i) => i);
  const biases = ours.engine.scheme(scheme, { numHeads: heads, headDim: width / heads });
  const bias = biases.bias(positions, positions).data;
  biases.dispose();
  const ids = positions.map((i) => (i * 37 + 11) % vocabulary);
  return { model, ids, bias, tensors: readSafetensors(model.save()) };
}

export const block = againstPeers({
  work: "block",
  inputs: blockInputs,
  operations: ({ tokens, width, intermediate }) =>
    2 * tokens * width * (4 * width + 3 * intermediate) + 4 * tokens ** 2 * width,
  tolerance: 1e-4,
});
