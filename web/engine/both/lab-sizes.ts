/** What the lab begins with and how far it goes. */

/** Longest text of the lab, and of a map that is zoomed; lengths of the held-out text to choose. */
export const longestLab = 2048;
export const labLengths = [128, 512, 2048] as const;
export const mostInLab = 4;
/** Longest text for a reader's own model, which may be hundreds of times as large as ours. */
export const longestOpened = 512;

/**
 * The untrained layer of the lab: token vectors for as many different tokens as its longest text
 * has, and initial weights large enough for scores with contrast at this width.
 */
export const labModel = {
  vocabSize: 4096,
  hiddenSize: 512,
  numLayers: 1,
  numHeads: 4,
  headDim: 32,
  intermediateSize: 16,
  initializerRange: 0.05,
  isCausal: true,
  seed: 3,
};
