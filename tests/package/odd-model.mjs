// A model with odd sizes, for tests of weights in few bits.
import { wf } from "./golden.mjs";

// Widths that end within a block of 32 and within a group of four rows.
export const config = {
  vocabSize: 61,
  hiddenSize: 72,
  numLayers: 2,
  numHeads: 4,
  numKvHeads: 2,
  headDim: 18,
  intermediateSize: 134,
  initializerRange: 0.1,
  scheme: "rope",
  seed: 7,
};
export const ids = Array.from({ length: 50 }, (_, i) => (i * i * 7 + 3 * i + 5) % 61);
export const floats = await wf.model(config);
export const weights = floats.save();
export const logitsOf = (model, input) =>
  model.run(input, { record: ["vocabularyLogits"] }).vocabularyLogits;
