// A step of training on a batch of equal sequences: the text has one window, so that every runtime
// has the same tokens. The losses of the first steps, before each update, are compared.

import { readSafetensors } from "../peers/block-weights.mjs";
import { againstPeers } from "./against-peers.mjs";

const betas = { beta1: 0.9, beta2: 0.95, epsilon: 1e-8 };

export const training = againstPeers({
  work: "training",
  inputs: ({ batch, tokens, vocabulary, rate, decay, clip, ...sizes }, { ours }) => {
    const text = Int32Array.from(
      { length: tokens + 1 },
      (_, i) => (i * i * 7 + i * 3) % vocabulary,
    );
    const repeated = (window) =>
      Int32Array.from({ length: batch * tokens }, (_, i) => window[i % tokens]);
    const trainer = ours.engine.trainer({
      config: {
        vocabSize: vocabulary,
        hiddenSize: sizes.width,
        numLayers: sizes.layers,
        numHeads: sizes.heads,
        intermediateSize: sizes.intermediate,
        rmsNormEps: sizes.epsilon,
      },
      task: { id: "language_model", ids: text },
      batchSize: batch,
      length: tokens,
      // The rate stays at a tenth after the schedule's last step.
      learningRate: 10 * rate,
      warmupSteps: 0,
      totalSteps: 1,
      weightDecay: decay,
      clipNorm: clip,
    });
    const model = trainer.model();
    const tensors = readSafetensors(model.save());
    model.dispose();
    return {
      trainer,
      tensors,
      vocabulary,
      ids: repeated(text),
      targets: repeated(text.subarray(1)),
    };
  },
  sizes: ({ rate, decay, clip, ...rest }) => ({ ...rest, adamw: { rate, decay, clip, ...betas } }),
  operations: ({ batch, tokens, vocabulary, width, layers, intermediate }) =>
    batch *
    tokens *
    6 *
    (layers * (width * (4 * width + 3 * intermediate) + 2 * tokens * width) + width * vocabulary),
  tolerance: 2e-4,
});
