/** Sizes and limits of the lab. */

/** Longest text of the lab and of a zoomed map, in tokens; lengths of held-out text on offer. */
export const longestLab = 2048;
export const labLengths = [128, 512, 2048] as const;
export const maxInLab = 4;
/** Longest text for a reader's own model, which may be hundreds of times larger than the page's. */
export const longestOpened = 512;

/**
 * The untrained layer of the lab: a token vector for each token of its longest text, and initial
 * weights large enough that logits differ visibly at this width.
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
